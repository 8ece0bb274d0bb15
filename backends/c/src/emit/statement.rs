//! Statements.

use super::declaration;
use super::view::wraps;
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::emit::exp::Text;
use crate::names;
use crate::types::{c_type, constant};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::run::too_deep;
use imp::choice::{chosen_write, place_or_none};
use imp::cost::constant_count;
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, constant_bytes};
use imp::plain::can_fail;
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Iterations that no one waits for: loops of so many don't look whether the run was stopped.
const FEW: f64 = 4096.0;

/// A loop of more iterations is not written out.
const LONGEST: f64 = 64.0;

impl<'p> Emitter<'_, 'p> {
    pub(super) fn body(&mut self, body: &'p [Statement]) -> Emit {
        let angles = self.angles(body);
        let mut done = BTreeSet::new();
        let mut written = None;
        for (at, statement) in body.iter().enumerate() {
            if done.contains(&at) {
                continue;
            }
            self.apart(&statement.kind, &mut written)?;
            self.loc = statement.loc;
            self.show_source();
            match angles.get(&at) {
                Some(pair) if self.angle(pair)? => _ = done.insert(pair.second),
                _ => self.statement(&statement.kind)?,
            }
        }
        Ok(())
    }

    /// Keeps two writes to a block that follow each other in a `while` loop apart, where `written` is the block that was written last. GCC would write both at once, and the next iteration, which
    /// mostly reads one of them, would wait for that: a read is not served from a write that is wider. Not in loops inside of it, which may run in vectors.
    fn apart(&mut self, kind: &'p StatementKind, written: &mut Option<Var>) -> Emit {
        match kind {
            StatementKind::Write { view, .. } if self.in_while && self.kernel.is_none() => {
                let block = Some(self.view(*view)?.block);
                if *written == block {
                    self.lines.push("FUN_APART;");
                }
                *written = block;
            }
            StatementKind::View { .. } | StatementKind::Window { .. } => {}
            _ => *written = None,
        }
        Ok(())
    }

    /// A comment with the source line, where that is another than the last.
    pub(super) fn show_source(&mut self) {
        let Some(loc) = self.loc else { return };
        if self.shown != Some((loc.file, loc.line)) {
            self.shown = Some((loc.file, loc.line));
            let text = (self.unit.sources)(loc.file, loc.line).map(|text| format!(": {}", text.trim()));
            let comment = format!("{}:{}{}", loc.file, loc.line, text.unwrap_or_default());
            self.lines.push(format!("/* {} */", comment_text(&comment)));
        }
    }

    fn statement(&mut self, kind: &'p StatementKind) -> Emit {
        match kind {
            StatementKind::Let { var, ty, value } => {
                if wraps(value) {
                    self.wrapped.insert(*var);
                }
                if ty.is_float()
                    && let Some(sign) = self.sign(value)
                {
                    self.signs.insert(*var, sign);
                }
                let value = match place_or_none(value).filter(|_| self.takes_choices()) {
                    Some(choice) => {
                        self.choices.insert(*var);
                        self.place_or_none(choice)?
                    }
                    None => self.exp(value)?.text,
                };
                let name = names::variable(*var);
                self.lines.declare(&name, format!("const {} {name} = {value};", c_type(*ty)));
                self.env.insert(*var, Binding::Fixed(ImpType::Prim(*ty)));
            }
            StatementKind::Declare { var, ty, value } => self.declare(*var, *ty, value.as_ref())?,
            StatementKind::Assign { var, value } => {
                let value = self.exp(value)?.text;
                self.assign(*var, &value)?;
            }
            StatementKind::Alloc { var, elem, shape, space } => self.alloc(*var, *elem, shape, *space)?,
            StatementKind::Share(var) => {
                let block = self.use_variable(*var)?;
                let space = self.space_of(*var)?;
                // a kernel counts no owners: its blocks outlive it
                if self.kernel.is_none() {
                    self.lines.push(if self.on_device(space) {
                        format!("fun_device_share({block});")
                    } else {
                        format!("fun_share(context, {block});")
                    });
                }
            }
            StatementKind::Free(var) => {
                let space = self.space_of(*var)?;
                // what is on the stack goes with its scope
                if space != Space::Stack && self.kernel.is_none() {
                    let block = self.use_variable(*var)?;
                    let call = if self.on_device(space) { "fun_device_free" } else { "fun_free" };
                    self.lines.push(format!("{call}(context, {block});"));
                }
            }
            StatementKind::View { var, elem, mem, lmad } => self.declare_view(*var, *elem, *mem, lmad)?,
            StatementKind::Window { var, view, dims } => self.declare_window(*var, *view, dims)?,
            StatementKind::Write { view, indices, value } => self.write(*view, indices, value, None)?,
            StatementKind::Accumulate { view, indices, value } => {
                self.write(*view, indices, value, Some(BinOp::Add))?;
            }
            StatementKind::Atomic { view, indices, op, value } if self.kernel.is_some() => {
                self.atomic(*view, indices, *op, value)?;
            }
            StatementKind::Atomic { view, indices, op, value } => {
                self.write(*view, indices, value, Some(*op))?;
            }
            StatementKind::Lock { view, indices, body } => self.lock(*view, indices, body)?,
            StatementKind::Ordered { words, body } => self.ordered(*words, body)?,
            StatementKind::Shuffle { dest, source, direction, by, group } => {
                self.shuffle((*dest, *source), *direction, by, *group)?;
            }
            StatementKind::Copy { dest, source } => self.copy(*dest, *source)?,
            StatementKind::For { var, ty, bound, kind, body } => {
                let outside = std::mem::replace(&mut self.in_while, false);
                self.for_loop(*var, *ty, bound, *kind, body)?;
                self.in_while = outside;
            }
            StatementKind::While { condition, body } => self.while_loop(condition, body)?,
            StatementKind::If { condition, then, otherwise } => self.branch(condition, then, otherwise)?,
            StatementKind::Assert { condition, message, args } => {
                if *condition != Exp::Const(PrimValue::Bool(true)) {
                    let holds = self.exp(condition)?;
                    self.check(&holds, message, args)?;
                }
            }
            StatementKind::Call { results, procedure, args } => self.call(results, *procedure, args)?,
        }
        Ok(())
    }

    fn declare(&mut self, var: Var, ty: ImpType, value: Option<&Exp>) -> Emit {
        let value = match (value, ty) {
            (Some(value), _) => self.exp(value)?.text,
            (None, ImpType::Prim(ty)) => constant(ty.zero()).0,
            (None, ImpType::Mem(_)) if self.kernel.is_some() => "0".to_owned(),
            (None, ImpType::Mem(_)) => "NULL".to_owned(),
        };
        let name = names::variable(var);
        let declared = match ty {
            ImpType::Mem(space) if self.kernel.is_some() => {
                format!("{}unsigned char *{name}", self.qualifier(space)?)
            }
            _ => declaration(ty, &name),
        };
        self.lines.declare_mutable(&name, format!("{declared} = {value};"));
        self.env.insert(var, Binding::Mutable(ty));
        Ok(())
    }

    pub(super) fn assign(&mut self, var: Var, value: &str) -> Emit {
        if !matches!(self.lookup(var)?, Binding::Mutable(_)) {
            return Err(CompileError::new(format!("{var} is assigned but not declared by var here")));
        }
        self.lines.assign(&names::variable(var), value);
        Ok(())
    }

    fn alloc(&mut self, var: Var, elem: PrimType, shape: &[Exp], space: Space) -> Emit {
        let name = names::variable(var);
        self.env.insert(var, Binding::Fixed(ImpType::Mem(space)));
        if space == Space::Stack {
            let Some(bytes) = constant_bytes(elem, shape) else {
                return Err(CompileError::new(format!("I9: the size of {var} on the stack is not constant")));
            };
            if let (None, Some(constants)) = (&self.kernel, self.constants.get(var)) {
                let (ty, cells) = (c_type(constants.elem), constants.cells.join(", "));
                let count = constants.cells.len();
                let cells = format!("static _Alignas(64) const {ty} {name}_cells[{count}] = {{{cells}}};");
                self.lines.declare(&name, format!("{cells} void *const {name} = (void *){name}_cells;"));
                return Ok(());
            }
            let bytes = bytes.max(1);
            self.lines.declare(
                &name,
                match self.kernel {
                    Some(_) => format!("unsigned char {name}[{bytes}] FUN_ALIGNED;"),
                    None => format!("_Alignas(64) unsigned char {name}[{bytes}];"),
                },
            );
            return Ok(());
        }
        if self.kernel.is_some() && space == Space::Register {
            return self.own_memory(&name, elem, shape);
        }
        if self.kernel.is_some() {
            let Some(bytes) = constant_bytes(elem, shape).filter(|_| space == Space::Shared) else {
                return Err(CompileError::new(format!("{var} is allocated in a kernel")));
            };
            self.share_memory(&name, bytes);
            return Ok(());
        }
        let mut sizes = Vec::new();
        for size in shape {
            sizes.push(self.exp(size)?.text);
        }
        let site = self.site("allocation");
        let in_loop = self.depth > 0 || self.unit.called_in_loops.contains(&self.procedure);
        let list = match sizes.len() {
            0 => "NULL".to_owned(),
            _ => format!("(const int64_t[]){{{}}}", sizes.join(", ")),
        };
        let (element, rank) = (elem.bytes(), sizes.len());
        let allocate = if self.on_device(space) { "fun_device_allocate" } else { "fun_allocate" };
        self.lines.push(format!(
            "void *const {name} = {allocate}(context, {site}, {in_loop}, {element}, {rank}, {list});"
        ));
        self.stop_if(&format!("{name} == NULL"));
        Ok(())
    }

    fn write(&mut self, view: Var, indices: &[Exp], value: &Exp, op: Option<BinOp>) -> Emit {
        if self.kernel.is_none() && self.constants.has_view(view) {
            return Ok(());
        }
        let view = self.view(view)?;
        let value = self.exp(value)?;
        if view.elem == PrimType::Unit {
            for index in indices {
                self.exp(index)?;
            }
            return Ok(());
        }
        if self.is_remote(&view) {
            let at = self.address(&view, indices)?;
            let Some(op) = op else { return self.remote_write(&view, &at, &value) };
            let old = self.remote_read(&view, indices)?;
            let sum = self.binary(op, view.elem, &old, &value, None, false)?;
            return self.remote_write(&view, &at, &sum);
        }
        let Some(op) = op else {
            let cell = self.cell(&view, indices)?.text;
            self.lines.push(format!("{cell} = {};", value.text));
            return Ok(());
        };
        let elem = view.elem;
        if op == BinOp::Add && matches!(elem, PrimType::F32 | PrimType::F64 | PrimType::U32 | PrimType::U64) {
            let cell = self.cell(&view, indices)?.text;
            self.lines.push(format!("{cell} += {};", value.text));
            return Ok(());
        }
        let at = self.address(&view, indices)?;
        let at = self.named(PrimType::I64, at);
        let cell = Text::name(format!("{}[{at}]", self.cells(&view)?));
        let sum = self.binary(op, elem, &cell, &value, None, false)?;
        self.lines.push(format!("{} = {};", cell.text, sum.text));
        Ok(())
    }

    /// A bound in a form that can be read again and again.
    fn bound(&mut self, var: Var, ty: PrimType, bound: &Exp) -> Emit<String> {
        let text = self.exp(bound)?;
        if text.name && !matches!(bound, Exp::Const(_)) {
            return Ok(text.text);
        }
        if let Exp::Const(n) = bound
            && n.as_int().is_some_and(|n| n > 0)
        {
            return Ok(text.text);
        }
        let name = format!("{}_end", names::variable(var));
        self.lines.declare(&name, format!("const {} {name} = {};", c_type(ty), text.text));
        Ok(name)
    }

    fn for_loop(
        &mut self,
        var: Var,
        ty: PrimType,
        bound: &Exp,
        kind: LoopKind,
        body: &'p [Statement],
    ) -> Emit {
        if kind == LoopKind::Thread && self.kernel.is_some() {
            self.env.insert(var, Binding::Fixed(ImpType::Prim(ty)));
            return self.phase(var, body);
        }
        if let (LoopKind::Simd, Some(count)) = (kind, constant_count(bound))
            && self.lanes(var, count as i64, body)?
        {
            return Ok(());
        }
        let end = self.bound(var, ty, bound)?;
        let around = self.positive.len();
        if let Exp::Var(bound) = bound
            && matches!(self.lookup(*bound)?, Binding::Fixed(_))
        {
            self.positive.push(end.clone());
        }
        let done = self.counted_loop(var, ty, (bound, &end), kind, body);
        self.positive.truncate(around);
        done
    }

    /// A loop up to a bound, and to the text of it.
    fn counted_loop(
        &mut self,
        var: Var,
        ty: PrimType,
        (bound, end): (&Exp, &str),
        kind: LoopKind,
        body: &'p [Statement],
    ) -> Emit {
        self.env.insert(var, Binding::Fixed(ImpType::Prim(ty)));
        let name = names::variable(var);
        let part = self.part_of_loop(var);
        let (first, last) = match part {
            Some((from, to)) => (from.to_string(), to.to_string()),
            None => ("0".to_owned(), end.to_owned()),
        };
        let head = format!("for ({} {name} = {first}; {name} < {last}; {name}++) {{", c_type(ty));
        let is_short = constant_count(bound).is_some_and(|count| count <= LONGEST);
        let is_long = kind == LoopKind::Simd && !is_short && ty == PrimType::I64 && self.kernel.is_none();
        // what follows goes over all iterations
        if is_long && part.is_none() {
            let has_vectors = self.vectors_of_rows(var, end, body)?;
            if !self.aligned_loop(var, end, body)? {
                self.independent_loop(body, |emitter| emitter.plain_loop(&head, bound, body, true))?;
            }
            if has_vectors {
                self.lines.push("#endif");
            }
            return Ok(());
        }
        match kind {
            LoopKind::Block | LoopKind::Chain if self.unit.kernels.is_some() && self.kernel.is_none() => {
                return self.launch(var, end, kind, body);
            }
            LoopKind::Unroll if self.kernel.is_some() => self.lines.push("#pragma unroll"),
            _ if self.kernel.is_some() => {}
            LoopKind::Par if self.parallel.is_none() => {
                return self.parallel_loop(var, bound, end, body);
            }
            LoopKind::Par | LoopKind::Simd | LoopKind::Block | LoopKind::Thread => {
                return self.independent_loop(body, |emitter| emitter.plain_loop(&head, bound, body, true));
            }
            LoopKind::Unroll => {
                // what the compiler makes of a count that it does not know is its own business
                let count = match part {
                    Some((from, to)) => Some((to - from) as f64),
                    None => constant_count(bound),
                };
                let count = count.filter(|count| *count > 1.0 && *count <= LONGEST);
                if let Some(count) = count.filter(|_| !may_leave(body)) {
                    self.lines.push(format!("FUN_UNROLL({count})"));
                }
            }
            LoopKind::Seq if self.tile_of_sums(&head, bound, body)? => return Ok(()),
            LoopKind::Scan if self.prefix_loop(&head, body)? => return Ok(()),
            LoopKind::Seq | LoopKind::Fold | LoopKind::Scan | LoopKind::Chain => {}
        }
        self.plain_loop(&head, bound, body, false)
    }

    /// A loop, whose iterations may be independent.
    pub(super) fn plain_loop(
        &mut self,
        head: &str,
        bound: &Exp,
        body: &'p [Statement],
        independent: bool,
    ) -> Emit {
        self.lines.open(head);
        self.depth += 1;
        if takes_long(bound, body, independent) {
            self.poll();
        }
        self.body(body)?;
        self.depth -= 1;
        self.lines.close("}");
        Ok(())
    }

    fn while_loop(&mut self, condition: &Exp, body: &'p [Statement]) -> Emit {
        if self.unit.kernels.is_some() && self.kernel.is_none() && !launches(body) {
            // it may run for ever, and a kernel may have failed before
            self.stop_if("fun_device_settle(context) != 0");
        }
        self.lines.open("for (;;) {");
        self.depth += 1;
        let before = self.lines.len();
        let condition = self.exp(condition)?;
        if self.lines.len() == before {
            self.lines.replace_last(format!("while ({}) {{", condition.text));
        } else {
            self.lines.open(format!("if (!{}) {{", condition.operand()));
            self.lines.push("break;");
            self.lines.close("}");
        }
        self.poll();
        let outside = std::mem::replace(&mut self.in_while, true);
        self.body(body)?;
        self.in_while = outside;
        self.depth -= 1;
        self.lines.close("}");
        Ok(())
    }

    fn branch(&mut self, condition: &Exp, then: &'p [Statement], otherwise: &'p [Statement]) -> Emit {
        let condition = self.exp(condition)?;
        if let Some((view, at, value)) = chosen_write(then, otherwise, |at| self.choices.contains(&at))
            && self.takes_choices()
            && !self.constants.has_view(view)
        {
            let view = self.view(view)?;
            if view.is_plain_vector() && view.elem != PrimType::Unit && !self.is_remote(&view) {
                return self.write_or_not(&condition, &view, at, value);
            }
        }
        self.lines.open(format!("if ({}) {{", condition.text));
        self.body(then)?;
        if !otherwise.is_empty() {
            self.lines.next_block("} else {");
            self.body(otherwise)?;
        }
        self.lines.close("}");
        Ok(())
    }

    fn call(&mut self, results: &[Var], procedure: Symbol, args: &[Exp]) -> Emit {
        if self.kernel.is_some() {
            return Err(CompileError::new(format!("a kernel calls {procedure}")));
        }
        let callee = self.unit.callees.get(&procedure);
        let callee = callee.ok_or_else(|| CompileError::new(format!("there is no procedure {procedure}")))?;
        let (types, recursive) = (callee.results.clone(), callee.recursive);
        if recursive {
            let site = self.site(too_deep().message);
            self.stop_if(&format!("fun_enter(context, {site}) != 0"));
        }
        let mut values = vec!["context".to_owned()];
        for arg in args {
            values.push(if self.is_block(arg) { self.block(arg)? } else { self.exp(arg)?.text });
        }
        let mut assigned = Vec::new();
        for (var, ty) in results.iter().zip(types) {
            let name = self.temporary();
            let zero = if matches!(ty, ImpType::Mem(_)) { "NULL" } else { "0" };
            self.lines.push(format!("{} = {zero};", declaration(ty, &name)));
            values.push(format!("&{name}"));
            assigned.push((*var, name));
        }
        let function = self.unit.names.name(procedure);
        self.stop_if(&format!("{function}_fun({}) != 0", values.join(", ")));
        for (var, value) in assigned {
            self.assign(var, &value)?;
        }
        Ok(())
    }

    fn block(&self, exp: &Exp) -> Emit<String> {
        match exp {
            Exp::Var(var) => self.use_variable(*var),
            _ => Err(CompileError::new("a block that is not a variable")),
        }
    }
}

