//! Which variables, costs and loops statements contain: what must be known before code for them is emitted.

use fun_base::name::Var;
use fun_base::prim::math::elementary;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Space, Statement, StatementKind, WindowDim};
use imp::visit::for_each_statement;
use std::collections::{HashMap, HashSet};

/// The variables that occur in statements, in order of first occurrence, binders included.
pub(crate) fn variables(body: &[Statement]) -> Vec<Var> {
    let mut found = Found::default();
    found.body(body);
    found.order
}

#[derive(Default)]
struct Found {
    order: Vec<Var>,
    seen: HashSet<Var>,
}

impl Found {
    fn var(&mut self, var: Var) {
        if self.seen.insert(var) {
            self.order.push(var);
        }
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Let { var, ty: _, value } | StatementKind::Assign { var, value } => {
                self.exp(value);
                self.var(*var);
            }
            StatementKind::Declare { var, ty: _, value } => {
                self.exps(value);
                self.var(*var);
            }
            StatementKind::Alloc { var, elem: _, shape, space: _ } => {
                self.exps(shape);
                self.var(*var);
            }
            StatementKind::Share(var) | StatementKind::Free(var) => self.var(*var),
            StatementKind::View { var, elem: _, mem, lmad } => {
                self.var(*mem);
                lmad.for_each_var(&mut |v| self.var(v));
                self.var(*var);
            }
            StatementKind::Window { var, view, dims } => {
                self.var(*view);
                for dim in dims {
                    match dim {
                        WindowDim::Fix(index) => self.exp(index),
                        WindowDim::Range { offset, count, stride } => {
                            self.exp(offset);
                            self.exp(count);
                            self.exp(stride);
                        }
                    }
                }
                self.var(*var);
            }
            StatementKind::Write { view, indices, value }
            | StatementKind::Accumulate { view, indices, value }
            | StatementKind::Atomic { view, indices, op: _, value } => {
                self.var(*view);
                self.exps(indices);
                self.exp(value);
            }
            // in order, nobody looks at the lock cell or words
            StatementKind::Lock { view: _, indices: _, body } | StatementKind::Ordered { words: _, body } => {
                self.body(body)
            }
            StatementKind::Copy { dest, source } => {
                self.var(*dest);
                self.var(*source);
            }
            StatementKind::Shuffle { dest, source, direction: _, by, group: _ } => {
                self.exp(by);
                self.var(*dest);
                self.var(*source);
            }
            StatementKind::For { var, ty: _, bound, kind: _, body } => {
                self.exp(bound);
                self.var(*var);
                self.body(body);
            }
            StatementKind::While { condition, body } => {
                self.exp(condition);
                self.body(body);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.exp(condition);
                self.body(then);
                self.body(otherwise);
            }
            StatementKind::Assert { condition, message: _, args } => {
                self.exp(condition);
                args.iter().for_each(|arg| self.exp(arg));
            }
            StatementKind::Call { results, procedure: _, args } => {
                self.exps(args);
                results.iter().for_each(|result| self.var(*result));
            }
        }
    }

    fn exps<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) {
        exps.into_iter().for_each(|exp| self.exp(exp));
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Const(_) | Exp::Threads | Exp::Param { .. } => {}
            Exp::Var(var) => self.var(*var),
            Exp::Bin(_, _, x, y) => {
                self.exp(x);
                self.exp(y);
            }
            Exp::Un(_, _, x) | Exp::Convert { to: _, from: _, value: x } => self.exp(x),
            Exp::Fma(_, operands) => operands.iter().for_each(|operand| self.exp(operand)),
            Exp::Select(c, x, y) => {
                self.exp(c);
                self.exp(x);
                self.exp(y);
            }
            Exp::Read { view, indices } => {
                self.var(*view);
                self.exps(indices);
            }
        }
    }
}

