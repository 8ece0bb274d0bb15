//! Which cells of a block a statement accesses, as LMADs over the variables outside of it.

use super::Circuits;
use super::candidate::with_definitions;
use fun::ir::{Atom, Combine, LoopForm};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use fun_index::lmad::{Lmad, LmadDim, Slice};
use fun_index::poly::Poly;
use fun_index::prove::{Facts, aggregate};
use funmem::ir::{Body, Exp, MemType, Statement, atom_poly, slices};
use std::collections::{BTreeMap, BTreeSet};

/// Part of a block that is accessed.
pub(super) struct Region {
    /// Its cells.
    pub(super) lmad: Lmad,
    /// The array that is accessed.
    pub(super) array: Var,
    /// Where in the source.
    pub(super) loc: Option<Loc>,
}

/// Collects accesses to a block.
struct Collector<'c, 'b> {
    circuits: &'c mut Circuits<'b>,
    /// What lies in this block does not count.
    own: Var,
    /// The block.
    mem: Var,
    /// How many bytes an address counts.
    elem: Option<u32>,
    /// The counters of the bodies around and their bounds, outermost first.
    counters: Vec<(Var, Atom)>,
    /// The variables bound inside.
    inner: BTreeSet<Var>,
    /// The arrays that arrays bound inside are part of.
    parents: BTreeMap<Var, Var>,
    /// What was found; `None` when some cells are not known.
    regions: Option<Vec<Region>>,
    /// The statement at hand.
    loc: Option<Loc>,
    /// Whether some cells of each access are enough, as far as they are easily known.
    some: bool,
}

/// What a point of a kernel runs: the body, and the epilogue of a scan.
pub(super) type Point<'p> = (&'p Body, Option<&'p funmem::ir::Lambda>);

impl Circuits<'_> {
    /// What the statement accesses of a block; `None` if that is not known. What lies in the block `own` does not count.
    pub(super) fn accesses(
        &mut self,
        statement: &Statement,
        own: Var,
        mem: Var,
        elem: Option<u32>,
    ) -> Option<Vec<Region>> {
        let mark = self.facts.mark();
        let mut collector = Collector::new(self, own, mem, elem);
        collector.statement(statement);
        let regions = collector.regions;
        self.facts.reset(mark);
        regions
    }

    /// As [`Circuits::accesses`], for one point of a kernel: over its counters, too.
    pub(super) fn accesses_of_point(
        &mut self,
        point: Point<'_>,
        own: Var,
        mem: Var,
        elem: Option<u32>,
    ) -> Option<Vec<Region>> {
        self.of_point(point, own, mem, elem, false)
    }

    /// As [`Circuits::accesses_of_point`], but of each access only some cells, without a proof: those of the first iteration of all loops
    /// in the body.
    pub(super) fn some_accesses_of_point(
        &mut self,
        point: Point<'_>,
        own: Var,
        mem: Var,
        elem: Option<u32>,
    ) -> Option<Vec<Region>> {
        self.of_point(point, own, mem, elem, true)
    }

    fn of_point(
        &mut self,
        (body, epilogue): Point<'_>,
        own: Var,
        mem: Var,
        elem: Option<u32>,
        some: bool,
    ) -> Option<Vec<Region>> {
        let mark = self.facts.mark();
        let mut collector = Collector { some, ..Collector::new(self, own, mem, elem) };
        collector.body(body);
        body.results.iter().filter_map(|result| result.as_var()).for_each(|var| collector.whole(var));
        epilogue.into_iter().for_each(|epilogue| collector.operator(&epilogue.params, &epilogue.body));
        let regions = collector.regions;
        self.facts.reset(mark);
        regions
    }
}

impl<'c, 'b> Collector<'c, 'b> {
    fn new(circuits: &'c mut Circuits<'b>, own: Var, mem: Var, elem: Option<u32>) -> Collector<'c, 'b> {
        Collector {
            circuits,
            own,
            mem,
            elem,
            counters: Vec::new(),
            inner: BTreeSet::new(),
            parents: BTreeMap::new(),
            regions: Some(Vec::new()),
            loc: None,
            some: false,
        }
    }

    /// The place of an array, if it is of interest.
    fn place(&mut self, array: Var) -> Option<Lmad> {
        let Some(MemType::Array { mem, lmad, elem, .. }) = self.circuits.types.get(&array) else {
            return None;
        };
        if *mem == self.own || !self.circuits.may_meet(*mem, self.mem) {
            return None;
        }
        if self.elem != Some(elem.bytes()) {
            // Its addresses count something else.
            self.regions = None;
            return None;
        }
        Some(lmad.clone())
    }

