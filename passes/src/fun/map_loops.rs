//! Maps written as loops: a loop whose iterations do not wait for each other becomes a map, and a reduction of what they add up.
//!
//! ```text
//! let (a_1: [n_0]i64) = replicate [n_0] 0i64
//! let (b_2: [n_0]i64) (s_3: i64) = loop (p_4: [n_0]i64 = a_1) (t_5: i64 = 7i64) for i_6 < n_0 {
//!   let (x_7: i64) = mul.i64 i_6 i_6
//!   let (q_8: [n_0]i64) = update p_4[i_6] x_7
//!   let (u_9: i64) = add.i64 t_5 x_7
//!   in (q_8, u_9)
//! }
//! ```
//! becomes, on a device,
//! ```text
//! let (is_10: [n_0]i64) = iota.i64 n_0 0i64 1i64
//! let (b_2: [n_0]i64) (each_11: [n_0]i64) = map n_0 (\(i_6: i64): i64, i64 {
//!   let (x_7: i64) = mul.i64 i_6 i_6
//!   let (u_9: i64) = add.i64 0i64 x_7
//!   in (x_7, u_9)
//! }) is_10
//! let (s_12: i64) = reduce_comm n_0 (\(x_13: i64) (y_14: i64): i64 { … add.i64 x_13 y_14 … }) (0i64) each_11
//! let (s_3: i64) = add.i64 7i64 s_12
//! ```
//!
//! Each parameter of the loop is one of three:
//! - an array that nothing uses but the loop, which has as many rows as there are iterations; each writes the row of its number, or leaves it, and reads none
//!   ([`elements`]). Rows may be written by such a loop in turn.
//! - an integer or a truth that iterations only combine with others by one operator that is associative and commutative ([`sums`]): what an iteration
//!   adds is what it makes of the neutral element. Not floats, whose sums would be rounded otherwise.
//! - an array of scalars of which an iteration writes one element at most, at a place that it computes, and reads none: a `scatter`. Or it combines that element
//!   with an integer, as above: a `hist` ([`places`]).
//!
//! Values and failures are those of the loop: a map fails as its first iteration does that fails.
//!
//! # When
//! - The body has no parallel operation, no call, and makes no arrays but of a few elements, by constants: there could be as many of them as iterations.
//! - Not for a few iterations, by a constant.
//! - Only arrays whose rows are written, inside of loops that do nothing in parallel otherwise, not even make large arrays: these are often short, and a device had one thread for the whole.
//! - Rows and sums in one loop are two maps on a host, so that the second needs no arrays; not where loops stand inside, which would run twice.
//! - Sums that go through loops inside on devices alone: what such a loop adds to the sum so far, it would add to the neutral element, for which C compilers make no vectors.
//! - Elements at computed places on devices alone, where a loop is one thread's: a host would keep what a map computes for them in arrays, and has histograms of loops
//!   (`split-histograms`). And only where that is all that the loop does.
//! - Not inside of maps and operators, which have parallel work enough.
//!
//! Requires and ensures F1–F9. Cost: linear, times the depth of loops.

mod bodies;
mod elements;
mod places;
mod sums;

