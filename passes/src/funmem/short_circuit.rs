//! Short-circuiting: an array that is only made to be copied is made where the copy would go.
//!
//! ```text
//! let (b_mem: mem) = alloc [m] f32
//! let (b: [m]f32 @ b_mem -> 0 + {(m : 1)}) = kernel (i < m) { … }
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] b
//! ```
//! becomes
//! ```text
//! let (b: [m]f32 @ xs_mem -> k*m + {(m : 1)}) = kernel (i < m) { … }
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] b
//! ```
//! where the update finds its value in place and writes nothing. The places where an array is copied, *circuit points*, are `copy`,
//! the parts of a `concat`, the rows of an array literal, the value of an `update`, and the array results of a kernel's body, which
//! go to their row of the kernel's result; and the ends of the arms of an `if`, where its result goes to one of these
//! (`short_circuit/branch.rs`). What calls make is built elsewhere by telling the call (`short_circuit/call.rs`). Points are taken from the last to the first, outer bodies before inner ones, so that chains end where
//! their last copy goes.
//!
//! # When
//! The array `b` lies in a block of its own (an allocation of this function that is passed on to nobody but the call that makes `b`), and goes to the place `P` of
//! block `D` if
//! 1. nothing in its block is used after the circuit point, or only in the same body and before anything else accesses `P`: the
//!    elements lie there as well as in `b`'s block;
//! 2. `D` and the variables of `P` are in scope where the first array is written to b's block;
//! 3. every array of b's block has a place in terms of `P`: `b` comes from fresh arrays by changes in place and invertible changes of
//!    layout, and what is derived from these is expressible;
//! 4. from the first write to the circuit point, no access to `D` meets `P`. The accesses of inner bodies are united over their
//!    counters; what the prover cannot show counts as met. A block that was there before `D` was allocated is another one, also if a
//!    loop carries it in that allocates `D` in each iteration. A kernel or scan may read, at one of its points, what that point alone
//!    then overwrites, and the first write may be a copy of `P` itself, which then moves nothing;
//! 5. no statement between the two may stop the program if `P` is known to lie in `D` only at the circuit point (an `update`): the array
//!    would be written before its place was checked (Futhark #1930).
//!
//! Where one of 2, 4 and 5 fails, what `b` does not depend on is tried before its first write (`short_circuit/order.rs`).
//!
//! Requires M1–M9 and hoisted allocations and scalars. Ensures M1–M8. Cost: for each circuit point, the size of the statements between it
//! and the array's first write, and as many questions to the prover as these access `D`; each question has a limit.

mod accesses;
mod branch;
mod call;
mod candidate;
pub mod in_place;
mod order;
mod points;
mod probe;
pub(super) mod rebase;
pub mod refusal;
mod results;

use super::blocks::{Blocks, Origin, Summaries, block, drop_allocations};
use super::facts::{Mark, PointFacts};
use super::interfaces::{Interface, Interfaces};
use crate::evidence::PassEvidence;
use call::Made;
use candidate::Circuit;
use fun::ir::{Atom, Combine};
use fun::visit::names::name_source;
use fun::visit::{Walk, walk_function};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_index::certificate::{Certificate, Evidence};
use fun_index::lmad::{Lmad, Slice};
use fun_index::poly::Poly;
use fun_index::prove::Findings;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemType, Program, Statement, atom_poly, slices};
use refusal::{Met, Refusal};
pub(super) use results::build_results;
use std::collections::{BTreeMap, BTreeSet};

/// Short-circuits the copies of a program, with a certificate for each.
pub fn run(mut program: Program, given: &mut PassEvidence) -> Program {
    let interfaces = Interfaces::of_program(&program);
    let mut summaries = Summaries::default();
    let mut names = name_source(&program);
    for function in &mut program.functions {
        let blocks = Blocks::of_function(function, &mut summaries);
        let findings = given.findings(function.name);
        let mut circuits = Circuits::new(function, &blocks, &interfaces, names, findings);
        circuits.body(&mut function.body, &[]);
        circuits.tell_calls(&mut function.body);
        circuits.drop_allocations(&mut function.body);
        names = circuits.names;
        given.certificates.append(&mut circuits.certificates);
    }
    program
}