    /// All of an array is accessed.
    fn whole(&mut self, array: Var) {
        if self.place(array).is_some() {
            self.region(array, &[]);
        }
    }

    fn all(&mut self, atoms: &[Atom]) {
        atoms.iter().filter_map(|atom| atom.as_var()).for_each(|var| self.whole(var));
    }

    /// Part of an array is accessed, which is in each of these parts: the first that does not depend on what is not known outside counts,
    /// or else all of the array, or of what it is part of.
    fn region(&mut self, array: Var, parts: &[Lmad]) {
        let mut outside = parts.iter().find_map(|part| self.outside(part));
        let mut of = Some(array);
        while let (None, Some(whole)) = (&outside, of) {
            let Some(MemType::Array { lmad, .. }) = self.circuits.types.get(&whole) else { break };
            let lmad = lmad.clone();
            outside = self.outside(&lmad);
            of = self.parents.get(&whole).copied();
        }
        let loc = self.loc;
        self.regions = self.regions.take().zip(outside).map(|(mut regions, lmad)| {
            regions.push(Region { lmad, array, loc });
            regions
        });
    }

    /// All of an array that has these indices, but for those that depend on what is bound inside.
    fn rows(&self, lmad: &Lmad, indices: &[Atom]) -> Lmad {
        let slice = |(index, dim): (&Atom, &LmadDim)| match index {
            Atom::Var(var) if self.inner.contains(var) => {
                let (offset, stride) = (Poly::constant(0), Poly::constant(1));
                Slice::Range { offset, count: dim.size.clone(), stride }
            }
            _ => Slice::Fix(atom_poly(*index)),
        };
        lmad.slice(&indices.iter().zip(&lmad.dims).map(slice).collect::<Vec<_>>())
    }

    /// The union of a region over all that happens inside.
    fn outside(&mut self, region: &Lmad) -> Option<Lmad> {
        let is_inner = |var: Var| self.inner.contains(&var);
        if !mentions(region, &is_inner) {
            return Some(region.clone());
        }
        let facts = self.circuits.facts.known();
        let is_counter = |var: Var| self.counters.iter().any(|(counter, _)| *counter == var);
        let mut region = if !mentions(region, &|var| is_inner(var) && !is_counter(var)) {
            region.clone()
        } else if self.some {
            with_definitions(facts, region)
        } else {
            expanded(facts, region)?
        };
        if self.some {
            let first = |var| if is_counter(var) { Poly::constant(0) } else { Poly::var(var) };
            region = region.subst(&mut { first });
        }
        for (counter, bound) in self.counters.iter().rev() {
            if mentions(&region, &|var| var == *counter) {
                region = aggregate(facts, &region, *counter, &atom_poly(*bound))?;
            }
        }
        (!mentions(&region, &is_inner)).then_some(region)
    }

    fn body(&mut self, body: &Body) {
        for statement in &body.statements {
            self.statement(statement);
            self.inner.extend(statement.pattern.iter().map(|binder| binder.var));
            self.circuits.facts.statement(statement);
        }
    }

    fn nested(&mut self, body: &Body, counters: &[(Var, Atom)]) {
        let mark = self.circuits.facts.mark();
        for (counter, bound) in counters {
            self.circuits.facts.counter(*counter, *bound);
            self.inner.insert(*counter);
        }
        self.counters.extend(counters);
        self.body(body);
        self.counters.truncate(self.counters.len() - counters.len());
        self.circuits.facts.reset(mark);
    }