/// A comment without what would end it.
pub(super) fn comment_text(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

/// How often the innermost statements run at least, as far as constants say; at most [`FEW`] and one.
fn iterations(body: &[Statement]) -> f64 {
    let of = |statement: &Statement| match &statement.kind {
        StatementKind::For { bound, body, .. } => match constant_count(bound) {
            Some(n) => n * iterations(body),
            None => FEW + 1.0,
        },
        StatementKind::While { .. } | StatementKind::Call { .. } => FEW + 1.0,
        StatementKind::If { then, otherwise, .. } => iterations(then).max(iterations(otherwise)),
        _ => 1.0,
    };
    body.iter().map(of).fold(1.0, f64::max).min(FEW + 1.0)
}

/// Whether iterations of a loop look whether the run was stopped: an iteration may take long, or they are many of some length. Not around
/// a few lanes: a look there would keep what they work on out of registers. Nor where iterations are independent and loops in them are short
/// enough to be written out: GCC does that, and makes vectors of the loop around.
pub(super) fn takes_long(bound: &Exp, body: &[Statement], independent: bool) -> bool {
    has_loop_or_call(body)
        && !is_short(body, independent)
        && constant_count(bound).unwrap_or(FEW) * iterations(body) > FEW
}

/// Whether the loops in statements are few lanes, or written out, also by the compiler where iterations are independent, and there are no calls.
fn is_short(body: &[Statement], independent: bool) -> bool {
    let iterations = iterations(body);
    let mut short = iterations <= FEW / 4.0;
    for_each_statement(body, &mut |statement| {
        short &= match &statement.kind {
            StatementKind::For { kind, .. } => {
                independent && iterations <= LONGEST || matches!(kind, LoopKind::Simd | LoopKind::Unroll)
            }
            StatementKind::While { .. } | StatementKind::Call { .. } => false,
            _ => true,
        };
    });
    short
}

/// Whether statements launch kernels, or may by a call.
fn launches(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= match &statement.kind {
            StatementKind::For { kind, .. } => kind.is_kernel(),
            kind => matches!(kind, StatementKind::Call { .. }),
        };
    });
    found
}

/// Whether statements contain a loop or a call.
fn has_loop_or_call(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(
            statement.kind,
            StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::Call { .. }
        );
    });
    found
}

/// Whether statements may stop the run: GCC warns of a loop to unroll that turns out to have one iteration for that.
fn may_leave(body: &[Statement]) -> bool {
    let mut leaves = false;
    for_each_statement(body, &mut |statement| {
        leaves |= matches!(
            statement.kind,
            StatementKind::Assert { .. } | StatementKind::Call { .. } | StatementKind::Alloc { .. }
        );
        statement.kind.for_each_exp(&mut |exp| leaves |= can_fail(exp));
    });
    leaves
}