/// The state of the pass in a function.
pub(super) struct Circuits<'b> {
    blocks: &'b Blocks,
    /// Of the functions that are called.
    interfaces: &'b Interfaces,
    /// Arrays that calls make at places of this function's choice.
    made_by_calls: BTreeMap<Var, Made>,
    /// The results of this function whose place its caller has chosen, and made room at.
    asked_for: Vec<MemType>,
    facts: PointFacts,
    /// The present types of variables with binders.
    types: BTreeMap<Var, MemType>,
    /// How often variables are used as atoms.
    uses: BTreeMap<Var, usize>,
    /// In which order variables are bound: what is in scope where one is bound comes before it.
    order: BTreeMap<Var, usize>,
    /// Variables that are sizes.
    sizes: BTreeSet<Var>,
    /// Arrays that were put where there is room for them, whatever happens before they are made.
    certain: BTreeSet<Var>,
    /// Arrays that were put in other arrays, with these.
    part_of: BTreeMap<Var, Var>,
    /// The arrays of each block.
    residents: BTreeMap<Var, BTreeSet<Var>>,
    names: NameSource,
    /// What was shown for the circuit at hand.
    evidence: Vec<Evidence>,
    certificates: Vec<Certificate>,
    /// The copies that stay, if somebody asks for them.
    refusals: Option<Vec<Refusal>>,
    /// For these: the access that was last found not to leave a destination alone.
    met: Option<Met>,
    /// From which statement on a circuit has put those before it in another order.
    reordered: Option<usize>,
}

/// A place to build an array in.
#[derive(Clone, Debug)]
struct Target {
    /// The block.
    mem: Var,
    /// Where in it.
    lmad: Lmad,
    /// Whether it is in the block whatever happens before the circuit point.
    certain: bool,
    /// The array that it is a part of.
    part_of: Option<Var>,
}

