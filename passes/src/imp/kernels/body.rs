//! What a kernel executes: statements without calls and allocations. What they allocated is allocated before, for each thread.

use super::super::copy::can_fail;
use super::super::private::{bytes, private_blocks};
use super::bounds::Bounds;
use super::on_device;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Expansion;
use imp::build::{Builder, bin};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The statements of a kernel.
pub(super) struct Body {
    /// Scalars that are the same in all iterations; they cannot fail and are computed before.
    pub(super) invariant: Vec<Statement>,
    /// What a thread needs memory for.
    pub(super) private: Vec<Private>,
    /// The variables that hold these blocks, and no others.
    holders: BTreeSet<Var>,
    /// What an iteration does.
    pub(super) statements: Vec<Statement>,
}

/// What is around the statements.
pub(super) struct Outer {
    /// The counter of the loop that becomes threads.
    counter: Option<Var>,
    /// Scalars from outside that may be assigned.
    assigned: BTreeSet<Var>,
    /// Whether each thread runs the statements by itself, and may stop the program.
    by_thread: bool,
}

impl Outer {
    /// The iterations of a loop with this counter are threads.
    pub(super) fn parallel(counter: Var) -> Outer {
        Outer { counter: Some(counter), assigned: BTreeSet::new(), by_thread: true }
    }

    /// The same for blocks of threads, which hand these on.
    pub(super) fn blocks(counter: Var, assigned: BTreeSet<Var>) -> Outer {
        Outer { counter: Some(counter), assigned, by_thread: false }
    }

    /// One thread runs all; it may assign these.
    pub(super) fn sequential(assigned: BTreeSet<Var>) -> Outer {
        Outer { counter: None, assigned, by_thread: true }
    }
}

/// An array of each thread.
#[derive(Clone)]
pub(super) struct Private {
    pub(super) var: Var,
    elem: PrimType,
    shape: Vec<Exp>,
}

impl Private {
    /// How many bytes it has, as f64: too many for an integer are no few.
    pub(super) fn bytes(&self) -> Exp {
        bytes(self.elem, &self.shape)
    }

    /// Allocates it for so many threads. A size that no iteration comes to may be negative, and is none then.
    pub(super) fn allocate(&self, b: &mut Builder, threads: Exp) {
        let factor = |size: &Exp| bin(BinOp::Max, PrimType::I64, size.clone(), Exp::i64(0));
        let shape = [threads].into_iter().chain(self.shape.iter().map(factor)).collect();
        b.push(StatementKind::Alloc { var: self.var, elem: self.elem, shape, space: Space::Device });
    }
}

impl Body {
    /// The statements as those of a kernel, if a kernel can have them.
    pub(super) fn of(list: &[Statement], outer: &Outer) -> Option<Body> {
        let mut body = Body {
            invariant: Vec::new(),
            private: Vec::new(),
            holders: BTreeSet::new(),
            statements: Vec::new(),
        };
        // what may have another value when the statements run again
        let mut inner: BTreeSet<Var> =
            outer.counter.into_iter().chain(outer.assigned.iter().copied()).collect();
        for_each_statement(list, &mut |statement| {
            inner.extend(statement.kind.declares());
            if let StatementKind::For { var, .. } = &statement.kind {
                inner.insert(*var);
            }
        });
        if !is_possible(list, &inner) {
            return None;
        }
        let groups = Groups::of(list);
        let mut statements = list.to_vec();
        body.invariant = hoisted(&mut statements, &mut inner);
        let bounds = outer.by_thread.then(|| Bounds::of(list));
        if !body.lift(&mut statements, &inner, bounds.as_ref(), false) {
            return None;
        }
        for block in &body.private {
            // cells of one width: those of different threads lie between each other
            if groups.widths(block.var).any(|width| width != block.elem.bytes()) {
                return None;
            }
            body.holders.extend(groups.members(block.var));
        }
        if !body.holders.iter().all(|holder| inner.contains(holder)) {
            return None;
        }
        body.drop_owners(&mut statements);
        body.statements = statements;
        Some(body)
    }

    /// Blocks of threads have no owners.
    fn drop_owners(&self, list: &mut Vec<Statement>) {
        list.retain(|statement| {
            !matches!(&statement.kind, StatementKind::Share(var) | StatementKind::Free(var) if self.holders.contains(var))
        });
        for statement in list {
            statement.kind.for_each_body_mut(&mut |body| self.drop_owners(body));
        }
    }

    /// The views of private blocks see the cells of their thread. Where these lie does not depend on the block, so that a variable may hold
    /// one or another.
    pub(super) fn expand(&self, statements: &mut [Statement], expansion: &Expansion) {
        for statement in statements {
            if let StatementKind::View { mem, lmad, .. } = &mut statement.kind
                && self.holders.contains(mem)
            {
                *lmad = lmad.expand(expansion);
            }
            statement.kind.for_each_body_mut(&mut |body| self.expand(body, expansion));
        }
    }

