//! What entry points take and give as types with names: those by which libraries and servers show them.
//!
//! A value consists of leaves, scalars and arrays of scalars, in a fixed order: those of a record are those of its fields, one after the
//! other; those of a sum are a tag (the number of the variant) and slots that the payloads of its variants share; and
//! those of an array of records or sums are the arrays over the leaves of its elements.

use fun_base::prim::PrimType;

/// A scalar, or an array of scalars of so many dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The type of the scalars.
    pub elem: PrimType,
    /// The number of dimensions; 0 for a scalar.
    pub rank: usize,
}

/// A type with the name that users see, which has no sizes: `[][]i32`, `point`, `(i32, []f32)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// The name.
    pub name: String,
    /// What its values are.
    pub form: TypeForm,
}

/// What the values of a type are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeForm {
    /// A scalar or an array of scalars.
    Plain(Leaf),
    /// A record, its fields in the order of their leaves; a tuple has the fields `0`, `1`, ….
    Record(Vec<(String, NamedType)>),
    /// A sum.
    Sum {
        /// The variants with their payloads.
        variants: Vec<(String, Vec<NamedType>)>,
        /// For each variant the leaf, counted from the tag, where each leaf of its payload stands.
        places: Vec<Vec<usize>>,
    },
    /// An array of records or sums, of so many dimensions.
    Array(usize, Box<NamedType>),
}

impl NamedType {
    /// A scalar, or an array of scalars.
    pub fn plain(elem: PrimType, rank: usize) -> NamedType {
        NamedType { name: format!("{}{elem}", "[]".repeat(rank)), form: TypeForm::Plain(Leaf { elem, rank }) }
    }

    /// An array of `rank` dimensions, one or more, of these.
    #[must_use]
    pub fn array(self, rank: usize) -> NamedType {
        let name = format!("{}{}", "[]".repeat(rank), self.name);
        let form = match self.form {
            TypeForm::Plain(leaf) => TypeForm::Plain(Leaf { rank: leaf.rank + rank, ..leaf }),
            TypeForm::Array(inner, element) => TypeForm::Array(inner + rank, element),
            TypeForm::Record(_) | TypeForm::Sum { .. } => TypeForm::Array(rank, Box::new(self)),
        };
        NamedType { name, form }
    }

    /// What a value consists of.
    pub fn leaves(&self) -> Vec<Leaf> {
        match &self.form {
            TypeForm::Plain(leaf) => vec![*leaf],
            TypeForm::Record(fields) => fields.iter().flat_map(|(_, ty)| ty.leaves()).collect(),
            TypeForm::Array(rank, element) => {
                let over = |leaf: Leaf| Leaf { rank: leaf.rank + rank, ..leaf };
                element.leaves().into_iter().map(over).collect()
            }
            TypeForm::Sum { variants, places } => {
                let count = places.iter().flatten().copied().max().unwrap_or(0) + 1;
                let mut leaves = vec![Leaf { elem: TAG, rank: 0 }; count];
                for ((_, payload), places) in variants.iter().zip(places) {
                    let of_payload = payload.iter().flat_map(NamedType::leaves);
                    for (leaf, place) in of_payload.zip(places) {
                        leaves[*place] = leaf;
                    }
                }
                leaves
            }
        }
    }
}

/// The type of the tags of sums.
pub const TAG: PrimType = PrimType::U8;

/// What the source says of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryInterface {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub inputs: Vec<Input>,
    /// The type of its result.
    pub output: NamedType,
    /// The same as the source writes it, with sizes.
    pub output_text: String,
    /// The result shares no memory with arguments.
    pub fresh: bool,
    /// Its attributes, as the source writes them.
    pub attributes: Vec<String>,
    /// Its documentation comment.
    pub doc: Option<String>,
}

/// A parameter of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name; `_` where it has none.
    pub name: String,
    /// Its type.
    pub ty: NamedType,
    /// The same as the source writes it, with sizes.
    pub text: String,
    /// The argument is not to be used again.
    pub consumed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_those_of_the_parts() {
        let i32 = || NamedType::plain(PrimType::I32, 0);
        let f32s = || NamedType::plain(PrimType::F32, 1);
        let record = NamedType {
            name: "pair".to_owned(),
            form: TypeForm::Record(vec![("a".to_owned(), i32()), ("b".to_owned(), f32s())]),
        };
        let leaf = |elem, rank| Leaf { elem, rank };
        assert_eq!(record.leaves(), [leaf(PrimType::I32, 0), leaf(PrimType::F32, 1)]);
        let matrix = record.clone().array(1).array(1);
        assert_eq!(matrix.name, "[][]pair");
        assert_eq!(matrix.form, TypeForm::Array(2, Box::new(record)));
        assert_eq!(matrix.leaves(), [leaf(PrimType::I32, 2), leaf(PrimType::F32, 3)]);
        assert_eq!(f32s().array(2), NamedType::plain(PrimType::F32, 3));
        let sum = NamedType {
            name: "sum".to_owned(),
            form: TypeForm::Sum {
                variants: vec![("none".to_owned(), vec![]), ("some".to_owned(), vec![f32s(), i32()])],
                places: vec![vec![], vec![2, 1]],
            },
        };
        assert_eq!(sum.leaves(), [leaf(TAG, 0), leaf(PrimType::I32, 0), leaf(PrimType::F32, 1)]);
    }
}
