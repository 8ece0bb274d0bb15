//! Programs that measure formulas while they run: where a formula has variables that the program computes, its value is the largest
//! that it has whenever the run comes by.

use super::sizes::{Atom, Sizes};
use super::{Footprint, Peak};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::poly::Poly;
use imp::build::{bin, convert};
use imp::ir::{Exp, ImpType, InterfaceValue, Procedure, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

/// The program whose entry point gives the values of these formulas after its own results, for a number of strands. `None` if one
/// of them depends on what only a parallel loop or another procedure computes.
pub fn instrumented(
    program: &Program,
    entry: &str,
    footprint: &Footprint,
    peaks: &[Peak],
    strands: i64,
) -> Option<Program> {
    let mut program = program.clone();
    let mut names = names_after(&program);
    let procedure = program.procedures.iter_mut().find(|procedure| procedure.name.as_str() == entry)?;
    // Sizes that are computed in another type of integers are the same numbers.
    let types = types_of(procedure);
    let mut ghosts = Ghosts {
        sizes: &footprint.sizes,
        strands,
        names: &mut names,
        types: &types,
        largest: BTreeMap::new(),
    };
    let mut of_peaks: BTreeMap<Var, Vec<(Var, &Poly)>> = BTreeMap::new();
    let mut results = Vec::new();
    for peak in peaks {
        let ghost = ghosts.names.fresh("bytes");
        of_peaks.entry(peak.at).or_default().push((ghost, &peak.bytes));
        results.push(ghost);
    }
    // What is not in scope at a peak is represented by its largest value.
    let mut scope: BTreeSet<Var> = procedure.params.iter().map(|(var, _)| *var).collect();
    let mut inserts: BTreeMap<Var, Vec<Exp>> = BTreeMap::new();
    ghosts.walk(&procedure.body, &mut scope, &of_peaks, &mut inserts)?;
    if inserts.len() != of_peaks.len() {
        return None;
    }
    let measured: BTreeSet<Var> = defined_in_order(&procedure.body);
    if ghosts.largest.keys().any(|var| !measured.contains(var)) {
        return None;
    }
    let largest = ghosts.largest;
    let mut insert = |statement: &Statement| -> Vec<Statement> {
        let mut new = Vec::new();
        let mut assign = |var: Var, value: Exp| {
            let value = bin(BinOp::Max, PrimType::I64, var, value);
            new.push(Statement { kind: StatementKind::Assign { var, value }, loc: statement.loc });
        };
        match &statement.kind {
            StatementKind::Alloc { var, .. } => {
                for ((ghost, _), value) in
                    of_peaks.get(var).into_iter().flatten().zip(inserts.get(var).into_iter().flatten())
                {
                    assign(*ghost, value.clone());
                }
            }
            StatementKind::Let { var, .. }
            | StatementKind::Declare { var, .. }
            | StatementKind::Assign { var, .. } => {
                if let Some(ghost) = largest.get(var) {
                    assign(*ghost, as_i64(*var, &types));
                }
            }
            _ => {}
        }
        new
    };
    add(&mut procedure.body, &mut insert);
    let zero = |var: Var| {
        let (ty, value) = (ImpType::Prim(PrimType::I64), Some(Exp::i64(0)));
        Statement { kind: StatementKind::Declare { var, ty, value }, loc: None }
    };
    let declared = results.iter().copied().chain(largest.values().copied()).map(zero);
    procedure.body.splice(0..0, declared.collect::<Vec<_>>());
    give(procedure, &results);
    Some(program)
}

/// Adds results that a user gets.
fn give(procedure: &mut Procedure, results: &[Var]) {
    for ghost in results {
        let at = procedure.results.len();
        procedure.results.push((Exp::Var(*ghost), ImpType::Prim(PrimType::I64)));
        if let Some(interface) = &mut procedure.interface {
            interface.gives.push(InterfaceValue::Scalar { at, ty: PrimType::I64 });
        }
    }
}

/// Adds statements after others, parallel loops left aside.
fn add(body: &mut Vec<Statement>, insert: &mut dyn FnMut(&Statement) -> Vec<Statement>) {
    let mut done = Vec::with_capacity(body.len());
    for mut statement in std::mem::take(body) {
        if !is_parallel(&statement) {
            statement.kind.for_each_body_mut(&mut |inner| add(inner, insert));
        }
        let new = insert(&statement);
        done.push(statement);
        done.extend(new);
    }
    *body = done;
}

fn is_parallel(statement: &Statement) -> bool {
    matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel())
}

