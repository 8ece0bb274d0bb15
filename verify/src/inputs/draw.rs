//! Drawing random inputs in different manners.

use super::{Key, MOST_ELEMENTS, Parameter, Signature, Size, scalar};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value, shape_len};
use std::collections::BTreeMap;

/// Values that sizes are drawn from, the likelier ones more than once.
pub(super) const SIZES: [i64; 20] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32];

/// An argument whose type alone asks for more elements than this is not made.
const MOST_OF_TYPE: usize = 1 << 24;

/// How inputs are drawn. All but [`Manner::Any`] avoid what common preconditions refuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Manner {
    /// Sizes and values that break programs: 0, 1, powers of two and their neighbours, primes; extremes, NaN, infinities,
    /// denormals. Mostly such that what the entry asserts of sizes and scalars holds.
    Any,
    /// The same, always such.
    Fitting,
    /// Integers below the sizes in play, floats positive: indices, counts, probabilities.
    Indices,
    /// The same, with one size for all arrays.
    Equal,
    /// Arrays in order: 0, 1, 2, …, forwards or backwards.
    Orderly,
    /// Nothing empty, integers from 1 on.
    Positive,
}

impl Manner {
    /// All of them, the wildest first.
    pub const ALL: [Manner; 6] =
        [Manner::Any, Manner::Fitting, Manner::Indices, Manner::Equal, Manner::Orderly, Manner::Positive];
}

impl Signature {
    /// Inputs of a seed. The error says which argument is too large to be made.
    pub fn draw(&self, seed: u64, manner: Manner) -> Result<Vec<Value>, String> {
        self.draw_up_to(seed, manner, SIZES.into_iter().max().unwrap_or_default())
    }

    /// The same with sizes up to `largest`, as far as assertions don't need more.
    pub fn draw_up_to(&self, seed: u64, manner: Manner, largest: i64) -> Result<Vec<Value>, String> {
        let mut random = Random { rng: Rng::new(seed), manner, largest, bound: 1 };
        let sizes = self.sizes();
        let mut values: BTreeMap<Key, PrimValue> = BTreeMap::new();
        let common = random.size();
        for key in &sizes {
            let same = matches!(manner, Manner::Equal | Manner::Orderly);
            let size = if same { common } else { random.size() };
            values.insert(*key, PrimValue::I64(size));
        }
        let smallest = values.values().filter_map(|size| size.as_i64()).min();
        random.bound = smallest.unwrap_or(common);
        for parameter in &self.parameters {
            if let Parameter::Scalar { ty, key } = parameter
                && !sizes.contains(key)
            {
                values.insert(*key, random.scalar(*ty));
            }
        }
        if manner != Manner::Any || random.rng.chance(75) {
            self.preamble.repair(&mut values, &sizes, MOST_ELEMENTS, &mut random.rng);
        }
        if self.most_elements(&values) > MOST_ELEMENTS {
            for key in &sizes {
                let size = values.get(key).and_then(|size| size.as_i64()).unwrap_or(0);
                values.insert(*key, PrimValue::I64(size.min(5)));
            }
            let before = values.clone();
            self.preamble.repair(&mut values, &sizes, 40, &mut random.rng);
            if self.most_elements(&values) > MOST_ELEMENTS {
                values = before;
            }
        }
        let sizes_left = sizes.iter().filter_map(|key| values.get(key)?.as_i64());
        random.bound = sizes_left.min().unwrap_or(common);
        let parameters = self.parameters.iter().enumerate();
        parameters.map(|(k, parameter)| random.value(k, parameter, &values)).collect()
    }

    /// The number of elements of the largest argument, where it depends on sizes.
    fn most_elements(&self, values: &BTreeMap<Key, PrimValue>) -> i64 {
        let elements = self.parameters.iter().map(|parameter| match parameter {
            Parameter::Scalar { .. } => 0,
            Parameter::Array { shape, .. } => shape
                .iter()
                .filter_map(|size| match size {
                    Size::Key(key) => values.get(key)?.as_i64(),
                    Size::Const(_) => None,
                })
                .fold(1, |product: i64, size| product.saturating_mul(size.max(1))),
        });
        elements.max().unwrap_or(0)
    }
}

/// The shape of an argument when sizes have these values.
pub(crate) fn shape_of(shape: &[Size], values: &BTreeMap<Key, PrimValue>) -> Vec<i64> {
    let size = |size: &Size| match size {
        Size::Key(key) => values.get(key).and_then(|size| size.as_i64()).unwrap_or(0),
        Size::Const(n) => *n,
    };
    shape.iter().map(size).collect()
}

/// Choices of sizes and scalars.
struct Random {
    rng: Rng,
    manner: Manner,
    largest: i64,
    /// The smallest size in play: what is below it is an index of every array.
    bound: i64,
}

impl Random {
    fn size(&mut self) -> i64 {
        let size = self.rng.pick(&SIZES).copied().unwrap_or(0);
        let empty = match self.manner {
            Manner::Any | Manner::Fitting => true,
            Manner::Indices | Manner::Equal | Manner::Orderly => self.rng.chance(20),
            Manner::Positive => false,
        };
        let least = if empty { 0 } else { 1 };
        if self.largest > 2 * size && !SIZES.contains(&self.largest) && self.rng.chance(50) {
            return (self.rng.below(self.largest as usize + 1) as i64).max(least);
        }
        size.min(self.largest).max(least)
    }

    fn scalar(&mut self, ty: PrimType) -> PrimValue {
        match self.manner {
            Manner::Any | Manner::Fitting => scalar::any(&mut self.rng, ty),
            Manner::Indices | Manner::Equal | Manner::Orderly => scalar::tame(&mut self.rng, ty, self.bound),
            Manner::Positive if ty.is_int() => ty.of_i64(1 + self.rng.below(8) as i64),
            Manner::Positive => scalar::tame(&mut self.rng, ty, 1),
        }
    }

    fn value(
        &mut self,
        k: usize,
        parameter: &Parameter,
        values: &BTreeMap<Key, PrimValue>,
    ) -> Result<Value, String> {
        let (elem, shape) = match parameter {
            Parameter::Scalar { key, ty } => {
                return Ok(Value::Prim(values.get(key).copied().unwrap_or(ty.zero())));
            }
            Parameter::Array { elem, shape } => (*elem, shape_of(shape, values)),
        };
        let count = shape_len(&shape).filter(|count| *count <= MOST_OF_TYPE);
        let count = count.ok_or_else(|| {
            let sizes: String = shape.iter().map(|size| format!("[{size}]")).collect();
            format!("argument {k} would have shape {sizes}: too large to be drawn")
        })?;
        let descending = self.manner == Manner::Orderly && self.rng.chance(30);
        let element = |i: usize| match self.manner {
            Manner::Orderly if descending => scalar::number(elem, (count - 1 - i) as i64),
            Manner::Orderly => scalar::number(elem, i as i64),
            Manner::Any | Manner::Fitting | Manner::Indices | Manner::Equal | Manner::Positive => {
                self.scalar(elem)
            }
        };
        let elements: Vec<PrimValue> = (0..count).map(element).collect();
        let array = ArrayData::from_prims(elem, elements).and_then(|data| ArrayValue::new(shape, data).ok());
        array.map(Value::from).ok_or_else(|| format!("argument {k} has a negative size"))
    }
}