/// For each variable that is declared in a procedure the number of the last statement that mentions it, of those in which it is declared.
pub(crate) fn last_uses(procedure: &Procedure, last: &mut HashMap<Var, usize>) {
    let mut depths = HashMap::new();
    LastUses { last, depths: &mut depths, at: Vec::new() }.body(&procedure.body);
    for (result, _) in &procedure.results {
        // used behind all statements
        result.for_each_var(&mut |var| {
            if depths.contains_key(&var) {
                last.insert(var, usize::MAX);
            }
        });
    }
}

struct LastUses<'l> {
    last: &'l mut HashMap<Var, usize>,
    /// Of each variable how many bodies are around the one that declares it.
    depths: &'l mut HashMap<Var, usize>,
    /// The statement at hand, of each body around it.
    at: Vec<usize>,
}

impl LastUses<'_> {
    fn body(&mut self, body: &[Statement]) {
        let depth = self.at.len();
        self.at.push(0);
        for (k, statement) in body.iter().enumerate() {
            self.at[depth] = k;
            if let StatementKind::Declare { var, .. } = &statement.kind {
                self.depths.insert(*var, depth);
                self.mention(*var);
            }
            statement.kind.for_each_use(&mut |var| self.mention(var));
            statement.kind.for_each_body(&mut |body| self.body(body));
        }
        self.at.pop();
    }

    fn mention(&mut self, var: Var) {
        if let Some(depth) = self.depths.get(&var) {
            let last = self.last.entry(var).or_default();
            *last = (*last).max(self.at[*depth]);
        }
    }
}

/// The views that copies name: only of these are sizes needed.
pub(crate) fn copied_views(body: &[Statement], views: &mut HashSet<Var>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Copy { dest, source } => views.extend([*dest, *source]),
            StatementKind::For { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::Lock { body, .. }
            | StatementKind::Ordered { body, .. } => copied_views(body, views),
            StatementKind::If { then, otherwise, .. } => {
                copied_views(then, views);
                copied_views(otherwise, views);
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => {}
        }
    }
}

/// Whether statements contain a loop or a call: then an iteration of theirs may take long.
pub(crate) fn has_loop_or_call(body: &[Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::Call { .. } => true,
        StatementKind::If { then, otherwise, .. } => has_loop_or_call(then) || has_loop_or_call(otherwise),
        StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => has_loop_or_call(body),
        StatementKind::Let { .. }
        | StatementKind::Declare { .. }
        | StatementKind::Assign { .. }
        | StatementKind::Alloc { .. }
        | StatementKind::Share(_)
        | StatementKind::Free(_)
        | StatementKind::View { .. }
        | StatementKind::Window { .. }
        | StatementKind::Write { .. }
        | StatementKind::Accumulate { .. }
        | StatementKind::Atomic { .. }
        | StatementKind::Shuffle { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Assert { .. } => false,
    })
}

/// Whether there is a loop for threads in statements whose iterations have loops themselves.
pub(crate) fn has_threads(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::For { kind: LoopKind::Par, body, .. } = &statement.kind {
            found |= has_loop_or_call(body);
        }
    });
    found
}

/// The variables that statements assign.
pub(crate) fn assigned(body: &[Statement]) -> HashSet<Var> {
    let mut assigned = HashSet::new();
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Assign { var, .. } = statement.kind {
            assigned.insert(var);
        }
    });
    assigned
}

/// Whether a loop may become a function without calls: nothing in it fails or asks the runtime, and there is a loop of independent iterations
/// without loops inside.
pub(crate) fn fits_wide(kind: LoopKind, body: &[Statement]) -> bool {
    let mut independent = kind.is_parallel() && !has_loop_or_call(body);
    let mut blocks = HashSet::new();
    let mut fits = true;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| fits &= is_machine_code(exp));
        match &statement.kind {
            // prefixes of lanes are in vectors that Cranelift has
            StatementKind::For { kind: LoopKind::Scan, .. } => fits = false,
            StatementKind::For { kind, body, .. } => {
                independent |= kind.is_parallel() && !has_loop_or_call(body);
                fits &= has_loop_or_call(body) || !scatters(body);
            }
            StatementKind::Alloc { var, space: Space::Stack, .. } => {
                blocks.insert(*var);
            }
            StatementKind::Free(var) => fits &= blocks.contains(var),
            StatementKind::Assert { condition, .. } => {
                fits &= *condition == Exp::Const(PrimValue::Bool(true));
            }
            StatementKind::Declare { ty: ImpType::Mem(_), .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Copy { .. }
            | StatementKind::Lock { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Call { .. } => fits = false,
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::While { .. }
            | StatementKind::If { .. } => {}
        }
    });
    fits && independent
}