use super::early_reads::may_lack_contents;
use bodies::{is_parallel, is_plain, is_small};
use fun::ir::{Atom, Binder, Body, Exp, Fun, Lambda, LoopForm, LoopParam, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, name_source, rename_body, subst_body, use_counts};
use fun::visit::{Map, map_body, map_program, map_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// Loops of fewer iterations, by a constant, stay.
const FEWEST: i64 = 16;

/// Makes maps and sums of the loops of a program that are some.
pub fn run(program: Program) -> Program {
    converted(program, false)
}

/// And scatters and histograms.
pub fn run_device(program: Program) -> Program {
    converted(program, true)
}

fn converted(program: Program, places: bool) -> Program {
    let uses = use_counts(&program);
    let names = name_source(&program);
    let (fills, sizes, entered) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let scratch = BTreeSet::new();
    let mut pass = MapLoops { places, uses, names, fills, scratch, sizes, entered, in_order: false };
    map_program(&mut pass, &program)
}

struct MapLoops {
    /// Whether loops become scatters and histograms.
    places: bool,
    /// How often each variable is used.
    uses: BTreeMap<Var, usize>,
    names: NameSource,
    /// Arrays that are new and nobody else's.
    fills: BTreeSet<Var>,
    /// What was made without contents, and what has to do with that: combining needs a value that is there.
    scratch: BTreeSet<Var>,
    /// Variables in scope that are sizes of arrays, and so not negative.
    sizes: BTreeSet<Var>,
    /// The same, in the order in which they became known.
    entered: Vec<Var>,
    /// Whether the place is in a loop that does nothing in parallel.
    in_order: bool,
}

/// What a loop does with a parameter, and what of that an iteration gives.
#[derive(Clone, Copy)]
enum Role {
    /// Writes its rows one after the other.
    Element { row: Atom },
    /// Combines it with something, by this operator on this type.
    Sum { op: BinOp, ty: PrimType, each: Atom },
    /// Writes at places that it computes, or combines what is there with something.
    Place { op: Option<BinOp>, elem: PrimType, place: Atom, value: Atom },
}

/// A parameter of a loop: its name behind it, its first value, and what the loop does with it.
struct Carried {
    after: Binder,
    init: Atom,
    role: Role,
}

/// What takes the place of a loop.
#[derive(Clone, Copy)]
struct Space {
    counter: Var,
    width: Atom,
    loc: Option<Loc>,
}

impl Map<Fun, Fun> for MapLoops {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        let sizes = ty.shape().iter().filter_map(|size| size.as_var());
        self.entered.extend(sizes.filter(|size| self.sizes.insert(*size)));
        ty.clone()
    }

    fn body(&mut self, body: &Body) -> Body {
        // (what is in scope here alone says nothing about other places)
        let outside = self.entered.len();
        let body = map_body(self, body);
        for size in self.entered.split_off(outside) {
            self.sizes.remove(&size);
        }
        body
    }

    fn lambda(&mut self, lambda: &Lambda) -> Lambda {
        lambda.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        if may_lack_contents(&statement.exp, &self.scratch) {
            self.scratch.extend(statement.pattern.iter().map(|binder| binder.var));
            if let Exp::Loop { params, .. } = &statement.exp {
                self.scratch.extend(params.iter().map(|param| param.binder.var));
            }
        }
        if let Exp::Loop { params, form, body } = &statement.exp {
            if self.convert(statement, params, form, body, out) {
                return;
            }
            let outside = std::mem::replace(&mut self.in_order, !is_parallel(body));
            out.push(map_statement(self, statement));
            self.in_order = outside;
            return;
        }
        match (&statement.exp, &statement.pattern[..]) {
            (Exp::Kernel { .. }, _) => return out.push(statement.clone()),
            (exp, [binder]) if is_fill(exp) => _ = self.fills.insert(binder.var),
            _ => {}
        }
        out.push(map_statement(self, statement));
    }
}

impl MapLoops {
    /// Adds what takes the place of a loop, if it is a map and sums.
    fn convert(
        &mut self,
        statement: &Statement,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
        out: &mut Vec<Statement>,
    ) -> bool {
        let LoopForm::For { var: counter, ty: PrimType::I64, bound } = form else { return false };
        let few = bound.as_const().and_then(|bound| bound.as_i64()).is_some_and(|bound| bound < FEWEST);
        if few || params.is_empty() || !is_plain(body) {
            return false;
        }
        let mut body = body.clone();
        let mut carried = Vec::new();
        for (at, (param, after)) in params.iter().zip(&statement.pattern).enumerate() {
            let Some(role) = self.role(param, (*counter, *bound), &mut body, at) else { return false };
            carried.push(Carried { after: after.clone(), init: param.init, role });
        }
        let is_place = |one: &Carried| matches!(one.role, Role::Place { .. });
        let lacks = |one: &Carried| one.init.as_var().is_some_and(|array| self.scratch.contains(&array));
        if carried.iter().any(is_place) && (carried.len() > 1 || carried.iter().any(lacks)) {
            return false;
        }
        let is_row = |one: &Carried| matches!(one.role, Role::Element { .. });
        let only_rows = carried.iter().all(is_row);
        if self.in_order && !only_rows {
            return false;
        }
        let apart = !self.places && !only_rows && carried.iter().any(is_row);
        if apart && !is_small(&body) {
            return false;
        }
        let space =
            Space { counter: *counter, width: self.width(*bound, statement.loc, out), loc: statement.loc };
        if apart {
            let (rows, others) = carried.into_iter().partition(is_row);
            let (space_again, others, again) = self.again(space, others, &body);
            self.emit(space, &rows, body, out);
            self.emit(space_again, &others, again, out);
        } else {
            self.emit(space, &carried, body, out);
        }
        true
    }

