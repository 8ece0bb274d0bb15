//! Execution of statements on symbolic heaps.

use super::ends::Ends;
use super::sizes::{Atom, Sizes};
use super::world::{World, larger, united};
use super::{Around, Footprint, Peak, Site};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{PrimType, PrimValue, UnOp};
use fun_base::source::Loc;
use fun_index::poly::Poly;
use imp::ir::{
    Exp, ImpType, InterfaceSize, InterfaceValue, LoopKind, Procedure, Space, Statement, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// At most so many states at a point.
const MOST_WORLDS: usize = 64;
/// Statements that are executed at most.
const MOST_STEPS: u64 = 3_000_000;
/// Calls within each other.
const MOST_CALLS: usize = 64;

/// What is known at a point.
#[derive(Clone)]
pub(super) struct State {
    /// The values of i64 variables that may be assigned.
    pub(super) vars: BTreeMap<Var, Poly>,
    pub(super) worlds: Vec<World>,
}

/// What is known while the program is executed.
pub(super) struct Machine<'p> {
    procedures: BTreeMap<Symbol, &'p Procedure>,
    pub(super) ends: Ends,
    pub(super) sizes: Sizes,
    /// The values of variables that are not assigned.
    lets: BTreeMap<Var, Poly>,
    pub(super) sites: BTreeMap<Var, Site>,
    /// The sites in the order in which they were reached.
    pub(super) order: Vec<Var>,
    pub(super) peaks: Vec<Peak>,
    /// The variables that were assigned, how often any was or a loop began or ended, and when allocations were reached by that count.
    assigned: BTreeSet<Var>,
    pub(super) time: u64,
    times: BTreeMap<Var, u64>,
    pub(super) loops: Vec<Around>,
    pub(super) parallel: bool,
    calls: Vec<Symbol>,
    pub(super) loc: Option<Loc>,
    steps: u64,
    pub(super) failed: Option<String>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(procedures: BTreeMap<Symbol, &'p Procedure>, names: NameSource) -> Machine<'p> {
        Machine {
            procedures,
            ends: Ends::default(),
            sizes: Sizes::new(names),
            lets: BTreeMap::new(),
            sites: BTreeMap::new(),
            order: Vec::new(),
            peaks: Vec::new(),
            assigned: BTreeSet::new(),
            time: 0,
            times: BTreeMap::new(),
            loops: Vec::new(),
            parallel: false,
            calls: Vec::new(),
            loc: None,
            steps: 0,
            failed: None,
        }
    }

    /// Executes an entry point.
    pub(super) fn entry(&mut self, procedure: &'p Procedure) {
        let mut world = World::default();
        for (var, ty) in &procedure.params {
            match ty {
                ImpType::Prim(_) => {
                    let param = self.sizes.variable(*var, Atom::Param);
                    self.lets.insert(*var, param);
                }
                ImpType::Mem(_) => world.alloc(*var, Poly::default()),
            }
        }
        for value in procedure.interface.iter().flat_map(|interface| &interface.takes) {
            let InterfaceValue::Array { mem, elem, shape, .. } = value else { continue };
            let mut bytes = Poly::constant(i64::from(elem.bytes()));
            for size in shape {
                let size = match size {
                    InterfaceSize::Const(size) => Poly::constant(*size),
                    InterfaceSize::At(at) => {
                        let Some((var, _)) = procedure.params.get(*at) else { continue };
                        self.sizes.is_size(&Poly::var(*var));
                        Poly::var(*var)
                    }
                };
                bytes = bytes.mul(&size);
            }
            if let Some((var, _)) = procedure.params.get(*mem) {
                self.site(*var, Space::Default, bytes, true);
            }
        }
        let mut state = State { vars: BTreeMap::new(), worlds: vec![world] };
        self.calls.push(procedure.name);
        self.ends.add(procedure);
        self.statements(&procedure.body, &mut state);
        let returned: BTreeSet<Var> = procedure
            .results
            .iter()
            .filter_map(|(result, _)| if let Exp::Var(var) = result { Some(*var) } else { None })
            .flat_map(|var| state.worlds.iter().filter_map(move |world| world.block(var)))
            .flat_map(|block| block.sites.iter().copied())
            .collect();
        let living: BTreeSet<Var> = state.worlds.iter().flat_map(World::living).collect();
        for site in self.sites.values_mut() {
            site.result = returned.contains(&site.var) && living.contains(&site.var);
        }
    }

    pub(super) fn finish(mut self) -> Footprint {
        let sites = self.order.iter().filter_map(|var| self.sites.remove(var)).collect();
        let peaks = match self.failed {
            Some(reason) => Err(reason),
            None => Ok(self.peaks),
        };
        Footprint { sizes: self.sizes, sites, peaks }
    }

    /// There will be no formula.
    pub(super) fn give_up(&mut self, reason: impl FnOnce() -> String) {
        if self.failed.is_none() {
            self.failed = Some(reason());
        }
    }

    pub(super) fn place(&self) -> String {
        self.loc.map_or("without a place".to_owned(), |loc| format!("at {loc}"))
    }

    fn statements(&mut self, list: &'p [Statement], state: &mut State) {
        for statement in list {
            self.steps += 1;
            if self.steps > MOST_STEPS || state.worlds.len() > MOST_WORLDS {
                self.give_up(|| "the program has too many ways through it to follow them all".to_owned());
            }
            if self.failed.is_some() {
                return;
            }
            self.loc = statement.loc.or(self.loc);
            self.used(statement, state);
            self.statement(statement, state);
        }
    }

    fn statement(&mut self, statement: &'p Statement, state: &mut State) {
        match &statement.kind {
            StatementKind::Let { var, ty, value } => {
                let value = self.scalar(*var, *ty, value, state);
                self.lets.insert(*var, value);
            }
            StatementKind::Declare { var, ty: ImpType::Prim(ty), value } => {
                let zero = Exp::Const(ty.zero());
                // What begins as false may say whether a block has been made.
                if *value == Some(Exp::Const(PrimValue::Bool(false))) {
                    state.worlds.iter_mut().for_each(|world| world.set_flag(*var, Some(false)));
                }
                let value = self.scalar(*var, *ty, value.as_ref().unwrap_or(&zero), state);
                state.vars.insert(*var, value);
            }
            StatementKind::Declare { var, ty: ImpType::Mem(_), value } => {
                let value = value.as_ref().and_then(variable);
                state.worlds.iter_mut().for_each(|world| world.set(*var, value));
            }
            StatementKind::Assign { var, value } => {
                self.assigned.insert(*var);
                self.time += 1;
                let flag = if let Exp::Const(PrimValue::Bool(flag)) = value { Some(*flag) } else { None };
                for world in state.worlds.iter_mut().filter(|world| world.has_flag(*var)) {
                    world.set_flag(*var, flag);
                }
                if let Some(old) = state.vars.get(var).cloned() {
                    // the type is that of the variable: sizes only matter if it is i64
                    let new = self.value(value, state).unwrap_or_else(|| self.computed(*var));
                    if new != old {
                        state.vars.insert(*var, new);
                    }
                } else {
                    let value = variable(value);
                    state.worlds.iter_mut().for_each(|world| world.set(*var, value));
                }
            }
            StatementKind::Alloc { var, elem, shape, space } => {
                self.alloc(*var, *elem, shape, *space, state);
            }
            StatementKind::Share(var) => state.worlds.iter_mut().for_each(|world| world.share(*var)),
            StatementKind::Free(var) => state.worlds.iter_mut().for_each(|world| world.free(*var)),
            StatementKind::View { var, mem, lmad, .. } => {
                lmad.dims.iter().for_each(|dim| self.sizes.is_size(&dim.size));
                for world in &mut state.worlds {
                    world.set(*var, Some(*mem));
                    for site in world.block(*var).iter().flat_map(|block| &block.sites) {
                        let Some(site) = self.sites.get_mut(site) else { continue };
                        if !site.arrays.iter().any(|(known, _)| known == var) {
                            site.arrays.push((*var, statement.loc));
                        }
                    }
                }
            }
            StatementKind::Window { var, view, .. } => {
                state.worlds.iter_mut().for_each(|world| world.set(*var, Some(*view)));
            }
            StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Assert { .. } => {}
            StatementKind::For { var, bound, kind, body, .. } => {
                let bound = self.value(bound, state);
                let counter = match &bound {
                    Some(bound) => {
                        let last = bound.sub(&Poly::constant(1));
                        self.sizes.variable(*var, Atom::Counter(last))
                    }
                    None => self.computed(*var),
                };
                self.lets.insert(*var, counter);
                let trips = bound.map(|bound| self.sizes.at_most(&bound));
                let parallel = *kind == LoopKind::Par;
                self.repeat(statement, body, Around { trips, loc: statement.loc }, parallel, state);
            }
            StatementKind::While { body, .. } => {
                self.repeat(statement, body, Around { trips: None, loc: statement.loc }, false, state);
            }
            StatementKind::If { condition, then, otherwise } => {
                let mut other = state.clone();
                if let Some((flag, value)) = flag_of(condition) {
                    state.worlds.retain(|world| world.may_be(flag, value));
                    other.worlds.retain(|world| world.may_be(flag, !value));
                }
                self.inner(then, state);
                self.inner(otherwise, &mut other);
                for world in state.worlds.iter_mut().chain(&mut other.worlds) {
                    world.keep(&|var| self.ends.lives_after(var, statement));
                }
                self.join(state, other);
            }
            StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => self.inner(body, state),
            StatementKind::Call { results, procedure, args } => self.call(results, *procedure, args, state),
        }
    }

    /// A body whose variables are gone after it.
    pub(super) fn inner(&mut self, body: &'p [Statement], state: &mut State) {
        self.statements(body, state);
        let declared = declared(body);
        state.vars.retain(|var, _| !declared.contains(var));
        state.worlds.iter_mut().for_each(|world| world.leave(&declared));
    }

    /// One state of two.
    fn join(&mut self, state: &mut State, other: State) {
        for (var, value) in &mut state.vars {
            let Some(new) = other.vars.get(var).filter(|new| *new != value) else { continue };
            let known = self.sizes.is_known(value) && self.sizes.is_known(new);
            *value = if known {
                self.sizes.made(Atom::Either(value.clone(), new.clone()))
            } else {
                self.sizes.variable(*var, Atom::Computed(self.loc))
            };
        }
        state.worlds.extend(other.worlds);
        state.worlds = united(std::mem::take(&mut state.worlds), &mut self.sizes, &mut larger);
    }

    /// The value of a scalar variable: what it is computed from if that is a polynomial, itself otherwise.
    fn scalar(&mut self, var: Var, ty: PrimType, value: &Exp, state: &State) -> Poly {
        let known = match (ty, value) {
            (PrimType::I64, _) => self.value(value, state),
            (_, Exp::Var(other)) => self.known(*other, state),
            (_, Exp::Const(value)) => value.as_int_checked().map(Poly::constant),
            _ => None,
        };
        known.unwrap_or_else(|| self.computed(var))
    }

    pub(super) fn computed(&mut self, var: Var) -> Poly {
        self.sizes.variable(var, Atom::Computed(self.loc))
    }

    fn known(&self, var: Var, state: &State) -> Option<Poly> {
        state.vars.get(&var).or_else(|| self.lets.get(&var)).cloned()
    }

    /// An i64 as a polynomial.
    fn value(&mut self, exp: &Exp, state: &State) -> Option<Poly> {
        match exp {
            Exp::Const(value) => value.as_int_checked().map(Poly::constant),
            Exp::Var(var) => self.known(*var, state),
            Exp::Bin(op, PrimType::I64, left, right) => {
                let (left, right) = (self.value(left, state)?, self.value(right, state)?);
                self.sizes.op(*op, &left, &right)
            }
            Exp::Convert { to: PrimType::I64, from, value } => match from {
                PrimType::Bool => Some(self.sizes.made(Atom::Bit)),
                PrimType::I8
                | PrimType::I16
                | PrimType::I32
                | PrimType::U8
                | PrimType::U16
                | PrimType::U32 => {
                    // of a number that was computed in fewer bits only the number itself is known
                    match &**value {
                        Exp::Var(_) | Exp::Const(_) => self.value(value, state),
                        _ => None,
                    }
                }
                _ => None,
            },
            Exp::Select(_, left, right) => {
                let (left, right) = (self.value(left, state)?, self.value(right, state)?);
                if left == right {
                    return Some(left);
                }
                Some(self.sizes.made(Atom::Either(left, right)))
            }
            _ => None,
        }
    }

    fn alloc(&mut self, var: Var, elem: PrimType, shape: &[Exp], space: Space, state: &mut State) {
        let mut bytes = Poly::constant(i64::from(elem.bytes()));
        for factor in shape {
            let Some(factor) = self.value(factor, state) else {
                let place = self.place();
                return self.give_up(|| format!("the size of {var} ({place}) is no polynomial"));
            };
            self.sizes.is_size(&factor);
            let factor = self.sizes.at_most(&factor);
            self.sizes.is_size(&factor);
            bytes = bytes.mul(&factor);
        }
        self.site(var, space, bytes.clone(), false);
        // Only the heap counts.
        let counted = match (space, self.parallel) {
            (Space::Default, true) => bytes.mul(&self.sizes.strands()),
            (Space::Default, false) => bytes,
            _ => Poly::default(),
        };
        self.times.insert(var, self.time);
        for world in &mut state.worlds {
            world.alloc(var, counted.clone());
            let total = world.total();
            // (where nothing is added it was as much before)
            if space != Space::Default || total.as_constant() == Some(0) {
                continue;
            }
            let peak = Peak { bytes: total, at: var };
            if !self.peaks.iter().any(|other| self.covers(other, &peak)) {
                let mut peaks = std::mem::take(&mut self.peaks);
                peaks.retain(|other| !self.covers(&peak, other));
                self.peaks = peaks;
                self.peaks.push(peak);
            }
        }
    }

    /// Whether the first is never less than the second. What both say is of two times: variables may have other values then.
    fn covers(&self, peak: &Peak, other: &Peak) -> bool {
        let lasting = |poly: &Poly| {
            let mut lasting = true;
            poly.for_each_var(&mut |var| lasting &= !self.assigned.contains(&var));
            lasting
        };
        let together = peak.at == other.at || self.times.get(&peak.at) == self.times.get(&other.at);
        (together || lasting(&peak.bytes) && lasting(&other.bytes))
            && self.sizes.at_least_as_large(&peak.bytes, &other.bytes)
    }

    fn site(&mut self, var: Var, space: Space, bytes: Poly, argument: bool) {
        let (loops, strands) = (self.loops.clone(), self.parallel);
        let loc = if argument { None } else { self.loc };
        let site = self.sites.entry(var).or_insert_with(|| {
            self.order.push(var);
            let (bytes, arrays) = (Vec::new(), Vec::new());
            Site { var, loc, argument, space, bytes, loops, strands, arrays, last: None, result: false }
        });
        self.sizes.add_candidate(&mut site.bytes, bytes);
    }

    /// Notes which blocks a statement uses.
    fn used(&mut self, statement: &Statement, state: &State) {
        let Some(loc) = statement.loc else { return };
        if matches!(statement.kind, StatementKind::Free(_) | StatementKind::Share(_)) {
            return;
        }
        let now = (self.steps, loc);
        let (worlds, sites) = (&state.worlds, &mut self.sites);
        statement.kind.for_each_use(&mut |var| {
            for site in worlds.iter().filter_map(|world| world.block(var)).flat_map(|block| &block.sites) {
                if let Some(site) = sites.get_mut(site) {
                    site.last = Some(now);
                }
            }
        });
    }

    fn call(&mut self, results: &[Var], name: Symbol, args: &[Exp], state: &mut State) {
        let Some(procedure) = self.procedures.get(&name).copied() else { return };
        if self.calls.contains(&name) || self.calls.len() > MOST_CALLS {
            return self.give_up(|| format!("`{name}` calls itself: how deep depends on the run"));
        }
        for ((param, ty), arg) in procedure.params.iter().zip(args) {
            match ty {
                ImpType::Prim(_) => {
                    let value = self.value(arg, state).unwrap_or_else(|| self.computed(*param));
                    self.lets.insert(*param, value);
                }
                ImpType::Mem(_) => {
                    let arg = variable(arg);
                    state.worlds.iter_mut().for_each(|world| world.set(*param, arg));
                }
            }
        }
        let (loc, outer) = (self.loc, std::mem::take(&mut state.vars));
        self.calls.push(name);
        self.ends.add(procedure);
        self.statements(&procedure.body, state);
        self.calls.pop();
        let values: Vec<Option<Poly>> = procedure
            .results
            .iter()
            .map(|(result, ty)| matches!(ty, ImpType::Prim(_)).then(|| self.value(result, state)).flatten())
            .collect();
        self.loc = loc;
        state.vars = outer;
        for ((var, (result, ty)), value) in results.iter().zip(&procedure.results).zip(values) {
            match ty {
                ImpType::Prim(_) => {
                    let value = value.unwrap_or_else(|| self.computed(*var));
                    state.vars.insert(*var, value);
                }
                ImpType::Mem(_) => {
                    let result = variable(result);
                    state.worlds.iter_mut().for_each(|world| world.set(*var, result));
                }
            }
        }
        let mut declared = declared(&procedure.body);
        declared.extend(procedure.params.iter().map(|(var, _)| *var));
        state.worlds.iter_mut().for_each(|world| world.leave(&declared));
        state.worlds = united(std::mem::take(&mut state.worlds), &mut self.sizes, &mut larger);
    }
}

/// The variable that a condition is about, and its value where the condition holds.
fn flag_of(condition: &Exp) -> Option<(Var, bool)> {
    match condition {
        Exp::Var(var) => Some((*var, true)),
        Exp::Un(UnOp::Not, PrimType::Bool, inner) => flag_of(inner).map(|(var, value)| (var, !value)),
        _ => None,
    }
}

fn variable(exp: &Exp) -> Option<Var> {
    if let Exp::Var(var) = exp { Some(*var) } else { None }
}

/// The variables that statements declare.
pub(super) fn declared(body: &[Statement]) -> BTreeSet<Var> {
    let mut all = BTreeSet::new();
    imp::visit::for_each_statement(body, &mut |statement| {
        all.extend(statement.kind.declares());
        if let StatementKind::For { var, .. } = &statement.kind {
            all.insert(*var);
        }
    });
    all
}

/// Integers as i64, where they fit.
trait AsInt {
    fn as_int_checked(&self) -> Option<i64>;
}

impl AsInt for PrimValue {
    fn as_int_checked(&self) -> Option<i64> {
        self.as_int().and_then(|value| i64::try_from(value).ok())
    }
}