/// Whether statements without loops write cells that others say: histograms and the like, which are Cranelift's.
fn scatters(body: &[Statement]) -> bool {
    let mut read: HashSet<Var> = HashSet::new();
    let mut scatters = false;
    for_each_statement(body, &mut |statement| {
        let depends = |exp: &Exp, read: &HashSet<Var>| {
            let mut depends = exp.reads();
            exp.for_each_var(&mut |var| depends |= read.contains(&var));
            depends
        };
        match &statement.kind {
            StatementKind::Let { var, value, .. } | StatementKind::Assign { var, value }
                if depends(value, &read) =>
            {
                read.insert(*var);
            }
            StatementKind::Write { indices, .. }
            | StatementKind::Accumulate { indices, .. }
            | StatementKind::Atomic { indices, .. } => {
                scatters |= indices.iter().any(|index| depends(index, &read));
            }
            _ => {}
        }
    });
    scatters
}

/// Whether statements look up a table.
pub(crate) fn needs_table(body: &[Statement]) -> bool {
    fn in_exp(exp: &Exp) -> bool {
        let mut needs = matches!(exp, Exp::Un(op, PrimType::F64, _) if elementary::has_rows(*op));
        exp.for_each_child(&mut |child| needs |= in_exp(child));
        needs
    }
    let mut needs = false;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| needs |= in_exp(exp));
    });
    needs
}

/// Whether an expression is computed without the runtime and without division, but for that by powers of two.
fn is_machine_code(exp: &Exp) -> bool {
    let own = match exp {
        Exp::Const(value) => !matches!(value.prim_type(), PrimType::F16),
        Exp::Var(_) | Exp::Read { .. } | Exp::Select(..) => true,
        Exp::Bin(op, ty, _, y) => match op {
            BinOp::Div if ty.is_float() => *ty != PrimType::F16,
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem if !ty.is_float() => {
                // by constants of 32 bits, of which there are products; of others there are shifts and masks
                let words = matches!(ty, PrimType::I32 | PrimType::U32);
                matches!(**y, Exp::Const(n) if n.as_int().is_some_and(|n| n > 0 && (words || n & (n - 1) == 0)))
            }
            BinOp::Mod | BinOp::NextAfter | BinOp::Ldexp | BinOp::MulHi => false,
            BinOp::Pow => ty.is_float() && *ty != PrimType::F16,
            _ => *ty != PrimType::F16,
        },
        Exp::Un(op, ty, _) => match op {
            UnOp::Neg
            | UnOp::Abs
            | UnOp::Not
            | UnOp::Sgn
            | UnOp::Sqrt
            | UnOp::Rsqrt
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::Round
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::SignBit
            | UnOp::ToBits
            | UnOp::FromBits => *ty != PrimType::F16,
            _ => elementary::is_unary(*op) && *ty != PrimType::F16,
        },
        // the runtime knows
        Exp::Threads => false,
        Exp::Param { .. } => true,
        Exp::Fma(ty, _) => *ty != PrimType::F16,
        Exp::Convert { to, from, .. } => {
            let half = *to == PrimType::F16 || *from == PrimType::F16;
            let unsigned = *from == PrimType::U64 && to.is_float();
            !(half || unsigned)
        }
    };
    let mut fits = own;
    exp.for_each_child(&mut |child| fits = fits && is_machine_code(child));
    fits
}
