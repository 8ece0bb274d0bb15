//! Values of sum types as the source can write them: random tags become those of constructors.

use fun_base::prim::PrimValue;
use fun_base::value::Value;
use fun_frontend::lower::Layout;
use std::sync::Arc;

/// Makes the tags in random values for parameters of these layouts those of constructors, those of sums inside of payloads
/// included.
pub fn choose_constructors(layouts: &[Layout], values: &mut [Value]) {
    let mut first = 0;
    for layout in layouts {
        let leaves: Vec<usize> = (first..first + layout.leaves()).collect();
        first += leaves.len();
        if first <= values.len() {
            choose(layout, &leaves, &[], values);
        }
    }
}

/// How many constructors the sum has whose tag each leaf is, for leaves that are nothing else.
pub fn tags(layouts: &[Layout]) -> Vec<Option<usize>> {
    fn add(layout: &Layout, tags: &mut Vec<Option<usize>>) {
        match layout {
            Layout::Prim(_) => tags.push(None),
            Layout::Array(element) => add(element, tags),
            Layout::Record(fields) => fields.iter().for_each(|(_, part)| add(part, tags)),
            Layout::Sum(constructors, slots) => {
                tags.push(Some(constructors.len()));
                tags.extend(slots.slots.iter().map(|_| None));
            }
        }
    }
    let mut tags = Vec::new();
    layouts.iter().for_each(|layout| add(layout, &mut tags));
    tags
}

/// For the value at `index` of the leaves at these positions.
fn choose(layout: &Layout, leaves: &[usize], index: &[i64], values: &mut [Value]) {
    match layout {
        Layout::Prim(_) => {}
        Layout::Array(element) => {
            let size = leaves.first().and_then(|leaf| values[*leaf].shape().get(index.len()));
            for i in 0..size.copied().unwrap_or(0) {
                choose(element, leaves, &[index, &[i]].concat(), values);
            }
        }
        Layout::Record(fields) => {
            let mut rest = leaves;
            for (_, part) in fields {
                let (own, others) = rest.split_at(part.leaves().min(rest.len()));
                choose(part, own, index, values);
                rest = others;
            }
        }
        Layout::Sum(constructors, slots) => {
            let Some((tag, rest)) = leaves.split_first() else { return };
            let Some(chosen) = choose_tag(&mut values[*tag], index, constructors.len()) else { return };
            let (Some((_, payload)), Some(places)) = (constructors.get(chosen), slots.places.get(chosen))
            else {
                return;
            };
            let own: Vec<usize> = places.iter().filter_map(|place| rest.get(*place).copied()).collect();
            let mut own = own.as_slice();
            for part in payload {
                let (leaves, others) = own.split_at(part.leaves().min(own.len()));
                choose(part, leaves, index, values);
                own = others;
            }
        }
    }
}

/// Makes the tag at `index` one of `count`, and gives it.
fn choose_tag(value: &mut Value, index: &[i64], count: usize) -> Option<usize> {
    let among = |tag: PrimValue| (tag.bits() % count.max(1) as u64) as usize;
    match value {
        Value::Prim(tag) => {
            let chosen = among(*tag);
            *tag = PrimValue::from_bits(tag.prim_type(), chosen as u64);
            Some(chosen)
        }
        Value::Array(tags) => {
            let flat = index.iter().zip(&tags.shape).fold(0, |flat, (i, size)| flat * size + i);
            let flat = usize::try_from(flat).ok()?;
            let chosen = among(tags.get(flat)?);
            let tag = PrimValue::from_bits(tags.elem_type(), chosen as u64);
            Arc::make_mut(tags).set(flat, tag)?;
            Some(chosen)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::name::Symbol;
    use fun_base::source::Source;
    use fun_base::value::ValueReader;

    fn takes(text: &str) -> Vec<Layout> {
        let source = Source { name: Symbol::new("test"), text: text.into() };
        let compiled = fun_frontend::compile::compile(&source).unwrap_or_else(|error| panic!("{error:?}"));
        compiled.entries.into_iter().next().expect("an entry").takes
    }

    fn amended(layouts: &[Layout], values: &str) -> String {
        let mut values = ValueReader::new(values.as_bytes()).read_all().expect("values");
        choose_constructors(layouts, &mut values);
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_are_those_of_constructors() {
        let layouts = takes("entry main (k: i32) (x: #a i32 | #b | #c u8) (y: bool) = (k, x, y)\n");
        assert_eq!(tags(&layouts), [None, Some(3), None, None, None]);
        assert_eq!(amended(&layouts, "7 255u8 1 200u8 true"), "7i32 0u8 1i32 200u8 true");
        assert_eq!(amended(&layouts, "7 4u8 1 200u8 true"), "7i32 1u8 1i32 200u8 true");
    }

    #[test]
    fn also_in_arrays() {
        let layouts = takes("entry main (xs: [](#a i32 | #b)) = xs\n");
        assert_eq!(amended(&layouts, "[0u8, 3u8, 6u8] [1, 2, 3]"), "[0u8, 1u8, 0u8] [1i32, 2i32, 3i32]");
    }

    /// The payload of `#a` is a sum whose tag shares its place with the number of `#b`, which is left as it is.
    #[test]
    fn sums_in_payloads() {
        let layouts = takes("entry main (xs: [](#a (#x | #y) | #b u8)) = xs\n");
        assert_eq!(amended(&layouts, "[0u8, 1u8, 2u8] [9u8, 9u8, 8u8]"), "[0u8, 1u8, 0u8] [1u8, 9u8, 0u8]");
    }
}
