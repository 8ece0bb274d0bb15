//! A producer's body in place of the reads of its results.

use super::flat::reshaped_body;
use super::reads::{Place, Reads, View};
use fun::ir::{Atom, Binder, Body, Dim, Exp, Fun, NoOp, Statement, Type};
use fun::visit::names::{Subst, rename_body};
use fun::visit::{Map, map_body, map_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::BTreeMap;

/// The consumer with the elements of the producer, a kernel at this place of the body, computed where they are read.
pub(super) fn inline(
    at: usize,
    producer: &[Statement],
    consumer: &[Statement],
    reads: &Reads,
    types: &BTreeMap<Var, Type>,
    names: &mut NameSource,
) -> Vec<Statement> {
    let [Statement { exp: Exp::Kernel { space, body, .. }, .. }] = producer else { return consumer.to_vec() };
    let (known, before) = (BTreeMap::new(), Vec::new());
    let mut inliner = Inliner { at, space, body, reads, types, names, known, before };
    let mut out = Vec::with_capacity(consumer.len());
    consumer.iter().for_each(|statement| inliner.statement(statement, &mut out));
    let mut statements = inliner.before;
    statements.append(&mut out);
    statements
}

struct Inliner<'a> {
    /// The producer.
    at: usize,
    space: &'a [(Var, Atom)],
    body: &'a Body,
    reads: &'a Reads,
    types: &'a BTreeMap<Var, Type>,
    names: &'a mut NameSource,
    /// The results of the points that have been computed where we are.
    known: BTreeMap<Place, Vec<Atom>>,
    /// What the consumer needs before it.
    before: Vec<Statement>,
}

impl Map<Fun, Fun> for Inliner<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn body(&mut self, body: &Body) -> Body {
        let known = self.known.clone();
        let body = map_body(self, body);
        self.known = known;
        body
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let ours = |array: &Var| self.reads.producer_of(*array) == Some(self.at);
        match &statement.exp {
            Exp::Index { array, indices } if ours(array) => {
                self.element(statement, *array, indices.clone(), out);
            }
            // a row, or a view whose elements are computed where they are read
            Exp::Slice { array, dims } if ours(array) => {
                let is_view = statement.pattern.iter().all(|b| self.reads.views.contains_key(&b.var));
                if !is_view {
                    let fixed = dims.iter().map_while(|dim| match dim {
                        Dim::Fix(index) => Some(*index),
                        Dim::Range { .. } | Dim::Flat { .. } => None,
                    });
                    self.element(statement, *array, fixed.collect(), out);
                }
            }
            Exp::Permute { array, .. } | Exp::Reverse { array, .. } | Exp::Reshape { array, .. }
                if ours(array) => {}
            Exp::Atom(Atom::Var(array)) if ours(array) => {}
            _ => out.push(map_statement(self, statement)),
        }
    }
}

impl Inliner<'_> {
    /// Computes the element, or row, that the statement reads.
    fn element(&mut self, statement: &Statement, array: Var, indices: Vec<Atom>, out: &mut Vec<Statement>) {
        let Some((_, k)) = self.reads.result_of(array) else { return };
        let place = self.reads.place(array, &indices);
        let results = match self.known.get(&place) {
            Some(results) => results.clone(),
            None => {
                let (array, indices) = self.resolve(array, indices, statement.loc, out);
                let body = match self.reads.views.get(&array) {
                    Some(View::Reshape(shape, _)) => {
                        let place = (shape.as_slice(), indices.as_slice());
                        let (types, before) = (self.types, &mut self.before);
                        let body = reshaped_body(self.space, self.body, place, types, self.names, before);
                        rename_body(self.names, Subst::new(), &body)
                    }
                    _ => {
                        let counters = self.space.iter().map(|(counter, _)| *counter);
                        let subst: Subst = counters.zip(indices).collect();
                        rename_body(self.names, subst, self.body)
                    }
                };
                out.extend(body.statements);
                self.known.insert(place, body.results.clone());
                body.results
            }
        };
        let exp = Exp::Atom(results[k]);
        out.push(Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc });
    }

    /// The result of the producer that a view is of, and the indices of the same element there.
    fn resolve(
        &mut self,
        array: Var,
        indices: Vec<Atom>,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> (Var, Vec<Atom>) {
        let (mut array, mut indices) = (array, indices);
        while let Some(view) = self.reads.views.get(&array) {
            indices = match view {
                View::Reshape(..) => return (array, indices),
                View::Same(_) => indices,
                View::Permute(perm, _) => {
                    let mut inner = indices.clone();
                    perm.iter().zip(&indices).for_each(|(at, index)| inner[*at] = *index);
                    inner
                }
                View::Reverse(dim, size, _) => {
                    let mut inner = indices.clone();
                    let last = self.scalar(BinOp::Sub, *size, Atom::i64(1), loc, out);
                    inner[*dim] = self.scalar(BinOp::Sub, last, indices[*dim], loc, out);
                    inner
                }
                View::Slice(dims, _) => {
                    let mut outer = indices.into_iter();
                    let mut inner = Vec::with_capacity(dims.len());
                    for dim in dims {
                        let (start, strides) = match dim {
                            Dim::Fix(index) => (*index, Vec::new()),
                            Dim::Range { offset, stride, .. } => (*offset, vec![*stride]),
                            Dim::Flat { offset, dims } => {
                                (*offset, dims.iter().map(|dim| dim.stride).collect())
                            }
                        };
                        let mut at = start;
                        for stride in strides {
                            let index = outer.next().unwrap_or(Atom::i64(0));
                            let steps = self.scalar(BinOp::Mul, index, stride, loc, out);
                            at = self.scalar(BinOp::Add, at, steps, loc, out);
                        }
                        inner.push(at);
                    }
                    inner
                }
            };
            array = view.array();
        }
        (array, indices)
    }

    fn scalar(
        &mut self,
        op: BinOp,
        left: Atom,
        right: Atom,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Atom {
        match op {
            BinOp::Mul if right == Atom::i64(1) => return left,
            BinOp::Add if left == Atom::i64(0) => return right,
            _ => {}
        }
        let var = self.names.fresh("x");
        let pattern = vec![Binder { var, ty: Type::Prim(PrimType::I64) }];
        out.push(Statement { pattern, exp: Exp::Bin(op, PrimType::I64, left, right), loc });
        Atom::Var(var)
    }
}
