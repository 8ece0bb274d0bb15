//! Which blocks a variable of type `mem` may stand for, and which block every array lies in.
//!
//! A *root* is what brings a block into a function: an allocation, a parameter of the function, or a call that gives one. Every other
//! `mem` variable (a result of an `if` or a loop, a loop's parameter, another name) stands for one of some roots. A root inside a loop
//! or kernel is as many blocks as there are iterations, so one root does not mean one block; different roots may be one block only
//! where a call hands back a block that it was given, and then the call's result stands for that one as well.
//!
//! Roots are numbered so that those which meet under some name follow each other. Then what a name stands for is mostly one run of numbers,
//! also at the end of a long chain of loops or branches, where it is each root of the chain.
//!
//! Cost: n log n in the size of the program, times the depth of loops, and linear in the runs of the answer.

mod root_set;

pub use root_set::RootSet;

use fun::ir::{Atom, LoopParam};
use fun::visit::{for_each_body, for_each_body_mut};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemOp, MemType, Program, Space, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// What brings a block into a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// An `alloc` in the function.
    Alloc {
        /// Kind of memory.
        space: Space,
        /// Factors of the number of elements.
        shape: Vec<Atom>,
        /// What it is measured in.
        elem: PrimType,
    },
    /// A parameter of the function.
    Param {
        /// The function may overwrite the block: an array in it is consumed.
        consumed: bool,
    },
    /// A block that a call gives.
    Call,
}

/// The blocks of a program.
#[derive(Default, Debug)]
pub struct Blocks {
    origins: BTreeMap<Var, Origin>,
    /// Every root by its number. Those that one name stands for are numbered in the order of their tags.
    numbered: Vec<Var>,
    numbers: BTreeMap<Var, u32>,
    /// The numbers of what each block stands for.
    roots: BTreeMap<Var, RootSet>,
    mems: BTreeMap<Var, Var>,
}

/// What functions do with the blocks that they are given: for each result that is a block, the parameters that it may be.
#[derive(Default, Debug)]
pub struct Summaries(BTreeMap<Symbol, Summary>);

type Summary = Vec<BTreeSet<usize>>;

impl Blocks {
    /// Of all functions.
    pub fn of_program(program: &Program) -> Blocks {
        let mut summaries = Summaries::default();
        let mut finder = Finder::new(&mut summaries);
        for function in &program.functions {
            finder.function(function);
        }
        finder.blocks
    }

    /// Of one function, given the summaries of those before it. Its own is added, or made anew.
    pub fn of_function(function: &Function, summaries: &mut Summaries) -> Blocks {
        summaries.0.remove(&function.name);
        let mut finder = Finder::new(summaries);
        finder.function(function);
        finder.blocks
    }

    /// What a block stands for, in the order of tags: never empty for a variable of type `mem`; a root stands for itself.
    pub fn roots(&self, mem: Var) -> impl Iterator<Item = Var> {
        self.root_set(mem).numbers().map(|number| self.numbered[number as usize])
    }

    /// The numbers of what a block stands for; empty for what is no block.
    pub fn root_set(&self, mem: Var) -> &RootSet {
        self.roots.get(&mem).unwrap_or(RootSet::EMPTY)
    }

    /// The only root that a block stands for, if there is one.
    pub fn only_root(&self, mem: Var) -> Option<Var> {
        self.root_set(mem).single().map(|number| self.root_of_number(number))
    }

    /// The root of a number.
    pub fn root_of_number(&self, number: u32) -> Var {
        self.numbered[number as usize]
    }

    /// How many numbers of roots there are.
    pub fn root_count(&self) -> usize {
        self.numbered.len()
    }

    /// Whether a block may stand for a root.
    pub fn stands_for(&self, mem: Var, root: Var) -> bool {
        self.numbers.get(&root).is_some_and(|number| self.root_set(mem).contains(*number))
    }

    /// The block that the binder of an array names; `None` for what is no array.
    pub fn block_of(&self, array: Var) -> Option<Var> {
        self.mems.get(&array).copied()
    }

    /// The roots of an array's block; empty for what is no array.
    pub fn array_roots(&self, array: Var) -> impl Iterator<Item = Var> {
        self.roots(self.block_of(array).unwrap_or(array))
    }

    /// Where a root comes from; `None` for what is no root.
    pub fn origin(&self, root: Var) -> Option<&Origin> {
        self.origins.get(&root)
    }

    /// Whether two variables of type `mem` may stand for one block.
    pub fn may_be_same(&self, left: Var, right: Var) -> bool {
        left == right || self.root_set(left).meets(self.root_set(right))
    }

