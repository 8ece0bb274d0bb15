//! Layouts: an array in a block of the program's own is put in memory in the order in which it is accessed most.
//!
//! ```text
//! let (b_mem_1: mem) = alloc [n_0][m_0] f32
//! let (b_2: [n_0][m_0]f32 @ b_mem_1 -> 0 + {(n_0 : m_0)(m_0 : 1)}) = kernel (i_3 < n_0, j_4 < m_0) { … }
//! let (c_5: [m_0]f32 @ … ) = kernel (j_6 < m_0) {
//!   … loop … for i_7 < n_0 { let (x_8: f32) = index b_2[i_7, j_6] … }
//! }
//! ```
//! becomes the same with `{(n_0 : 1)(m_0 : n_0)}`: the inner loop reads cells that are neighbours.
//!
//! What an access costs depends on its *step*: how far in memory it moves when the innermost counter that it depends on goes up by one. The
//! dimension of the array whose stride that is would best be the last. Accesses count by the loops that they stand in, a factor of
//! [`TRIPS`] for each, the making of the array among them; a dimension must win clearly to take the place of the last. The others
//! stay in their order.
//!
//! A host takes the iterations of a kernel side by side too, as lanes, where the loops in it have few iterations. On a device threads go side by side, not one iteration after the other: the step of an access in a kernel is how much further the next thread is, whose
//! counter is the last of the outermost kernel. Arrays of a thread's own are put between those of others anyway.
//!
//! Rows that a kernel builds in its result follow it. Blocks that go to other iterations or out of a branch change together with those
//! that come from there. Blocks that go to other functions stay as they are, and so do arrays with a reshape that no LMAD would express then. Requires and ensures M1–M9. Cost: n log n, times the arrays that change.

use super::short_circuit::rebase::{Definition, definition, definitions, moved};
use crate::classes::Classes;
use crate::lower::funmem_to_imp::{answer, has_kernels};
use fun::ir::{Atom, Dim, LoopForm};
use fun::visit::{Walk, for_each_body_mut, walk_exp, walk_function};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::slices;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemOp, MemType, Program, Space, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// How often a loop is taken to run.
const TRIPS: u64 = 8;
/// How many loops in each other are counted.
const MOST_LOOPS: usize = 12;
/// The most iterations of a loop in a kernel whose points are taken for a host's lanes.
const FEW_ITERATIONS: i128 = 64;
/// Loops of a multiple of so many iterations run in vectors themselves: then points are not.
const ALONG: i128 = 8;
/// The most terms of a scalar's definition.
const FEW_TERMS: usize = 8;

/// Chooses the layouts of a program's arrays.
pub fn run(mut program: Program) -> Program {
    program.functions.iter_mut().for_each(|of| function(of, Survey::default()));
    program
}

/// The same for a device.
pub fn run_for_device(mut program: Program) -> Program {
    program.functions.iter_mut().for_each(|of| function(of, Survey { device: true, ..Survey::default() }));
    program
}

fn function(function: &mut Function, mut survey: Survey) {
    walk_function::<Mem, _>(&mut survey, function);
    let chosen = survey.chosen();
    if chosen.is_empty() {
        return;
    }
    let mut places = BTreeMap::new();
    let (alone, carried): (Vec<Chosen>, Vec<Chosen>) =
        chosen.into_iter().partition(|chosen| chosen.blocks.len() == 1);
    for chosen in &carried {
        places.extend(chosen.places(&function.body, &survey.types));
    }
    let alone = alone.into_iter().filter_map(|chosen| Some((*chosen.blocks.first()?, chosen))).collect();
    find_places(&function.body, &survey.types, &alone, &mut places);
    put(&mut function.body, &places);
}

/// Blocks whose arrays get another layout.
struct Chosen {
    blocks: BTreeSet<Var>,
    /// What is first made in those that are allocated.
    first: Vec<Var>,
    /// The layouts, the best one first.
    lmads: Vec<Lmad>,
}

