//! Rules on arrays, by what is known of their operands. A view stands for a view of the same array, so consumption sees the
//! same aliases as before.

use super::Simplify;
use fun::ir::{Atom, Binder, Combine, Dim, Exp, Statement, Type};
use fun::visit::names::{Subst, subst_atom, subst_type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_base::source::Loc;

/// What an array or a scalar is.
#[derive(Clone)]
pub(super) enum Definition {
    /// `start + i * step`.
    Iota { start: Atom, step: Atom, elem: PrimType },
    /// The scalar everywhere.
    Constant(Atom),
    /// Fresh, by a map.
    Made,
    /// The array, which is fresh and has no other use, in all rows of these dimensions.
    Rows(Vec<Atom>, Var),
    /// These scalars.
    Literal(Vec<Atom>),
    /// Rows of another array: each dimension fixed, or whole from its first element on.
    Part(Vec<Dim>, Var),
    /// Another array with its dimensions reordered.
    Permuted(Vec<usize>, Var),
    /// Another array under another shape.
    Reshaped(Var),
    /// A scalar that an array holds.
    Element,
    /// A scalar: what an operator gives.
    Binary(BinOp, PrimType, Atom, Atom),
    /// A scalar: what an operator gives.
    Unary(UnOp, PrimType, Atom),
    /// A scalar: another integer of this type, converted.
    Converted(PrimType, Atom),
}

/// Whether the dimension is fixed, or goes from the first element on in steps of one.
fn starts_first(dim: &Dim) -> bool {
    match dim {
        Dim::Fix(_) => true,
        Dim::Range { offset, stride, .. } => *offset == Atom::i64(0) && *stride == Atom::i64(1),
        Dim::Flat { .. } => false,
    }
}

/// The part `dims` of a part whose ranges start at the first element.
fn part_of(part: &[Dim], dims: Vec<Dim>) -> Vec<Dim> {
    let mut dims = dims.into_iter();
    let compose = |dim: &Dim| match dim {
        Dim::Fix(_) => Some(dim.clone()),
        Dim::Range { .. } | Dim::Flat { .. } => dims.next(),
    };
    part.iter().filter_map(compose).collect()
}

impl Definition {
    /// The definition after substitution.
    fn substituted(&self, subst: &Subst) -> Definition {
        let atom = |atom: &Atom| subst_atom(subst, *atom);
        let atoms = |atoms: &[Atom]| atoms.iter().map(atom).collect();
        let var = |var: Var| subst_atom(subst, Atom::Var(var)).as_var().unwrap_or(var);
        let dim = |dim: &Dim| dim.map_atoms(&mut |part| atom(part));
        match self {
            Definition::Iota { start, step, elem } => {
                Definition::Iota { start: atom(start), step: atom(step), elem: *elem }
            }
            Definition::Constant(value) => Definition::Constant(atom(value)),
            Definition::Made => Definition::Made,
            Definition::Rows(shape, array) => Definition::Rows(atoms(shape), var(*array)),
            Definition::Literal(elems) => Definition::Literal(atoms(elems)),
            Definition::Part(dims, array) => Definition::Part(dims.iter().map(dim).collect(), var(*array)),
            Definition::Permuted(perm, array) => Definition::Permuted(perm.clone(), var(*array)),
            Definition::Reshaped(array) => Definition::Reshaped(var(*array)),
            Definition::Element => Definition::Element,
            Definition::Binary(op, ty, x, y) => Definition::Binary(*op, *ty, atom(x), atom(y)),
            Definition::Unary(op, ty, x) => Definition::Unary(*op, *ty, atom(x)),
            Definition::Converted(from, value) => Definition::Converted(*from, atom(value)),
        }
    }
}

impl Simplify<'_> {
    /// What is known of an array, in terms of what stands for variables by now.
    pub(super) fn definition(&self, array: Var) -> Option<Definition> {
        self.definitions.get(&array).map(|definition| definition.substituted(&self.subst))
    }

    /// Notes what the pattern's array is.
    pub(super) fn define(&mut self, pattern: &[Binder], exp: &Exp) {
        let [binder] = pattern else { return };
        let definition = match exp {
            Exp::Iota { start, step, elem, .. } => {
                Definition::Iota { start: *start, step: *step, elem: *elem }
            }
            Exp::Replicate { shape, value } if shape.len() == binder.ty.rank() => {
                Definition::Constant(*value)
            }
            // (what is used once is not consumed besides)
            Exp::Replicate { shape, value: Atom::Var(array) }
                if self.uses.get(array) == Some(&1)
                    && matches!(
                        self.definitions.get(array),
                        Some(Definition::Made | Definition::Literal(_) | Definition::Iota { .. })
                    ) =>
            {
                Definition::Rows(shape.clone(), *array)
            }
            Exp::Kernel { combine: Combine::Map, .. } | Exp::Map { .. } => Definition::Made,
            Exp::ArrayLiteral { row: Type::Prim(_), elems } => Definition::Literal(elems.clone()),
            Exp::Slice { array, dims } if dims.iter().all(starts_first) => {
                Definition::Part(dims.clone(), *array)
            }
            Exp::Permute { perm, array } => Definition::Permuted(perm.clone(), *array),
            Exp::Reshape { array, .. } => Definition::Reshaped(*array),
            Exp::Index { .. } => Definition::Element,
            Exp::Bin(op, ty, x, y) => Definition::Binary(*op, *ty, *x, *y),
            Exp::Un(op, ty, x) => Definition::Unary(*op, *ty, *x),
            Exp::Convert { from, value, .. } if from.is_int() => Definition::Converted(*from, *value),
            _ => return,
        };
        self.definitions.insert(binder.var, definition);
    }

    /// The expression after the first rule that fits. Statements that it needs are added.
    pub(super) fn rewrite_array(&mut self, exp: Exp, loc: Option<Loc>, out: &mut Vec<Statement>) -> Exp {
        match exp {
            Exp::Index { array, indices } => match self.element(array, &indices, loc, out) {
                Some(atom) => Exp::Atom(atom),
                None => match self.definition(array) {
                    // xs[i, 0:m:1][j] = xs[i, j]
                    Some(Definition::Part(dims, inner)) => {
                        let fixed: Vec<Dim> = indices.into_iter().map(Dim::Fix).collect();
                        let index = |dim: Dim| match dim {
                            Dim::Fix(index) => Some(index),
                            Dim::Range { .. } | Dim::Flat { .. } => None,
                        };
                        let indices = part_of(&dims, fixed).into_iter().filter_map(index).collect();
                        Exp::Index { array: inner, indices }
                    }
                    _ => Exp::Index { array, indices },
                },
            },
            // replicate n (replicate m x) = replicate n m x
            Exp::Replicate { mut shape, value: Atom::Var(array) } => {
                match (self.definition(array), self.shape(array)) {
                    (Some(Definition::Constant(value)), Some(inner)) => {
                        shape.extend(inner);
                        Exp::Replicate { shape, value }
                    }
                    (Some(Definition::Rows(inner, row)), _) => {
                        shape.extend(inner);
                        Exp::Replicate { shape, value: Atom::Var(row) }
                    }
                    _ => Exp::Replicate { shape, value: Atom::Var(array) },
                }
            }
            // all of xs = xs
            Exp::Slice { array, dims } if self.is_whole(array, &dims) => Exp::Atom(Atom::Var(array)),
            // xs[i, 0:m:1][a:b:c] = xs[i, a:b:c]
            Exp::Slice { array, dims } => match self.definition(array) {
                Some(Definition::Part(outer, inner)) => {
                    Exp::Slice { array: inner, dims: part_of(&outer, dims) }
                }
                _ => Exp::Slice { array, dims },
            },
            Exp::Reshape { shape, array } => {
                // reshape s (reshape t xs) = reshape s xs
                let array = match self.definition(array) {
                    Some(Definition::Reshaped(inner)) => inner,
                    _ => array,
                };
                // reshape s xs = xs, if that is its shape
                let same = self.shape(array).is_some_and(|known| known == shape);
                if same { Exp::Atom(Atom::Var(array)) } else { Exp::Reshape { shape, array } }
            }
            Exp::Permute { perm, array } => {
                // permute p (permute q xs) = permute (q ∘ p) xs
                let (perm, array) = match self.definition(array) {
                    Some(Definition::Permuted(inner, below)) => {
                        (perm.iter().map(|k| inner[*k]).collect(), below)
                    }
                    _ => (perm, array),
                };
                // permute (0, 1, …) xs = xs
                let identity = perm.iter().copied().eq(0..perm.len());
                if identity { Exp::Atom(Atom::Var(array)) } else { Exp::Permute { perm, array } }
            }
            // concat xs = copy xs
            Exp::Concat { size, arrays } if arrays.len() == 1 && self.outer_size(arrays[0]) == Some(size) => {
                Exp::Copy(arrays[0])
            }
            other => other,
        }
    }

    fn shape(&self, array: Var) -> Option<Vec<Atom>> {
        let ty = self.types.get(&array)?;
        Some(subst_type(&self.subst, ty).shape().to_vec())
    }

    fn outer_size(&self, array: Var) -> Option<Atom> {
        self.shape(array)?.first().copied()
    }

    fn is_whole(&self, array: Var, dims: &[Dim]) -> bool {
        let Some(shape) = self.shape(array) else { return false };
        dims.iter()
            .zip(shape)
            .all(|(dim, size)| *dim == Dim::Range { offset: Atom::i64(0), count: size, stride: Atom::i64(1) })
    }

    /// An element that need not be read.
    fn element(
        &mut self,
        array: Var,
        indices: &[Atom],
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Option<Atom> {
        match (self.definition(array)?, indices) {
            // (replicate n x)[i] = x
            (Definition::Constant(value), _) => Some(value),
            // [x, y][1] = y
            (Definition::Literal(elems), [index]) => {
                let index = index.as_const()?.as_i64()?;
                elems.get(usize::try_from(index).ok()?).copied()
            }
            // (iota n a b)[i] = a + i * b
            (Definition::Iota { start, step, elem }, [index]) => {
                let ty = Type::Prim(elem);
                let convert = Exp::Convert { to: elem, from: PrimType::I64, value: *index };
                let index = self.scalar(convert, ty.clone(), loc, out);
                let steps = self.scalar(Exp::Bin(BinOp::Mul, elem, index, step), ty.clone(), loc, out);
                Some(self.scalar(Exp::Bin(BinOp::Add, elem, start, steps), ty, loc, out))
            }
            (
                Definition::Literal(_)
                | Definition::Part(..)
                | Definition::Made
                | Definition::Rows(..)
                | Definition::Iota { .. }
                | Definition::Permuted(..)
                | Definition::Reshaped(_)
                | Definition::Element
                | Definition::Binary(..)
                | Definition::Unary(..)
                | Definition::Converted(..),
                _,
            ) => None,
        }
    }
}