    /// Whether two variables of type `mem` may stand for no common block but this root.
    pub fn share_only(&self, left: Var, right: Var, root: Var) -> bool {
        let mut shared = self.root_set(left).common(self.root_set(right));
        shared.all(|run| run.end == run.start + 1 && self.root_of_number(run.start) == root)
    }

    /// The variables of type `mem` and the numbers of what they stand for, in the order of their tags.
    pub fn names(&self) -> impl Iterator<Item = (Var, &RootSet)> {
        self.roots.iter().map(|(name, roots)| (*name, roots))
    }

    /// The arrays and the blocks that their binders name, in the order of their tags.
    pub fn arrays(&self) -> impl Iterator<Item = (Var, Var)> {
        self.mems.iter().map(|(array, mem)| (*array, *mem))
    }

    /// Every root, in the order of their tags.
    pub fn all_roots(&self) -> impl Iterator<Item = (Var, &Origin)> {
        self.origins.iter().map(|(root, origin)| (*root, origin))
    }
}

struct Finder<'s> {
    blocks: Blocks,
    summaries: &'s mut Summaries,
    /// Of the function at hand: its blocks in the order of the text, with what each may be under another name, by place in this list.
    mems: Vec<(Var, Vec<usize>)>,
    /// Where they are in it.
    places: BTreeMap<Var, usize>,
    /// Its roots.
    found: Vec<Var>,
}

impl<'s> Finder<'s> {
    fn new(summaries: &'s mut Summaries) -> Finder<'s> {
        Finder {
            blocks: Blocks::default(),
            summaries,
            mems: Vec::new(),
            places: BTreeMap::new(),
            found: Vec::new(),
        }
    }

    fn function(&mut self, function: &Function) {
        let consumed: BTreeSet<Var> = function
            .params
            .iter()
            .filter(|param| param.unique)
            .filter_map(|param| block(&param.binder.ty))
            .collect();
        for param in &function.params {
            self.bind(&param.binder);
            if is_mem(&param.binder) {
                let var = param.binder.var;
                self.root(var, Origin::Param { consumed: consumed.contains(&var) });
            }
        }
        for result in &function.results {
            self.bind(&result.binder);
        }
        self.body(&function.body);
        self.spread();
        let summary = self.summary(function);
        self.summaries.0.insert(function.name, summary);
    }

    fn root(&mut self, var: Var, origin: Origin) {
        self.blocks.origins.insert(var, origin);
        self.found.push(var);
        self.place(var);
    }

    fn place(&mut self, mem: Var) -> usize {
        *self.places.entry(mem).or_insert_with(|| {
            self.mems.push((mem, Vec::new()));
            self.mems.len() - 1
        })
    }

    fn bind(&mut self, binder: &Binder) {
        if let Some(mem) = block(&binder.ty) {
            self.blocks.mems.insert(binder.var, mem);
        }
    }

    /// The first may be the second.
    fn may_be(&mut self, binder: &Binder, atom: Option<&Atom>) {
        if let (true, Some(Atom::Var(other))) = (is_mem(binder), atom) {
            let (other, place) = (self.place(*other), self.place(binder.var));
            self.mems[other].1.push(place);
        }
    }

    fn all_may_be<'b>(&mut self, binders: impl Iterator<Item = &'b Binder>, atoms: &[Atom]) {
        for (binder, atom) in binders.zip(atoms) {
            self.may_be(binder, Some(atom));
        }
    }

    fn body(&mut self, body: &Body) {
        for statement in &body.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let pattern = &statement.pattern;
        pattern.iter().for_each(|binder| self.bind(binder));
        for_each_body(&statement.exp, &mut |inner| self.body(inner));
        if let Exp::Op(MemOp::Alloc { space, shape, elem }) = &statement.exp {
            let origin = Origin::Alloc { space: *space, shape: shape.clone(), elem: *elem };
            pattern.iter().for_each(|binder| self.root(binder.var, origin.clone()));
        } else if let Exp::Atom(atom) = &statement.exp {
            pattern.iter().for_each(|binder| self.may_be(binder, Some(atom)));
        } else if let Exp::If { then, otherwise, .. } = &statement.exp {
            self.all_may_be(pattern.iter(), &then.results);
            self.all_may_be(pattern.iter(), &otherwise.results);
        } else if let Exp::Loop { params, body, .. } = &statement.exp {
            self.repeat(pattern, params, body);
        } else if let Exp::Call { function: callee, args } = &statement.exp {
            self.call(pattern, *callee, args);
        }
    }