    /// Adds the map, and what becomes of what it gives.
    fn emit(&mut self, space: Space, carried: &[Carried], body: Body, out: &mut Vec<Statement>) {
        let made = self.map(space, carried, body, out);
        self.add_up(space, carried, &made, out);
        let Space { width, loc, .. } = space;
        for (Carried { after, init, role }, made) in carried.iter().zip(made) {
            if let (Role::Place { op, elem, .. }, [indices, value], Some(dest)) =
                (role, &made[..], init.as_var())
            {
                let (dests, values, indices) = (vec![dest], vec![*value], *indices);
                let exp = match op {
                    Some(op) => {
                        let op = (*op, *elem);
                        let neutral = neutral_of(op).into_iter().collect();
                        let op = self.operator(&[op], loc);
                        Exp::Hist { width, op, neutral, dests, indices, values }
                    }
                    None => Exp::Scatter { width, dests, indices, values },
                };
                out.push(Statement { pattern: vec![after.clone()], exp, loc });
            }
        }
    }

    /// The body and what it gives of these under other names.
    fn again(&mut self, space: Space, mut carried: Vec<Carried>, body: &Body) -> (Space, Vec<Carried>, Body) {
        let each = |one: &Carried| if let Role::Sum { each, .. } = one.role { Some(each) } else { None };
        let body = Body { results: carried.iter().filter_map(each).collect(), ..body.clone() };
        let counter = self.names.fresh_like(space.counter);
        let body = rename_body(&mut self.names, Subst::from([(space.counter, Atom::Var(counter))]), &body);
        for (one, result) in carried.iter_mut().zip(&body.results) {
            if let Role::Sum { each, .. } = &mut one.role {
                *each = *result;
            }
        }
        (Space { counter, ..space }, carried, body)
    }

    /// What a loop does with a parameter, where that waits for no other iteration; then its body gives what is written or added.
    ///
    /// (Variables are counted as they were used in the loop. Each parameter changes what is its own alone.)
    fn role(
        &mut self,
        param: &LoopParam,
        (counter, bound): (Var, Atom),
        body: &mut Body,
        at: usize,
    ) -> Option<Role> {
        let var = param.binder.var;
        let uses = self.uses.get(&var).copied().unwrap_or(0);
        match &param.binder.ty {
            Type::Prim(ty) => {
                let (ty, through_loops) = (*ty, self.places);
                let mut chain = sums::Chain { uses: &self.uses, var, ty, through_loops, op: None, seen: 0 };
                chain.reaches(body, body.results[at])?;
                let op = chain.op.filter(|_| chain.seen == uses)?;
                let start = Subst::from([(var, neutral_of((op, ty))?)]);
                *body = subst_body(&start, body);
                Some(Role::Sum { op, ty, each: body.results[at] })
            }
            Type::Array { shape, elem } => {
                let init = param.init.as_var()?;
                let (array, elem) = (var, *elem);
                if shape[0] == bound && self.fills.contains(&init) && self.uses.get(&init) == Some(&1) {
                    let mut tried = body.clone();
                    let (uses_of, names) = (&self.uses, &mut self.names);
                    let mut rows = elements::Rows { uses: uses_of, names, array, init, shape, elem, seen: 0 };
                    if rows.give(&mut tried, at, &[Atom::Var(counter)]).is_some() && rows.seen == uses {
                        *body = tried;
                        return Some(Role::Element { row: body.results[at] });
                    }
                }
                if !self.places || shape.len() > 1 {
                    return None;
                }
                let (uses_of, names) = (&self.uses, &mut self.names);
                let mut places = places::Places { uses: uses_of, names, array, elem, op: None, seen: 0 };
                places.give(body, at)?;
                let op = places.op.filter(|_| places.seen == uses)?;
                let value = body.results.pop()?;
                Some(Role::Place { op, elem, place: body.results[at], value })
            }
        }
    }

    /// How many iterations there are: the bound, where that is not negative.
    fn width(&mut self, bound: Atom, loc: Option<Loc>, out: &mut Vec<Statement>) -> Atom {
        let known = match bound {
            Atom::Var(var) => self.sizes.contains(&var),
            Atom::Const(bound) => bound.as_i64().is_some_and(|bound| bound >= 0),
        };
        if known {
            return bound;
        }
        let binder = self.binder("n", PrimType::I64);
        let width = Atom::Var(binder.var);
        let exp = Exp::Bin(BinOp::Max, PrimType::I64, Atom::i64(0), bound);
        out.push(Statement { pattern: vec![binder], exp, loc });
        width
    }

