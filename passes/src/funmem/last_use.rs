//! When arrays and blocks are used for the last time, over a whole function with its nested bodies.
//!
//! Statements are numbered in the order of the text; a body's results are used after its last statement, at a number of their own. An
//! array lives from its binder to its last use. A use inside a loop or kernel of an array from outside is one up to the end of the loop,
//! for the next iteration does the same again. A block is *live* while an array in it lives; between, its contents matter to nobody.
//!
//! - What a kernel gives is born when the kernel begins, as its points write it while others still read.
//! - What a kernel's body makes in a block from outside lives throughout the kernel: the points run at the same time.
//! - What an `if` or a loop gives is born when it ends; its value was the result of a body until then, so one branch does not see what
//!   the other one keeps.
//! - A loop's parameter is born anew in each iteration: what it holds at the end of one was the body's result.
//! - A block that is passed on (to a loop, a call, or as a result) is used there, also if no array in it goes along.
//!
//! Cost: n log n in the size of the function and of the answer.

use super::blocks::{Blocks, is_mem};
use fun::ir::Atom;
use fun::visit::{Walk, walk_exp};
use fun_base::name::Var;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemType};
use std::collections::BTreeMap;

/// A point in a function: statements later in the text have higher numbers.
pub type Time = u32;

/// From the first to the last time, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Span {
    /// The first.
    pub start: Time,
    /// The last.
    pub end: Time,
}

/// What a body belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// A function.
    Function,
    /// A branch of an `if`.
    Branch,
    /// A loop.
    Loop,
    /// A kernel: its body.
    Kernel,
    /// The operator of a kernel.
    Operator,
}

/// A body.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// What it belongs to.
    pub kind: ScopeKind,
    /// The body around, as an index of [`Lives::scope`]; the function's has none.
    pub parent: Option<usize>,
    /// From before its first statement to its results; for a kernel, that of the kernel.
    pub span: Span,
}

/// Lifetimes in a function.
#[derive(Debug)]
pub struct Lives {
    scopes: Vec<Scope>,
    births: BTreeMap<Var, (Time, usize)>,
    last: BTreeMap<Var, Time>,
    spans: BTreeMap<Var, Vec<Span>>,
    /// By the scope of a loop: its parameters that are blocks.
    carried: BTreeMap<usize, Vec<Var>>,
}

impl Lives {
    /// Of a function.
    pub fn of_function(function: &Function, blocks: &Blocks) -> Lives {
        let mut finder = Finder {
            blocks,
            time: 0,
            scopes: Vec::new(),
            births: BTreeMap::new(),
            uses: Vec::new(),
            carried: BTreeMap::new(),
        };
        finder.function(function);
        finder.finish()
    }

    /// When a variable is bound, and in which body; `None` if it is not of this function.
    pub fn birth(&self, var: Var) -> Option<(Time, usize)> {
        self.births.get(&var).copied()
    }

    /// When an array is used for the last time, or a block passed on under this name; its birth if it is not.
    pub fn last_use(&self, var: Var) -> Option<Time> {
        let birth = self.births.get(&var)?.0;
        Some(self.last.get(&var).map_or(birth, |last| birth.max(*last)))
    }

    /// When a root is live: sorted, disjoint.
    pub fn spans(&self, root: Var) -> &[Span] {
        self.spans.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The time of the statement that makes an array; if it is a kernel, with its points.
    pub fn making_of(&self, array: Var) -> Option<Span> {
        let start = self.births.get(&array)?.0;
        // Bodies are numbered in the order of the text.
        let first = self.scopes.partition_point(|scope| scope.span.start < start);
        let begun = self.scopes[first..].iter().take_while(|scope| scope.span.start == start);
        let kernel = begun.filter(|scope| scope.kind == ScopeKind::Kernel).map(|scope| scope.span).last();
        Some(kernel.unwrap_or(Span { start, end: start }))
    }

    /// Whether both roots are live at some time.
    pub fn interfere(&self, left: Var, right: Var) -> bool {
        intersect(self.spans(left), self.spans(right))
    }

    /// Whether a root is live at any time after this one.
    pub fn live_after(&self, root: Var, time: Time) -> bool {
        self.spans(root).last().is_some_and(|span| span.end > time)
    }

    /// Whether a root is live at any time of the span.
    pub fn live_in(&self, root: Var, span: Span) -> bool {
        let spans = self.spans(root);
        let next = spans.partition_point(|other| other.end < span.start);
        spans.get(next).is_some_and(|other| other.start <= span.end)
    }

    /// A body by its number.
    pub fn scope(&self, scope: usize) -> Scope {
        self.scopes[scope]
    }

    /// Whether a loop, given by its body, may carry a block of this root from one iteration to the next.
    pub fn carries(&self, blocks: &Blocks, scope: usize, root: Var) -> bool {
        self.carried.get(&scope).is_some_and(|params| params.iter().any(|mem| blocks.stands_for(*mem, root)))
    }

    /// The bodies around, innermost first, this one included.
    pub fn around(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent)
    }
}