impl Chosen {
    /// Where the arrays of the blocks lie then: all or none. The body is one that has all of them.
    fn places(&self, body: &Body, types: &BTreeMap<Var, MemType>) -> BTreeMap<Var, Lmad> {
        let mut definitions = definitions(&body.statements, &|mem| self.blocks.contains(&mem));
        self.first.iter().for_each(|first| name_rows(body, types, *first, &mut definitions));
        let equal = |left: &Poly, right: &Poly| left == right;
        let mut moved = self.lmads.iter().map(|lmad| moved(types, &definitions, &self.first, lmad, &equal));
        moved.find_map(|places| places).unwrap_or_default()
    }
}

/// What is known of a function.
#[derive(Default)]
struct Survey {
    types: BTreeMap<Var, MemType>,
    /// Whether kernels are a device's.
    device: bool,
    /// The counter that tells neighbouring threads of a device, or lanes of a host, apart, in a kernel.
    thread: Option<Var>,
    /// What scalars are in terms of others.
    numbers: BTreeMap<Var, Poly>,
    /// The counters around, and how many loops.
    counters: Vec<Var>,
    depth: usize,
    /// What tells whether rows are in blocks, and whether they are here: then threads go along a row, and the kernels in the outermost one count.
    answers: BTreeSet<Var>,
    in_blocks: bool,
    /// The blocks that are allocated, and how often each variable is an operand or result.
    allocated: Vec<Var>,
    passed_on: BTreeMap<Var, usize>,
    /// The blocks that go from one name to another: to parameters of loops, and out of loops and branches.
    handed_on: Vec<(Var, Var)>,
    /// What was first made in each block.
    first: BTreeMap<Var, Var>,
    /// The steps of the accesses to each block, with their weights.
    steps: BTreeMap<Var, Vec<(Poly, u64)>>,
}

impl Walk<Mem> for Survey {
    fn atom(&mut self, atom: &Atom) {
        if let Some(var) = atom.as_var() {
            *self.passed_on.entry(var).or_default() += 1;
        }
    }

    fn ty(&mut self, _: &MemType) {}

    fn bind(&mut self, var: Var, ty: Option<&MemType>) {
        self.types.extend(ty.map(|ty| (var, ty.clone())));
    }

    fn statement(&mut self, statement: &Statement) {
        let Statement { pattern, exp, .. } = statement;
        for binder in pattern {
            self.bind(binder.var, Some(&binder.ty));
        }
        self.answers.extend(answer(statement));
        self.accesses(pattern, exp);
        self.hand_on(pattern, exp);
        let (counters, depth, thread) = (self.counters.len(), self.depth, self.thread);
        match exp {
            Exp::Loop { form, .. } => {
                self.depth += 1;
                if let LoopForm::For { var, .. } = form {
                    self.counters.push(*var);
                }
            }
            Exp::Kernel { space, body, .. } => {
                self.depth += space.len();
                self.counters.extend(space.iter().map(|(counter, _)| *counter));
                let last = space.last().map(|(counter, _)| *counter);
                let side_by_side = self.side_by_side(body);
                self.thread = self.thread.or(last.filter(|_| side_by_side));
            }
            _ => {}
        }
        match exp {
            Exp::If { condition: Atom::Var(answer), then, otherwise } if self.answers.contains(answer) => {
                self.in_blocks = true;
                self.body(then);
                self.in_blocks = false;
                self.body(otherwise);
            }
            exp => walk_exp::<Mem, _>(self, exp),
        }
        if let Exp::Kernel { body, .. } = exp {
            body.results.iter().for_each(|result| self.whole(*result));
        }
        self.counters.truncate(counters);
        (self.depth, self.thread) = (depth, thread);
    }
}

