//! All inputs up to a size: every array shape, with every combination of a few values for scalars and elements.
//!
//! The order is that of the sum of the sizes, and then that of the values, plainest first: so the first input that shows a disagreement is
//! a smallest one.

use crate::inputs::{Key, Parameter, Signature, shape_of, small_domain};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayData, ArrayValue, Value, shape_len};
use std::collections::BTreeMap;

/// Combinations of sizes looked at; with more, counting the inputs would take longer than running them ever should.
const MOST_SHAPES: u128 = 1 << 20;

/// All inputs of an entry point up to a size.
pub struct SmallInputs<'s> {
    signature: &'s Signature,
    largest: i64,
    /// Sizes that no assertion on them alone refuses, in order.
    shapes: Vec<BTreeMap<Key, PrimValue>>,
    count: u128,
    /// Values of the parameters that are not to be those of their type.
    domains: BTreeMap<usize, Vec<PrimValue>>,
}

impl<'s> SmallInputs<'s> {
    /// The inputs with sizes up to `largest`. Scalars and elements of the parameters in `domains` have these values instead of
    /// those that stand for their types. The error says why they cannot be counted.
    pub fn new(
        signature: &'s Signature,
        largest: i64,
        domains: BTreeMap<usize, Vec<PrimValue>>,
    ) -> Result<SmallInputs<'s>, String> {
        let keys = signature.sizes();
        let choices = largest.max(0) as u128 + 1;
        let shapes = choices.checked_pow(keys.len() as u32).filter(|shapes| *shapes <= MOST_SHAPES);
        let shapes = shapes.ok_or_else(|| {
            format!("{} sizes up to {largest} can be combined in too many ways", keys.len())
        })?;
        let mut found = Vec::new();
        for number in 0..shapes {
            let mut rest = number;
            let mut values = BTreeMap::new();
            // the last size changes first
            for key in keys.iter().rev() {
                values.insert(*key, PrimValue::I64((rest % choices) as i64));
                rest /= choices;
            }
            if !signature.preamble.refuses(&values) {
                let sum: i64 = values.values().filter_map(|size| size.as_i64()).sum();
                found.push((sum, values));
            }
        }
        found.sort_by_key(|(sum, _)| *sum); // stable
        let shapes = found.into_iter().map(|(_, values)| values).collect();
        let mut small = SmallInputs { signature, largest, shapes, count: 0, domains };
        small.count = small.shapes.iter().map(|sizes| small.count_of(sizes)).fold(0, u128::saturating_add);
        Ok(small)
    }

    /// How many inputs there are.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The inputs.
    pub fn iter(&self) -> impl Iterator<Item = Vec<Value>> + '_ {
        self.shapes.iter().flat_map(|sizes| OfShape::new(self, sizes))
    }

    /// The values of parameter `k`, or of its elements.
    fn domain(&self, k: usize, ty: PrimType, scalar: bool) -> Vec<PrimValue> {
        match self.domains.get(&k) {
            Some(values) => values.clone(),
            // may be meant as a size or an index
            None if scalar && ty == PrimType::I64 => {
                (0..=self.largest.max(2)).chain([-1]).map(PrimValue::I64).collect()
            }
            None => small_domain(ty),
        }
    }

    /// For each parameter how many scalars are chosen, and from what.
    fn choices(&self, sizes: &BTreeMap<Key, PrimValue>) -> Vec<(usize, Vec<PrimValue>)> {
        let parameters = self.signature.parameters.iter().enumerate();
        let choice = |(k, parameter): (usize, &Parameter)| match parameter {
            Parameter::Scalar { key, .. } if sizes.contains_key(key) => (1, vec![sizes[key]]),
            Parameter::Scalar { ty, .. } => (1, self.domain(k, *ty, true)),
            Parameter::Array { elem, shape } => {
                let count = shape_len(&shape_of(shape, sizes)).unwrap_or(usize::MAX);
                (count, self.domain(k, *elem, false))
            }
        };
        parameters.map(choice).collect()
    }

    fn count_of(&self, sizes: &BTreeMap<Key, PrimValue>) -> u128 {
        let counts = self.choices(sizes).into_iter().map(|(count, domain)| match domain.len() {
            0 | 1 => 1,
            several => u32::try_from(count)
                .ok()
                .and_then(|count| (several as u128).checked_pow(count))
                .unwrap_or(u128::MAX),
        });
        counts.fold(1, u128::saturating_mul)
    }
}

/// The inputs of one choice of sizes.
struct OfShape<'s> {
    small: &'s SmallInputs<'s>,
    sizes: &'s BTreeMap<Key, PrimValue>,
    choices: Vec<(usize, Vec<PrimValue>)>,
    /// Positions in the domains, the last changing first; `None` at the end.
    digits: Option<Vec<usize>>,
}

impl<'s> OfShape<'s> {
    fn new(small: &'s SmallInputs<'s>, sizes: &'s BTreeMap<Key, PrimValue>) -> OfShape<'s> {
        let choices = small.choices(sizes);
        let total = choices.iter().map(|(count, _)| *count).fold(0, usize::saturating_add);
        // Nobody gets to the end of more inputs than this, and the first of them are too large to be of use.
        let digits =
            (total < 1 << 24 && choices.iter().all(|(_, domain)| !domain.is_empty())).then(|| vec![0; total]);
        OfShape { small, sizes, choices, digits }
    }

    fn values(&self, digits: &[usize]) -> Option<Vec<Value>> {
        let mut digits = digits.iter();
        let mut values = Vec::new();
        for (parameter, (count, domain)) in self.small.signature.parameters.iter().zip(&self.choices) {
            let mut chosen = digits.by_ref().take(*count).map(|digit| domain[*digit]);
            values.push(match parameter {
                Parameter::Scalar { .. } => Value::Prim(chosen.next()?),
                Parameter::Array { elem, shape } => {
                    let data = ArrayData::from_prims(*elem, chosen)?;
                    Value::from(ArrayValue::new(shape_of(shape, self.sizes), data).ok()?)
                }
            });
        }
        Some(values)
    }

    /// How many values the scalar at each digit has, the last first.
    fn advance(&mut self) {
        let Some(digits) = &mut self.digits else { return };
        let mut at = digits.len();
        for (count, domain) in self.choices.iter().rev() {
            for _ in 0..*count {
                at -= 1;
                digits[at] += 1;
                if digits[at] < domain.len() {
                    return;
                }
                digits[at] = 0;
            }
        }
        self.digits = None;
    }
}

impl Iterator for OfShape<'_> {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let values = self.values(self.digits.as_ref()?);
        self.advance();
        values
    }
}