/// A use of an array or block.
struct Use {
    var: Var,
    time: Time,
    scope: usize,
}

struct Finder<'b> {
    blocks: &'b Blocks,
    time: Time,
    scopes: Vec<Scope>,
    births: BTreeMap<Var, (Time, usize)>,
    uses: Vec<Use>,
    carried: BTreeMap<usize, Vec<Var>>,
}

impl Finder<'_> {
    fn tick(&mut self) -> Time {
        self.time += 1;
        self.time
    }

    fn function(&mut self, function: &Function) {
        let scope = self.open(ScopeKind::Function, None);
        for param in &function.params {
            self.births.insert(param.binder.var, (0, scope));
        }
        self.statements(&function.body, scope);
    }

    fn open(&mut self, kind: ScopeKind, parent: Option<usize>) -> usize {
        let span = Span { start: self.time, end: self.time };
        self.scopes.push(Scope { kind, parent, span });
        self.scopes.len() - 1
    }

    /// The statements and results of a body whose scope is open.
    fn statements(&mut self, body: &Body, scope: usize) {
        for statement in &body.statements {
            let start = self.tick();
            let mut operands = Operands(Vec::new());
            walk_exp(&mut operands, &statement.exp);
            for var in operands.0 {
                self.used(var, start, scope);
            }
            self.bodies(&statement.exp, scope);
            let born = match &statement.exp {
                Exp::If { .. } | Exp::Loop { .. } => self.tick(),
                _ => start,
            };
            self.bind(&statement.pattern, born, scope);
            if let Exp::Kernel { .. } = &statement.exp {
                // What it gives is written until it ends.
                statement.pattern.iter().for_each(|binder| self.used(binder.var, self.time, scope));
            }
        }
        let end = self.tick();
        for result in &body.results {
            if let Atom::Var(var) = result {
                self.used(*var, end, scope);
            }
        }
        self.scopes[scope].span.end = end;
    }

    fn body(&mut self, body: &Body, kind: ScopeKind, parent: usize) -> usize {
        let scope = self.open(kind, Some(parent));
        self.statements(body, scope);
        scope
    }

    fn bodies(&mut self, exp: &Exp, parent: usize) {
        if let Exp::If { then, otherwise, .. } = exp {
            self.body(then, ScopeKind::Branch, parent);
            self.body(otherwise, ScopeKind::Branch, parent);
        } else if let Exp::Loop { params, body, .. } = exp {
            let scope = self.open(ScopeKind::Loop, Some(parent));
            for param in params {
                self.bind(std::slice::from_ref(&param.binder), self.time, scope);
                if is_mem(&param.binder) {
                    self.carried.entry(scope).or_default().push(param.binder.var);
                }
            }
            self.statements(body, scope);
        } else if let Exp::Kernel { combine, body, .. } = exp {
            let start = self.time;
            let mut scopes: Vec<usize> = combine
                .lambda()
                .into_iter()
                .chain(combine.epilogue())
                .map(|lambda| self.body(&lambda.body, ScopeKind::Operator, parent))
                .collect();
            scopes.push(self.body(body, ScopeKind::Kernel, parent));
            for scope in scopes {
                self.scopes[scope].span = Span { start, end: self.time };
            }
        }
    }

    fn bind(&mut self, binders: &[Binder], time: Time, scope: usize) {
        for binder in binders {
            self.births.insert(binder.var, (time, scope));
        }
    }

    fn used(&mut self, var: Var, time: Time, scope: usize) {
        let is_block = !self.blocks.root_set(var).is_empty();
        if is_block || self.blocks.block_of(var).is_some() {
            self.uses.push(Use { var, time, scope });
        }
    }

    fn finish(self) -> Lives {
        let mut last: BTreeMap<Var, Time> = BTreeMap::new();
        // When what lies in a block by this name is live.
        let mut named: Vec<(Span, Var)> = Vec::new();
        let Finder { blocks, scopes, births, uses, carried, time: _ } = self;
        for Use { var, time, scope } in uses {
            if blocks.block_of(var).is_none() {
                named.push((Span { start: time, end: time }, var));
            }
            let home = births.get(&var).map_or(0, |(_, scope)| *scope);
            let mut end = time;
            let mut inner = scope;
            while inner != home {
                if scopes[inner].kind != ScopeKind::Branch {
                    end = end.max(scopes[inner].span.end);
                }
                let Some(parent) = scopes[inner].parent else { break };
                inner = parent;
            }
            let known = last.entry(var).or_insert(end);
            *known = end.max(*known);
        }
        let home = |root: u32| births.get(&blocks.root_of_number(root)).map_or(0, |(_, scope)| *scope);
        let homes: Vec<usize> = (0..blocks.root_count() as u32).map(home).collect();
        let mut in_kernel: Vec<bool> = Vec::with_capacity(scopes.len());
        for scope in &scopes {
            let around = scope.parent.is_some_and(|parent| in_kernel[parent]);
            in_kernel.push(around || matches!(scope.kind, ScopeKind::Kernel | ScopeKind::Operator));
        }
        let mut of_points: Vec<(u32, Span)> = Vec::new();
        for (var, (birth, scope)) in &births {
            let Some(mem) = blocks.block_of(*var) else { continue };
            let end = last.get(var).map_or(*birth, |last| *birth.max(last));
            if !in_kernel[*scope] {
                named.push((Span { start: *birth, end }, mem));
                continue;
            }
            // In a block from outside, the points of a kernel see each other.
            let widened = |home: Option<usize>| {
                let mut span = Span { start: *birth, end };
                let around = std::iter::successors(Some(*scope), |scope| scopes[*scope].parent);
                for inner in around.take_while(|inner| Some(*inner) != home) {
                    if matches!(scopes[inner].kind, ScopeKind::Kernel | ScopeKind::Operator) {
                        span.start = span.start.min(scopes[inner].span.start);
                        span.end = span.end.max(scopes[inner].span.end);
                    }
                }
                span
            };
            if births.get(&mem).is_none_or(|(_, scope)| !in_kernel[*scope]) {
                named.push((widened(None), mem));
                continue;
            }
            let numbers = blocks.root_set(mem).numbers();
            of_points.extend(numbers.map(|root| (root, widened(Some(homes[root as usize])))));
        }
        let mut spans = of_roots(blocks, named);
        for (root, span) in of_points {
            spans[root as usize].push(span);
        }
        let live = spans.into_iter().enumerate().filter(|(_, spans)| !spans.is_empty());
        let spans = live.map(|(root, spans)| (blocks.root_of_number(root as u32), joined(spans))).collect();
        Lives { scopes, births, last, spans, carried }
    }
}