impl Survey {
    /// What a statement itself does to memory, and what its scalar is.
    fn accesses(&mut self, pattern: &[Binder], exp: &Exp) {
        match exp {
            Exp::Op(MemOp::Alloc { space: Space::Default, .. }) => {
                self.allocated.extend(pattern.iter().map(|binder| binder.var));
            }
            Exp::Bin(op, PrimType::I64, x, y) => {
                let [x, y] = [*x, *y].map(|atom| self.number(atom));
                let moves = |number: &Poly| {
                    let mut moves = false;
                    number.for_each_var(&mut |var| moves |= self.counters.contains(&var));
                    moves
                };
                let number = match op {
                    // (an index at the rim goes no further)
                    BinOp::Min | BinOp::Max if moves(&x) != moves(&y) => {
                        if moves(&x) {
                            x
                        } else {
                            y
                        }
                    }
                    BinOp::Add => x.add(&y),
                    BinOp::Sub => x.sub(&y),
                    BinOp::Mul if x.as_constant().is_some() || y.as_constant().is_some() => x.mul(&y),
                    _ => return,
                };
                if number.terms().count() <= FEW_TERMS {
                    self.numbers.extend(pattern.iter().map(|binder| (binder.var, number.clone())));
                }
            }
            Exp::Index { array, indices } => {
                let indices: Vec<Poly> = indices.iter().map(|index| self.number(*index)).collect();
                if let Some((mem, lmad)) = self.place(*array) {
                    let offset = lmad.apply(&indices);
                    self.cell(mem, &offset);
                }
            }
            Exp::Update { array, dims, value } => {
                if let Some((mem, lmad)) = self.place(*array) {
                    let part = lmad.slice(&slices(dims));
                    self.part(mem, &part);
                }
                self.whole(*value);
            }
            Exp::Copy(array) => self.whole(Atom::Var(*array)),
            Exp::Concat { arrays, .. } => arrays.iter().for_each(|array| self.whole(Atom::Var(*array))),
            _ => {}
        }
        for (k, binder) in pattern.iter().enumerate() {
            if let (Definition::Fresh, MemType::Array { mem, lmad, .. }) = (definition(exp, k), &binder.ty) {
                self.first.entry(*mem).or_insert(binder.var);
                match exp {
                    // a thread makes what is in further dimensions
                    Exp::Kernel { space, body, .. } if self.thread.is_none() && self.side_by_side(body) => {
                        if let Some(dim) = lmad.dims.get(space.len() - 1) {
                            self.step(*mem, dim.stride.clone(), self.depth + lmad.rank());
                        }
                    }
                    _ => self.part(*mem, lmad),
                }
            }
        }
    }

    /// Whether the points of a kernel, in the last dimension, run side by side, as threads or lanes.
    fn side_by_side(&self, body: &Body) -> bool {
        if self.device { !(self.in_blocks && has_kernels(body)) } else { in_lanes(body) }
    }

    fn number(&self, atom: Atom) -> Poly {
        match atom {
            Atom::Var(var) => self.numbers.get(&var).cloned().unwrap_or_else(|| Poly::var(var)),
            Atom::Const(value) => Poly::constant(value.as_i64().unwrap_or(0)),
        }
    }

    fn place(&self, array: Var) -> Option<(Var, Lmad)> {
        match self.types.get(&array)? {
            MemType::Array { mem, lmad, .. } => Some((*mem, lmad.clone())),
            MemType::Prim(_) | MemType::Mem(_) => None,
        }
    }

    /// All of an array is accessed, in its order.
    fn whole(&mut self, atom: Atom) {
        if let Some((mem, lmad)) = atom.as_var().and_then(|array| self.place(array)) {
            self.part(mem, &lmad);
        }
    }

    /// These cells are accessed, the last dimension innermost.
    fn part(&mut self, mem: Var, part: &Lmad) {
        match part.dims.last() {
            // a thread goes through it; what its neighbour does is seen where the cells are
            Some(_) if self.thread.is_some() => {}
            None => {
                let offset = part.offset.subst(&mut |var| self.number(Atom::Var(var)));
                self.cell(mem, &offset);
            }
            Some(last) => self.step(mem, last.stride.clone(), self.depth + part.rank()),
        }
    }

    /// One cell is accessed.
    fn cell(&mut self, mem: Var, offset: &Poly) {
        let zero = Poly::constant(0);
        let counters = self.thread.as_ref().map_or(&self.counters[..], std::slice::from_ref);
        let mut steps = counters.iter().rev().map(|counter| offset.step(*counter));
        if let Some(step) = steps.find(|step| *step != zero) {
            self.step(mem, step, self.depth);
        }
    }

    fn step(&mut self, mem: Var, step: Poly, loops: usize) {
        let weight = TRIPS.saturating_pow(loops.min(MOST_LOOPS) as u32);
        self.steps.entry(mem).or_default().push((step, weight));
    }