    fn statement(&mut self, statement: &Statement) {
        if self.regions.is_none() {
            return;
        }
        self.loc = statement.loc.or(self.loc);
        let bound = |k: usize| statement.pattern.get(k).map(|binder| binder.var);
        let writes_all = |this: &mut Self| statement.pattern.iter().for_each(|binder| this.whole(binder.var));
        match &statement.exp {
            Exp::Index { array, indices } => {
                if let Some(lmad) = self.place(*array) {
                    let cell: Vec<Slice> =
                        indices.iter().map(|index| Slice::Fix(atom_poly(*index))).collect();
                    // An index that is not known outside is still within its dimension.
                    let parts = [lmad.slice(&cell), self.rows(&lmad, indices)];
                    self.region(*array, &parts);
                }
            }
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reverse { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Atom(Atom::Var(array)) => self.parents.extend(bound(0).map(|var| (var, *array))),
            Exp::Update { array, dims, value } => {
                self.all(&[*value]);
                self.parents.extend(bound(0).map(|var| (var, *array)));
                if let Some(lmad) = self.place(*array) {
                    self.region(*array, &[lmad.slice(&slices(dims))]);
                }
            }
            Exp::Copy(array) => {
                self.whole(*array);
                writes_all(self);
            }
            Exp::Concat { arrays, .. } => {
                arrays.iter().for_each(|array| self.whole(*array));
                writes_all(self);
            }
            Exp::Replicate { value, .. } => {
                self.all(&[*value]);
                writes_all(self);
            }
            Exp::ArrayLiteral { elems, .. } => {
                self.all(elems);
                writes_all(self);
            }
            // What is claimed may be anything afterwards.
            Exp::Iota { .. } | Exp::Scratch { .. } => writes_all(self),
            Exp::If { condition, then, otherwise } => {
                let mark = self.circuits.facts.mark();
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.circuits.facts.branch(*condition, taken);
                    self.nested(arm, &[]);
                    self.circuits.facts.reset(mark);
                }
            }
            Exp::Loop { params, form, body } => {
                for param in params {
                    self.inner.insert(param.binder.var);
                    let same = param.init.as_var().filter(|init| {
                        let place = |var: &Var| match self.circuits.types.get(var) {
                            Some(MemType::Array { mem, lmad, .. }) => Some((*mem, lmad.clone())),
                            _ => None,
                        };
                        place(init).is_some() && place(init) == place(&param.binder.var)
                    });
                    self.parents.extend(same.map(|init| (param.binder.var, init)));
                }
                let counter = match form {
                    LoopForm::For { var, ty: PrimType::I64, bound } => vec![(*var, *bound)],
                    LoopForm::For { var, .. } => {
                        self.inner.insert(*var);
                        Vec::new()
                    }
                    LoopForm::While(_) => Vec::new(),
                };
                self.nested(body, &counter);
            }
            Exp::Kernel { space, combine, body } => {
                let mark = self.circuits.facts.mark();
                for (counter, bound) in space {
                    self.circuits.facts.counter(*counter, *bound);
                    self.inner.insert(*counter);
                }
                self.counters.extend(space);
                self.body(body);
                self.loc = statement.loc.or(self.loc);
                self.all(&body.results);
                match combine {
                    Combine::Map => {}
                    Combine::Reduce { op, .. } => self.operator(&op.params, &op.body),
                    Combine::Scan { op, epilogue, neutral: _ } => {
                        let lambdas = [op].into_iter().chain(epilogue.as_deref());
                        lambdas.for_each(|lambda| self.operator(&lambda.params, &lambda.body));
                    }
                    Combine::Hist { op, dests, .. } => {
                        self.operator(&op.params, &op.body);
                        dests.iter().for_each(|dest| self.whole(*dest));
                    }
                    Combine::Scatter { dests } => dests.iter().for_each(|dest| self.whole(*dest)),
                }
                self.counters.truncate(self.counters.len() - space.len());
                self.circuits.facts.reset(mark);
                writes_all(self);
            }
            Exp::Call { function, args } => {
                self.all(args);
                writes_all(self);
                if self.circuits.may_write(*function, args, self.mem) {
                    self.regions = None;
                }
            }
            Exp::Atom(Atom::Const(_))
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Op(_) => {}
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. } => unreachable!("invariant M5: kernel forms only"),
        }
    }

    fn operator(&mut self, params: &[funmem::ir::Binder], body: &Body) {
        self.inner.extend(params.iter().map(|param| param.var));
        self.body(body);
    }
}

/// Whether the LMAD has such a variable.
fn mentions(lmad: &Lmad, test: &dyn Fn(Var) -> bool) -> bool {
    let mut found = false;
    lmad.for_each_var(&mut |var| found |= test(var));
    found
}

/// The LMAD with definitions put in for variables, where these are equations between integers. Whether the result does not wrap is not
/// asked: that takes the prover much longer, for more than one step together, and hardly ever shows what the steps do not.
fn expanded(facts: &Facts, lmad: &Lmad) -> Option<Lmad> {
    let expand = |poly: &Poly| facts.expand_exactly(poly);
    let dim = |dim: &LmadDim| Some(LmadDim { size: expand(&dim.size)?, stride: expand(&dim.stride)? });
    Some(Lmad { offset: expand(&lmad.offset)?, dims: lmad.dims.iter().map(dim).collect::<Option<_>>()? })
}