/// By the number of each root, when it is live by one of its names.
fn of_roots(blocks: &Blocks, mut named: Vec<(Span, Var)>) -> Vec<Vec<Span>> {
    // In order, so that each joins the one before.
    named.sort_unstable();
    named.dedup();
    let count = blocks.root_count();
    // Many names stand for many roots in chains of loops and branches. A segment tree: roots are leaves from `count` on, what is at a
    // place counts for all leaves below, and a run of roots is what a few places have below them.
    let mut tree: Vec<Vec<Span>> = vec![Vec::new(); 2 * count];
    for (span, mem) in named {
        for run in blocks.root_set(mem).runs() {
            let (mut left, mut right) = (run.start as usize + count, run.end as usize + count);
            while left < right {
                if left % 2 == 1 {
                    join(&mut tree[left], span);
                    left += 1;
                }
                if right % 2 == 1 {
                    right -= 1;
                    join(&mut tree[right], span);
                }
                (left, right) = (left / 2, right / 2);
            }
        }
    }
    let above = |leaf: usize| {
        std::iter::successors(Some(leaf), |place| Some(place / 2)).take_while(|place| *place > 0)
    };
    (count..2 * count)
        .map(|leaf| above(leaf).flat_map(|place| tree[place].iter().copied()).collect())
        .collect()
}

/// Whether two lists of spans, each sorted and disjoint, have a time in common.
pub fn intersect(left: &[Span], right: &[Span]) -> bool {
    // One of them is mostly short.
    let (few, mut many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    few.iter().any(|span| {
        many = &many[many.partition_point(|other| other.end < span.start)..];
        many.first().is_some_and(|next| next.start <= span.end)
    })
}

/// The spans in order, those that overlap as one.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    // A few lists one after the other, each in order: a stable sort merges these.
    spans.sort();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    spans.into_iter().for_each(|span| join(&mut joined, span));
    joined
}

/// Adds a span that begins no earlier than those before.
fn join(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
        _ => spans.push(span),
    }
}

/// The variables that an expression uses, those of its bodies and types left out.
struct Operands(Vec<Var>);

impl Walk<Mem> for Operands {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var());
    }
    fn ty(&mut self, _: &MemType) {}
    fn body(&mut self, _: &Body) {}
    fn lambda(&mut self, _: &funmem::ir::Lambda) {}
}

#[cfg(test)]
mod tests;