    /// Notes which blocks a loop or branch hands on.
    fn hand_on(&mut self, pattern: &[Binder], exp: &Exp) {
        let mut hand = |from: Option<&Atom>, to: Var| {
            self.handed_on.extend(from.and_then(|atom| atom.as_var()).map(|from| (from, to)));
        };
        let is_block = |binder: &Binder| matches!(binder.ty, MemType::Mem(_));
        match exp {
            Exp::Loop { params, body, .. } => {
                for (k, param) in params.iter().enumerate().filter(|(_, param)| is_block(&param.binder)) {
                    let of_param = param.binder.var;
                    hand(Some(&param.init), of_param);
                    hand(body.results.get(k), of_param);
                    if let Some(binder) = pattern.get(k) {
                        // what a loop gives is no operand: it counts as a use all the same
                        hand(Some(&Atom::Var(of_param)), binder.var);
                        *self.passed_on.entry(of_param).or_default() += 1;
                    }
                }
            }
            Exp::If { then, otherwise, .. } => {
                for (k, binder) in pattern.iter().enumerate().filter(|(_, binder)| is_block(binder)) {
                    hand(then.results.get(k), binder.var);
                    hand(otherwise.results.get(k), binder.var);
                }
            }
            _ => {}
        }
    }

    /// The arrays that get another layout.
    fn chosen(&self) -> Vec<Chosen> {
        let mut classes = Classes::default();
        // How often a block is handed on. A block changes only if all of its uses are that, and if it comes from an allocation or is handed on itself.
        let mut known: BTreeMap<Var, usize> = self.allocated.iter().map(|block| (*block, 0)).collect();
        for (_, to) in &self.handed_on {
            known.entry(*to).or_default();
        }
        for (from, to) in &self.handed_on {
            classes.unite(*from, *to);
            known.entry(*from).and_modify(|count| *count += 1);
        }
        let stays = |block: &Var| {
            known.get(block).is_none_or(|count| self.passed_on.get(block).is_some_and(|uses| uses > count))
        };
        let mut members: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
        let handed_on = self.handed_on.iter().flat_map(|(from, to)| [*from, *to]);
        for block in self.allocated.iter().copied().chain(handed_on) {
            members.entry(classes.class(block)).or_default().insert(block);
        }
        let fit = members.into_values().filter(|blocks| !blocks.iter().any(stays));
        fit.filter_map(|blocks| {
            let made = self.allocated.iter().filter(|block| blocks.contains(block));
            let first: Vec<Var> = made.map(|block| self.first.get(block).copied()).collect::<Option<_>>()?;
            let (_, lmad) = self.place(*first.first()?)?;
            let alike = |array: &Var| self.place(*array).is_some_and(|(_, other)| other == lmad);
            let steps = blocks.iter().filter_map(|block| self.steps.get(block)).flatten();
            let steps: Vec<(Poly, u64)> = steps.cloned().collect();
            let lmads = first.iter().all(alike).then(|| better(&lmad, &steps))??;
            Some(Chosen { blocks, first, lmads })
        })
        .collect()
    }
}

/// Whether the points of a kernel are a host's lanes: its loops have a few iterations each, and not as many as lanes along them would have.
fn in_lanes(body: &Body) -> bool {
    struct Inner {
        some: bool,
        fit: bool,
    }
    impl Inner {
        fn of(&mut self, bound: &Atom) {
            let count = bound.as_const().and_then(|count| count.as_int());
            self.fit &= count.is_some_and(|count| count <= FEW_ITERATIONS && count % ALONG != 0);
            self.some = true;
        }
    }
    impl Walk<Mem> for Inner {
        fn exp(&mut self, exp: &Exp) {
            match exp {
                Exp::Loop { form: LoopForm::For { bound, .. }, .. } => self.of(bound),
                Exp::Loop { form: LoopForm::While(_), .. } => self.fit = false,
                Exp::Kernel { space, .. } => space.iter().for_each(|(_, bound)| self.of(bound)),
                _ => {}
            }
            walk_exp(self, exp);
        }
        fn ty(&mut self, _: &MemType) {}
    }
    let mut inner = Inner { some: false, fit: true };
    inner.body(body);
    inner.some && inner.fit
}