/// The types of the scalars of a procedure.
pub(in crate::imp) fn types_of(procedure: &Procedure) -> BTreeMap<Var, PrimType> {
    let mut types = BTreeMap::new();
    for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
        StatementKind::Let { var, ty, .. }
        | StatementKind::Declare { var, ty: ImpType::Prim(ty), .. }
        | StatementKind::For { var, ty, .. } => _ = types.insert(*var, *ty),
        _ => {}
    });
    types.extend(procedure.params.iter().filter_map(|(var, ty)| match ty {
        ImpType::Prim(ty) => Some((*var, *ty)),
        ImpType::Mem(_) => None,
    }));
    types
}

fn as_i64(var: Var, types: &BTreeMap<Var, PrimType>) -> Exp {
    convert(PrimType::I64, types.get(&var).copied().unwrap_or(PrimType::I64), var)
}

/// The variables of integers that statements outside of parallel loops define.
fn defined_in_order(body: &[Statement]) -> BTreeSet<Var> {
    let mut inside = BTreeSet::new();
    let mut all = BTreeSet::new();
    for_each_statement(body, &mut |statement| {
        if is_parallel(statement) {
            statement.kind.for_each_body(&mut |inner| {
                for_each_statement(inner, &mut |statement| inside.extend(statement.kind.declares()));
            });
        }
        if let StatementKind::Let { var, ty, .. } | StatementKind::Declare { var, ty: ImpType::Prim(ty), .. } =
            &statement.kind
            && ty.is_int()
        {
            all.insert(*var);
        }
    });
    all.difference(&inside).copied().collect()
}

struct Ghosts<'g> {
    sizes: &'g Sizes,
    strands: i64,
    names: &'g mut NameSource,
    types: &'g BTreeMap<Var, PrimType>,
    /// The variables whose largest values are wanted, with what these are called.
    largest: BTreeMap<Var, Var>,
}

impl Ghosts<'_> {
    /// Finds the places of peaks, and the formulas as expressions there.
    fn walk(
        &mut self,
        body: &[Statement],
        scope: &mut BTreeSet<Var>,
        peaks: &BTreeMap<Var, Vec<(Var, &Poly)>>,
        found: &mut BTreeMap<Var, Vec<Exp>>,
    ) -> Option<()> {
        let outside = scope.clone();
        for statement in body {
            scope.extend(statement.kind.declares());
            if let StatementKind::Alloc { var, .. } = &statement.kind
                && let Some(peaks) = peaks.get(var)
            {
                let values: Option<Vec<Exp>> = peaks.iter().map(|(_, poly)| self.exp(poly, scope)).collect();
                found.insert(*var, values?);
            }
            if is_parallel(statement) {
                continue;
            }
            let mut all = Some(());
            statement.kind.for_each_body(&mut |inner| {
                all = all.and_then(|()| self.walk(inner, scope, peaks, found));
            });
            all?;
        }
        *scope = outside;
        Some(())
    }

    fn exp(&mut self, poly: &Poly, scope: &BTreeSet<Var>) -> Option<Exp> {
        let i64 = PrimType::I64;
        let mut sum: Option<Exp> = None;
        for (monomial, coefficient) in poly.terms() {
            let mut product = Exp::i64(coefficient);
            for var in monomial {
                product = bin(BinOp::Mul, i64, product, self.atom(*var, scope)?);
            }
            sum = Some(match sum {
                Some(sum) => bin(BinOp::Add, i64, sum, product),
                None => product,
            });
        }
        Some(sum.unwrap_or(Exp::i64(0)))
    }

    fn atom(&mut self, var: Var, scope: &BTreeSet<Var>) -> Option<Exp> {
        match self.sizes.atom(var)?.clone() {
            Atom::Param => Some(as_i64(var, self.types)),
            Atom::Computed(_) | Atom::Counter(_) if scope.contains(&var) => Some(as_i64(var, self.types)),
            Atom::Computed(_) => Some(self.largest(var)),
            Atom::Largest(of) => Some(self.largest(of)),
            Atom::Most(list) => {
                let mut most: Option<Exp> = None;
                for poly in &list {
                    let value = self.exp(poly, scope)?;
                    most = Some(match most {
                        Some(most) => bin(BinOp::Max, PrimType::I64, most, value),
                        None => value,
                    });
                }
                most
            }
            Atom::Op(op, left, right) => {
                let (left, right) = (self.exp(&left, scope)?, self.exp(&right, scope)?);
                let right = match op {
                    BinOp::Min => right,
                    // a divisor that is 0 where nothing is divided must not stop the run
                    _ => bin(BinOp::Max, PrimType::I64, right, Exp::i64(1)),
                };
                Some(bin(op, PrimType::I64, left, right))
            }
            Atom::Strands => Some(Exp::i64(self.strands)),
            Atom::Counter(_) | Atom::Bit | Atom::Either(..) => None,
        }
    }

    fn largest(&mut self, var: Var) -> Exp {
        let names = &mut *self.names;
        Exp::Var(*self.largest.entry(var).or_insert_with(|| names.fresh("largest")))
    }
}