impl<'b> Circuits<'b> {
    fn new(
        function: &Function,
        blocks: &'b Blocks,
        interfaces: &'b Interfaces,
        names: NameSource,
        findings: &Findings,
    ) -> Circuits<'b> {
        Circuits::with_facts(function, blocks, interfaces, names, PointFacts::with_findings(findings))
    }

    fn with_facts(
        function: &Function,
        blocks: &'b Blocks,
        interfaces: &'b Interfaces,
        names: NameSource,
        mut facts: PointFacts,
    ) -> Circuits<'b> {
        let mut survey = Survey::default();
        walk_function::<Mem, _>(&mut survey, function);
        let Survey { types, mut uses, order } = survey;
        let mut made_by_calls = BTreeMap::new();
        for (array, block, made) in call::made_by_calls(function, interfaces) {
            // That the call is told the block follows from the array.
            uses.entry(block).and_modify(|count| *count -= 1);
            made_by_calls.insert(array, made);
        }
        let mut residents: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
        let shapes = types.values().filter_map(|ty| match ty {
            MemType::Array { shape, .. } => Some(shape),
            MemType::Prim(_) | MemType::Mem(_) => None,
        });
        let sizes = shapes.flatten().filter_map(|size| size.as_var()).collect();
        for (var, ty) in &types {
            if let Some(mem) = block(ty) {
                residents.entry(mem).or_default().insert(*var);
            }
        }
        for param in &function.params {
            facts.bind(&param.binder);
        }
        let (evidence, certificates) = (Vec::new(), Vec::new());
        let (refusals, met) = (None, None);
        let destinations = Interface::of(function).destinations;
        let asked_for = function.results.iter().zip(destinations);
        let asked_for = asked_for.filter(|(_, known)| known.is_some());
        let asked_for = asked_for.map(|(result, _)| result.binder.ty.clone()).collect();
        Circuits {
            blocks,
            interfaces,
            made_by_calls,
            asked_for,
            facts,
            types,
            uses,
            order,
            sizes,
            certain: BTreeSet::new(),
            part_of: BTreeMap::new(),
            residents,
            names,
            evidence,
            certificates,
            refusals,
            met,
            reordered: None,
        }
    }

    /// Works on a body, whose results go to these places.
    fn body(&mut self, body: &mut Body, targets: &[Option<Target>]) {
        let start = self.facts.mark();
        let mut marks = Vec::with_capacity(body.statements.len());
        for statement in &body.statements {
            marks.push(self.facts.mark());
            self.facts.statement(statement);
        }
        for (k, target) in targets.iter().enumerate() {
            if let (Some(target), Some(Atom::Var(value))) = (target, body.results.get(k).copied()) {
                let end = body.statements.len();
                self.try_circuit(body, &Circuit { end, value, target: target.clone(), shown: Vec::new() });
                self.know_again(body, &mut marks, end);
            }
        }
        for end in (0..body.statements.len()).rev() {
            self.facts.reset(marks[end]);
            for circuit in self.circuits_at(&body.statements[end], end) {
                self.try_circuit(body, &circuit);
                self.know_again(body, &mut marks, end);
            }
        }
        // In an inner body all is known that comes before it.
        self.facts.reset(start);
        for statement in &mut body.statements {
            self.inner_bodies(statement);
            self.facts.statement(statement);
        }
        self.facts.reset(start);
    }

    /// If statements before the end are in another order now: what is known before each of them.
    fn know_again(&mut self, body: &Body, marks: &mut [Mark], end: usize) {
        let Some(first) = self.reordered.take() else { return };
        self.facts.reset(marks[first]);
        for (statement, mark) in body.statements[first..end].iter().zip(&mut marks[first..]) {
            *mark = self.facts.mark();
            self.facts.statement(statement);
        }
        if let Some(mark) = marks.get_mut(end) {
            *mark = self.facts.mark();
        }
    }

    fn inner_bodies(&mut self, statement: &mut Statement) {
        let mark = self.facts.mark();
        match &mut statement.exp {
            Exp::If { condition, then, otherwise } => {
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.facts.branch(*condition, taken);
                    self.body(arm, &[]);
                    self.facts.reset(mark);
                }
            }
            Exp::Loop { params, form, body } => {
                params.iter().for_each(|param| self.facts.bind(&param.binder));
                self.facts.loop_form(form);
                self.body(body, &[]);
            }
            Exp::Kernel { space, combine, body } => {
                space.iter().for_each(|(counter, bound)| self.facts.counter(*counter, *bound));
                let targets = match combine {
                    Combine::Map => {
                        let row = |binder: &Binder| row_of(&binder.ty, space, self.has_room(binder));
                        statement.pattern.iter().map(row).collect()
                    }
                    Combine::Reduce { .. }
                    | Combine::Scan { .. }
                    | Combine::Hist { .. }
                    | Combine::Scatter { .. } => Vec::new(),
                };
                self.body(body, &targets);
                // Operators take scalars (M7): there is nothing to build in them.
            }
            _ => {}
        }
        self.facts.reset(mark);
    }

    /// The circuit points of a statement.
    fn circuits_at(&self, statement: &Statement, end: usize) -> Vec<Circuit> {
        let [binder] = statement.pattern.as_slice() else { return Vec::new() };
        let MemType::Array { mem, lmad, .. } = &binder.ty else { return Vec::new() };
        let circuit = |value: Var, lmad: Lmad, certain: bool| Circuit {
            end,
            value,
            target: Target { mem: *mem, lmad, certain, part_of: self.part_of.get(&binder.var).copied() },
            shown: Vec::new(),
        };
        match &statement.exp {
            Exp::Copy(array) => vec![circuit(*array, lmad.clone(), self.has_room(binder))],
            Exp::Update { array, dims, value: Atom::Var(value) } if self.is_array(*value) => {
                let mut part = circuit(*value, lmad.slice(&slices(dims)), false);
                part.target.part_of = Some(*array);
                vec![part]
            }
            Exp::ArrayLiteral { elems, .. } => {
                let room = self.has_room(binder);
                let arrays = elems.iter().enumerate().filter_map(|(row, elem)| Some((row, elem.as_var()?)));
                let arrays = arrays.filter(|(_, value)| self.is_array(*value));
                arrays
                    .map(|(row, value)| circuit(value, lmad.fix(0, &Poly::constant(row as i64)), room))
                    .collect()
            }
            Exp::Concat { arrays, .. } => {
                let room = self.has_room(binder);
                let parts = self.parts(arrays, lmad).unwrap_or_default();
                parts.into_iter().map(|(array, part)| circuit(array, part, room)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The arrays of a concatenation, and where each goes.
    fn parts(&self, arrays: &[Var], whole: &Lmad) -> Option<Vec<(Var, Lmad)>> {
        let mut row = Poly::constant(0);
        let mut parts = Vec::with_capacity(arrays.len());
        for array in arrays {
            let Some(MemType::Array { shape, .. }) = self.types.get(array) else { return None };
            let count = atom_poly(shape[0]);
            let mut part = whole.clone();
            part.offset = part.offset.add(&row.mul(&part.dims[0].stride));
            part.dims[0].size = count.clone();
            row = row.add(&count);
            parts.push((*array, part));
        }
        Some(parts)
    }

    /// Whether the array's place exists as soon as its block does.
    fn has_room(&self, binder: &Binder) -> bool {
        self.certain.contains(&binder.var) || self.is_room_for(&binder.ty)
    }

    /// Whether the array fills an allocation of its own size, or what a caller has made room for, so that its place exists as soon as the
    /// block does.
    fn is_room_for(&self, ty: &MemType) -> bool {
        let MemType::Array { shape, elem, mem, lmad } = ty else { return false };
        let product = |sizes: &[Atom]| {
            sizes.iter().fold(Poly::constant(1), |product, size| product.mul(&atom_poly(*size)))
        };
        let fills = |room: &[Atom], unit: PrimType, offset: Poly| {
            let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
            let row_major = lmad.equivalent(&Lmad::row_major(offset, &sizes));
            row_major && unit == *elem && product(room) == product(shape)
        };
        if let Some(Origin::Alloc { shape: room, elem: unit, .. }) = self.blocks.origin(*mem) {
            return fills(room, *unit, Poly::constant(0));
        }
        self.asked_for.iter().any(|asked| match asked {
            MemType::Array { shape: room, elem: unit, mem: to, lmad: place } if to == mem => {
                lmad.equivalent(place) && unit == elem
                    || *place == Lmad::row_major(place.offset.clone(), &place.sizes())
                        && fills(room, *unit, place.offset.clone())
            }
            MemType::Array { .. } | MemType::Prim(_) | MemType::Mem(_) => false,
        })
    }

    fn is_array(&self, var: Var) -> bool {
        matches!(self.types.get(&var), Some(MemType::Array { .. }))
    }

    /// Drops the allocations in which nothing lies any more.
    fn drop_allocations(&self, body: &mut Body) {
        let lived_in: BTreeSet<Var> = self.types.values().filter_map(block).collect();
        drop_allocations(body, &|mem| lived_in.contains(&mem) || self.is_passed(mem));
    }

    /// Whether the block is used otherwise than by lying in it: given to a branch, a loop, a call, or as a result.
    fn is_passed(&self, mem: Var) -> bool {
        self.uses.get(&mem).is_some_and(|uses| *uses > 0)
    }

    /// Whether the two may stand for one block, where both are in scope. An allocation makes another block than those that were there
    /// before, such as that of the iteration before.
    fn may_meet(&self, left: Var, right: Var) -> bool {
        let made_after = |new: Var, old: Var| {
            let made = matches!(self.blocks.origin(new), Some(Origin::Alloc { .. }));
            made && self.order.get(&old).zip(self.order.get(&new)).is_some_and(|(old, new)| old < new)
        };
        self.blocks.may_be_same(left, right) && !made_after(left, right) && !made_after(right, left)
    }
}

/// The types of a function, how often variables are used as atoms, and in which order they are bound.
#[derive(Default)]
struct Survey {
    types: BTreeMap<Var, MemType>,
    uses: BTreeMap<Var, usize>,
    order: BTreeMap<Var, usize>,
}

impl Walk<Mem> for Survey {
    fn bind(&mut self, var: Var, ty: Option<&MemType>) {
        self.types.extend(ty.map(|ty| (var, ty.clone())));
        self.order.insert(var, self.order.len());
    }
    fn atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = atom {
            *self.uses.entry(*var).or_default() += 1;
        }
    }
    fn ty(&mut self, _: &MemType) {}
}

/// Where the result of a kernel's body goes.
fn row_of(ty: &MemType, space: &[(Var, Atom)], certain: bool) -> Option<Target> {
    let MemType::Array { mem, lmad, .. } = ty else { return None };
    let fixed = space.iter().map(|(counter, _)| Slice::Fix(Poly::var(*counter)));
    let whole = lmad.dims.iter().skip(space.len()).map(|dim| Slice::Range {
        offset: Poly::constant(0),
        count: dim.size.clone(),
        stride: Poly::constant(1),
    });
    let slices: Vec<Slice> = fixed.chain(whole).collect();
    (lmad.rank() > space.len()).then(|| Target {
        mem: *mem,
        lmad: lmad.slice(&slices),
        certain,
        part_of: None,
    })
}