/// Layouts for a row-major array in which most accesses go from neighbour to neighbour; `None` if it is the best already.
fn better(lmad: &Lmad, steps: &[(Poly, u64)]) -> Option<Vec<Lmad>> {
    let sizes = lmad.sizes();
    let last = sizes.len().checked_sub(1)?;
    let row_major = Lmad::row_major(Poly::constant(0), &sizes);
    // (without cells, one layout is like any other)
    if *lmad != row_major || sizes.contains(&Poly::constant(0)) {
        return None;
    }
    let mut votes = vec![0u64; sizes.len()];
    for (step, weight) in steps {
        let moves = |dim: &usize| {
            let stride = &row_major.dims[*dim].stride;
            step == stride || step.scale(-1) == *stride
        };
        if let Some(dim) = (0..=last).rev().find(moves) {
            votes[dim] = votes[dim].saturating_add(*weight);
        }
    }
    let best = (0..last).max_by_key(|dim| votes[*dim])?;
    if votes[best] <= votes[last].saturating_mul(2) {
        return None;
    }
    // The order of dimensions from the outermost to the innermost: the others as they are, or so that those in front stay one where
    // they are taken as one.
    let others = (0..=last).filter(|dim| *dim != best).chain([best]).collect();
    let turned = (best + 1..=last).chain(0..=best).collect();
    let ordered = |order: Vec<usize>| {
        let sizes: Vec<Poly> = order.iter().map(|dim| sizes[*dim].clone()).collect();
        Lmad::row_major(Poly::constant(0), &sizes).unpermute(&order)
    };
    Some(vec![ordered(others), ordered(turned)])
}

/// Where the arrays of blocks lie then that are chosen alone: all of a block or none.
fn find_places(
    body: &Body,
    types: &BTreeMap<Var, MemType>,
    chosen: &BTreeMap<Var, Chosen>,
    places: &mut BTreeMap<Var, Lmad>,
) {
    for statement in &body.statements {
        if let (Exp::Op(MemOp::Alloc { .. }), [block]) = (&statement.exp, &statement.pattern[..])
            && let Some(chosen) = chosen.get(&block.var)
        {
            places.extend(chosen.places(body, types));
        }
        fun::visit::for_each_body(&statement.exp, &mut |inner| find_places(inner, types, chosen, places));
    }
}

/// The space of the kernel that makes an array, here or further inside.
fn space_of(body: &Body, result: Var) -> Option<Vec<(Var, Atom)>> {
    body.statements.iter().find_map(|statement| {
        if let Exp::Kernel { space, .. } = &statement.exp
            && statement.pattern.iter().any(|binder| binder.var == result)
        {
            return Some(space.clone());
        }
        let mut found = None;
        fun::visit::for_each_body(&statement.exp, &mut |inner| {
            found = found.take().or_else(|| space_of(inner, result));
        });
        found
    })
}

/// Says of the rows that a kernel builds in its result what they are of it.
fn name_rows(
    body: &Body,
    types: &BTreeMap<Var, MemType>,
    result: Var,
    definitions: &mut [(Var, Definition)],
) {
    let Some(space) = space_of(body, result) else { return };
    let Some(MemType::Array { shape, lmad, .. }) = types.get(&result) else { return };
    let counters = space.iter().map(|(counter, _)| Dim::Fix(Atom::Var(*counter)));
    let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
    let dims: Vec<Dim> = counters.chain(shape.iter().skip(space.len()).map(whole)).collect();
    let row = (dims.len() == shape.len()).then(|| lmad.slice(&slices(&dims)));
    for (var, definition) in definitions {
        if let (Definition::Fresh, Some(MemType::Array { lmad, .. }), Some(row)) =
            (&definition, types.get(var), &row)
            && *var != result
            && lmad == row
        {
            *definition = Definition::Slice(dims.clone(), result);
        }
    }
}

/// Puts arrays at their places.
fn put(body: &mut Body, places: &BTreeMap<Var, Lmad>) {
    let put_one = |binder: &mut Binder| {
        if let (MemType::Array { lmad, .. }, Some(place)) = (&mut binder.ty, places.get(&binder.var)) {
            *lmad = place.clone();
        }
    };
    for statement in &mut body.statements {
        statement.pattern.iter_mut().for_each(put_one);
        if let Exp::Loop { params, .. } = &mut statement.exp {
            params.iter_mut().for_each(|param| put_one(&mut param.binder));
        }
        for_each_body_mut(&mut statement.exp, &mut |inner| put(inner, places));
    }
}