    /// Takes the allocations out and makes loops sequential; false if an allocation has to stay: one that runs again while what it
    /// allocated before may be alive, or one whose size an iteration decides and nothing bounds. A size that a constant bounds is asked about where it
    /// was allocated: arithmetic that wraps may have made it larger, and the program stops then.
    fn lift(
        &mut self,
        list: &mut Vec<Statement>,
        inner: &BTreeSet<Var>,
        bounds: Option<&Bounds>,
        in_loop: bool,
    ) -> bool {
        let own = private_blocks(list);
        for mut statement in std::mem::take(list) {
            let mut repeats = in_loop;
            match &mut statement.kind {
                StatementKind::Alloc { var, elem, shape, space: Space::Default } => {
                    let once = !in_loop || own.contains(var);
                    let most = |size: &Exp| match is_size(size, inner) {
                        true => Some(size.clone()),
                        false => bounds?.most(size).map(Exp::i64),
                    };
                    let Some(most) = shape.iter().map(most).collect::<Option<Vec<Exp>>>().filter(|_| once)
                    else {
                        return false;
                    };
                    for (size, most) in shape.iter().zip(&most).filter(|(size, most)| size != most) {
                        list.push(Statement { kind: fits(size, most), loc: statement.loc });
                    }
                    self.private.push(Private { var: *var, elem: *elem, shape: most });
                    continue;
                }
                StatementKind::Declare { ty, .. } => *ty = on_device(*ty),
                // the threads of a block: each comes here once
                StatementKind::For { kind: LoopKind::Thread, .. } => {}
                StatementKind::For { kind, .. } => {
                    repeats = true;
                    if kind.is_parallel() {
                        *kind = LoopKind::Seq;
                    }
                }
                StatementKind::While { .. } => repeats = true,
                _ => {}
            }
            let mut possible = true;
            statement.kind.for_each_body_mut(&mut |body| possible &= self.lift(body, inner, bounds, repeats));
            if !possible {
                return false;
            }
            list.push(statement);
        }
        true
    }
}

/// The assertion that a size is no more than what is there.
fn fits(size: &Exp, most: &Exp) -> StatementKind {
    StatementKind::Assert {
        condition: bin(BinOp::Le, PrimType::I64, size.clone(), most.clone()),
        message: "there is no memory for an array of {} elements".to_owned(),
        args: vec![size.clone()],
    }
}

/// Takes out the scalars that are the same in all iterations and cannot fail; `inner` is what may have another value in each.
pub(in crate::imp) fn hoisted(list: &mut Vec<Statement>, inner: &mut BTreeSet<Var>) -> Vec<Statement> {
    let mut out = Vec::new();
    for mut statement in std::mem::take(list) {
        if let StatementKind::Let { var, value, .. } = &statement.kind
            && is_size(value, inner)
        {
            inner.remove(var);
            out.push(statement);
            continue;
        }
        statement.kind.for_each_body_mut(&mut |body| out.extend(hoisted(body, inner)));
        list.push(statement);
    }
    out
}

/// Which variables may hold the same blocks.
struct Groups {
    /// A variable of the same group, or the variable itself.
    leaders: BTreeMap<Var, Var>,
    /// How many bytes the elements of views have.
    views: Vec<(Var, u32)>,
}

impl Groups {
    fn of(list: &[Statement]) -> Groups {
        let mut groups = Groups { leaders: BTreeMap::new(), views: Vec::new() };
        for_each_statement(list, &mut |statement| match &statement.kind {
            StatementKind::Alloc { var, .. } => groups.join(*var, *var),
            StatementKind::Declare { var, ty: ImpType::Mem(_), value } => match value {
                Some(Exp::Var(from)) => groups.join(*var, *from),
                _ => groups.join(*var, *var),
            },
            // declared before, so its kind is known
            StatementKind::Assign { var, value: Exp::Var(from) } if groups.leaders.contains_key(var) => {
                groups.join(*var, *from);
            }
            StatementKind::View { mem, elem, .. } => groups.views.push((*mem, elem.bytes())),
            _ => {}
        });
        groups
    }

    fn leader(&self, var: Var) -> Var {
        let mut leader = var;
        while let Some(next) = self.leaders.get(&leader).filter(|next| **next != leader) {
            leader = *next;
        }
        leader
    }

    fn join(&mut self, var: Var, other: Var) {
        let (first, second) = (self.leader(var), self.leader(other));
        self.leaders.insert(first, second);
        self.leaders.entry(second).or_insert(second);
    }

    /// The variables that may hold what this one holds, itself among them.
    fn members(&self, var: Var) -> impl Iterator<Item = Var> {
        let leader = self.leader(var);
        self.leaders.keys().copied().filter(move |other| self.leader(*other) == leader)
    }

    /// The widths of the views of what this variable may hold.
    fn widths(&self, var: Var) -> impl Iterator<Item = u32> {
        let leader = self.leader(var);
        self.views.iter().filter(move |(mem, _)| self.leader(*mem) == leader).map(|(_, width)| *width)
    }
}

/// Whether a number is the same in all iterations, and computing it cannot fail.
pub(in crate::imp) fn is_size(size: &Exp, inner: &BTreeSet<Var>) -> bool {
    !size.reads() && !can_fail(size) && is_free_of(size, inner)
}

fn is_free_of(exp: &Exp, inner: &BTreeSet<Var>) -> bool {
    let mut free = true;
    exp.for_each_var(&mut |var| free &= !inner.contains(&var));
    free
}

/// Whether a kernel may have the statements; allocations aside. Kernels make no calls, and assign nothing from outside but the scalars
/// that are allowed.
fn is_possible(list: &[Statement], inner: &BTreeSet<Var>) -> bool {
    let mut possible = true;
    for_each_statement(list, &mut |statement| {
        possible &= match &statement.kind {
            StatementKind::Call { .. } => false,
            StatementKind::Assign { var, .. } => inner.contains(var),
            StatementKind::Alloc { space, .. } => {
                matches!(space, Space::Default | Space::Stack | Space::Shared | Space::Register)
            }
            // an iteration's own count of owners: a kernel has none
            StatementKind::Share(_) | StatementKind::Free(_) => true,
            StatementKind::Declare { ty: ImpType::Mem(space), .. } => *space == Space::Default,
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Lock { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::If { .. }
            | StatementKind::Assert { .. } => true,
        };
    });
    possible
}