    /// Adds the map; gives what it makes for each parameter: its new value where iterations write rows, otherwise what they add, or the places and what is
    /// written there.
    fn map(
        &mut self,
        space: Space,
        carried: &[Carried],
        body: Body,
        out: &mut Vec<Statement>,
    ) -> Vec<Vec<Var>> {
        let Space { counter, width, loc } = space;
        let (is, counters) = counters(&mut self.names, width, loc);
        out.push(counters);

        let (mut pattern, mut types, mut results, mut made) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for Carried { after, role, .. } in carried {
            let mut fresh = |text: &str, ty: PrimType| {
                let ty = Type::array_of(&[width], &Type::Prim(ty));
                Binder { var: self.names.fresh(text), ty }
            };
            let given = match *role {
                Role::Element { row } => vec![(after.clone(), row)],
                Role::Sum { ty, each, .. } => vec![(fresh("each", ty), each)],
                Role::Place { elem, place, value, .. } => {
                    vec![(fresh("places", PrimType::I64), place), (fresh("values", elem), value)]
                }
            };
            made.push(given.iter().map(|(binder, _)| binder.var).collect());
            for (binder, result) in given {
                types.push(Type::array_of(&binder.ty.shape()[1..], &Type::Prim(binder.ty.elem())));
                results.push(result);
                pattern.push(binder);
            }
        }
        let body = Body { results, ..body };
        let params = vec![Binder { var: counter, ty: Type::Prim(PrimType::I64) }];
        let lambda = Lambda { params, results: types, body };
        out.push(Statement { pattern, exp: Exp::Map { width, lambda, arrays: vec![is] }, loc });
        made
    }

    /// Adds the reduction of what iterations add up, and what that makes of the first values.
    fn add_up(&mut self, space: Space, carried: &[Carried], made: &[Vec<Var>], out: &mut Vec<Statement>) {
        let Space { width, loc, .. } = space;
        let (mut ops, mut pattern, mut arrays, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (Carried { after, init, role }, made) in carried.iter().zip(made) {
            let Role::Sum { op, ty, .. } = role else { continue };
            let total = self.binder("total", *ty);
            let exp = Exp::Bin(*op, *ty, *init, Atom::Var(total.var));
            ends.push(Statement { pattern: vec![after.clone()], exp, loc });
            pattern.push(total);
            arrays.extend(made);
            ops.push((*op, *ty));
        }
        if pattern.is_empty() {
            return;
        }
        let neutral = ops.iter().copied().filter_map(neutral_of).collect();
        let op = self.operator(&ops, loc);
        out.push(Statement {
            pattern,
            exp: Exp::Reduce { width, op, neutral, arrays, commutative: true },
            loc,
        });
        out.append(&mut ends);
    }

    /// The operator on several scalars at once that combines each by its own.
    fn operator(&mut self, ops: &[(BinOp, PrimType)], loc: Option<Loc>) -> Lambda {
        let [left, right, sums]: [Vec<Binder>; 3] =
            ["x", "y", "sum"].map(|text| ops.iter().map(|(_, ty)| self.binder(text, *ty)).collect());
        let body = Body {
            results: sums.iter().map(|sum| Atom::Var(sum.var)).collect(),
            statements: ops
                .iter()
                .zip(left.iter().zip(&right).zip(sums))
                .map(|((op, ty), ((x, y), sum))| Statement {
                    pattern: vec![sum],
                    exp: Exp::Bin(*op, *ty, Atom::Var(x.var), Atom::Var(y.var)),
                    loc,
                })
                .collect(),
        };
        let results = ops.iter().map(|(_, ty)| Type::Prim(*ty)).collect();
        Lambda { params: left.into_iter().chain(right).collect(), results, body }
    }

    fn binder(&mut self, text: &str, ty: PrimType) -> Binder {
        Binder { var: self.names.fresh(text), ty: Type::Prim(ty) }
    }
}

fn neutral_of((op, ty): (BinOp, PrimType)) -> Option<Atom> {
    sums::neutral(op, ty).map(Atom::Const)
}

/// The numbers of so many iterations, and the statement that makes them.
fn counters(names: &mut NameSource, width: Atom, loc: Option<Loc>) -> (Var, Statement) {
    let var = names.fresh("is");
    let ty = Type::array_of(&[width], &Type::Prim(PrimType::I64));
    let exp = Exp::Iota { count: width, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
    (var, Statement { pattern: vec![Binder { var, ty }], exp, loc })
}

/// The statement of a body that binds a variable, and the place in its pattern.
fn position(body: &Body, var: Var) -> Option<(usize, usize)> {
    let binds = |binder: &Binder| binder.var == var;
    let statements = body.statements.iter().enumerate();
    statements
        .map(|(number, statement)| (number, statement.pattern.iter().position(binds)))
        .find_map(|(number, at)| Some((number, at?)))
}

/// Whether an expression makes a new array, which costs little.
fn is_fill(exp: &Exp) -> bool {
    matches!(exp, Exp::Replicate { .. } | Exp::Iota { .. })
}