    fn repeat(&mut self, pattern: &[Binder], params: &[LoopParam<Mem>], body: &Body) {
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        params.iter().for_each(|param| self.bind(&param.binder));
        self.all_may_be(params.iter().map(|param| &param.binder), &inits);
        self.all_may_be(params.iter().map(|param| &param.binder), &body.results);
        self.all_may_be(pattern.iter(), &inits);
        self.all_may_be(pattern.iter(), &body.results);
    }

    fn call(&mut self, pattern: &[Binder], callee: Symbol, args: &[Atom]) {
        let summary = self.summaries.0.get(&callee).cloned();
        for (k, binder) in pattern.iter().enumerate().filter(|(_, binder)| is_mem(binder)) {
            self.root(binder.var, Origin::Call);
            for (i, arg) in args.iter().enumerate() {
                // What a function gives that calls itself is not known yet.
                let given = summary
                    .as_ref()
                    .is_none_or(|summary| summary.get(k).is_none_or(|params| params.contains(&i)));
                if given {
                    self.may_be(binder, Some(arg));
                }
            }
        }
    }

    /// Every block stands for the roots from which names lead to it.
    fn spread(&mut self) {
        let (mems, places) = (std::mem::take(&mut self.mems), std::mem::take(&mut self.places));
        let groups = groups(&mems);
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable_by_key(|root| (groups[places[root]], *root));
        let mut roots: Vec<RootSet> = vec![RootSet::default(); mems.len()];
        // In the order of the text, what led somewhere has all its roots by then, loops apart: these are gone through again.
        let mut open = BTreeSet::new();
        for root in found {
            let number = u32::try_from(self.blocks.numbered.len()).unwrap_or(u32::MAX);
            self.blocks.numbered.push(root);
            self.blocks.numbers.insert(root, number);
            roots[places[&root]].take_in(&RootSet::of(number));
            open.insert(places[&root]);
        }
        while let Some(place) = open.pop_first() {
            let given = std::mem::take(&mut roots[place]);
            for other in mems[place].1.iter().filter(|other| **other != place) {
                if roots[*other].take_in(&given) {
                    open.insert(*other);
                }
            }
            roots[place] = given;
        }
        let reached = mems.into_iter().zip(roots).filter(|(_, roots)| !roots.is_empty());
        self.blocks.roots.extend(reached.map(|((mem, _), roots)| (mem, roots)));
    }

    fn summary(&self, function: &Function) -> Summary {
        let positions: BTreeMap<Var, usize> =
            function.params.iter().enumerate().map(|(i, param)| (param.binder.var, i)).collect();
        let params = |atom: &Atom| {
            let roots = atom.as_var().map(|var| self.blocks.roots(var));
            roots.into_iter().flatten().filter_map(|root| positions.get(&root).copied()).collect()
        };
        function.body.results.iter().map(params).collect()
    }
}

/// A number for each of the blocks: the same for those that names connect.
fn groups(mems: &[(Var, Vec<usize>)]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..mems.len()).collect();
    let first = |group: &mut Vec<usize>, mut place: usize| {
        while group[place] != place {
            group[place] = group[group[place]];
            place = group[place];
        }
        place
    };
    for (place, (_, others)) in mems.iter().enumerate() {
        for other in others {
            let (left, right) = (first(&mut group, place), first(&mut group, *other));
            group[left.max(right)] = left.min(right);
        }
    }
    (0..mems.len()).map(|place| first(&mut group, place)).collect()
}

/// The block of an array type.
pub fn block(ty: &MemType) -> Option<Var> {
    match ty {
        MemType::Array { mem, .. } => Some(*mem),
        MemType::Prim(_) | MemType::Mem(_) => None,
    }
}

/// Whether the binder binds a block.
pub fn is_mem(binder: &Binder) -> bool {
    matches!(binder.ty, MemType::Mem(_))
}

/// Drops the allocations of blocks that are not needed, inner bodies included.
pub fn drop_allocations(body: &mut Body, needed: &dyn Fn(Var) -> bool) {
    body.statements.retain(|statement| match (&statement.exp, statement.pattern.as_slice()) {
        (Exp::Op(MemOp::Alloc { .. }), [binder]) => needed(binder.var),
        _ => true,
    });
    for statement in &mut body.statements {
        for_each_body_mut(&mut statement.exp, &mut |inner| drop_allocations(inner, needed));
    }
}

#[cfg(test)]
mod tests;
