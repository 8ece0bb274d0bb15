//! What random inputs hit, and what they respect.

use super::*;
use fun_base::name::Symbol;
use fun_base::prim::PrimValue;
use fun_base::source::Source;
use fun_passes::program::Stage;
use std::collections::BTreeSet;

fn signature(text: &str) -> Signature {
    let source = Source { name: Symbol::new("test"), text: text.into() };
    let program = Stage::Fun.parse(&source).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(program.check(), Vec::<String>::new());
    Signature::of(&program, "main")
}

/// The scalars in 400 inputs of an array of a type.
fn elements(ty: &str) -> Vec<PrimValue> {
    let signature = signature(&format!("entry main [n_0: i64] (xs_1: [n_0]{ty}) : = {{ in () }}"));
    let arrays = (0..400).flat_map(|seed| signature.draw(seed, Manner::Any).expect("inputs"));
    arrays.flat_map(|value| value.as_array().expect("an array").iter().collect::<Vec<_>>()).collect()
}

#[track_caller]
fn hits(values: &[PrimValue], what: &str, class: impl Fn(&PrimValue) -> bool) {
    let count = values.iter().filter(|value| class(value)).count();
    assert!(count > 0 && count < values.len(), "{what}: {count} of {}", values.len());
}

#[test]
fn sizes_of_every_class() {
    let signature = signature("entry main [n_0: i64] (xs_1: [n_0]u8) : = { in () }");
    let sizes: BTreeSet<i64> =
        (0..400).map(|seed| signature.draw(seed, Manner::Any).expect("inputs")[0].shape()[0]).collect();
    for size in [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17] {
        assert!(sizes.contains(&size), "{size} is not in {sizes:?}");
    }
}

#[test]
fn integers_of_every_class() {
    for (ty, prim) in [
        ("i8", PrimType::I8),
        ("i32", PrimType::I32),
        ("i64", PrimType::I64),
        ("u16", PrimType::U16),
        ("u64", PrimType::U64),
    ] {
        let values = elements(ty);
        let top = prim.bits() - 1;
        let (lowest, highest) = match prim.is_signed() {
            true => (1u64 << top, (1u64 << top) - 1),
            false => (0, u64::MAX >> (63 - top)),
        };
        hits(&values, "zero", |x| x.bits() == 0);
        hits(&values, "lowest", |x| x.bits() == lowest);
        hits(&values, "highest", |x| x.bits() == highest);
        hits(&values, "one", |x| x.as_int() == Some(1));
        if prim.is_signed() {
            hits(&values, "minus one", |x| x.as_int() == Some(-1));
        }
        hits(&values, "a power of two", |x| {
            x.bits() > 16 && x.bits() != lowest && x.bits().is_power_of_two()
        });
        hits(&values, "small", |x| x.as_int().is_some_and(|x| x.abs() <= 12));
    }
    hits(&elements("bool"), "true", |x| x.as_bool() == Some(true));
}

#[test]
fn floats_of_every_class() {
    for (ty, least, largest) in [
        ("f16", 6.103515625e-05, 65504.0),
        ("f32", f32::MIN_POSITIVE.into(), f32::MAX.into()),
        ("f64", f64::MIN_POSITIVE, f64::MAX),
    ] {
        let values = elements(ty);
        let is = |class: fn(f64) -> bool| move |x: &PrimValue| x.as_f64().is_some_and(class);
        hits(&values, "NaN", is(f64::is_nan));
        hits(&values, "infinity", is(|x| x == f64::INFINITY));
        hits(&values, "minus infinity", is(|x| x == f64::NEG_INFINITY));
        hits(&values, "minus zero", is(|x| x == 0.0 && x.is_sign_negative()));
        hits(&values, "ordinary", is(|x| x.abs() > 0.01 && x.abs() < 8.0));
        hits(&values, "denormal", |x| x.as_f64().is_some_and(|x| x > 0.0 && x < least));
        hits(&values, "largest", |x| x.as_f64() == Some(largest));
    }
}

#[test]
fn the_same_seed_gives_the_same_inputs() {
    let signature = signature("entry main [n_0: i64] (xs_1: [n_0]f32) (k_2: i32) : = { in () }");
    for manner in Manner::ALL {
        for seed in 0..20 {
            let (a, b) = (signature.draw(seed, manner), signature.draw(seed, manner));
            let (a, b) = (a.expect("inputs"), b.expect("inputs"));
            assert!(a.iter().zip(&b).all(|(a, b)| a.same(b)), "{manner:?}, seed {seed}");
        }
    }
}

/// `[n+1]`, `[n*m]`, a scalar that is a size of its own, an index, and an assertion in a function that is called.
const PREAMBLE: &str = r#"
fun below (i_30: i64) (n_31: i64) : = {
  let (c_32: bool) = lt.i64 i_30 n_31
  let (d_33: bool) = ge.i64 i_30 0i64
  let (e_34: bool) = and.bool c_32 d_33
  let = assert e_34 "no index" #"test.fut":1:1
  in ()
}

entry main [n_0: i64] [m_1: i64] [k_2: i64] [l_3: i64] (a_4: [n_0]i32) (b_5: [m_1]i32) (c_6: [k_2]i32) (d_7: [l_3]i32) (i_8: i64) (w_9: i32) : = {
  let (x_10: i64) = add.i64 n_0 1i64
  let (x_11: bool) = eq.i64 m_1 x_10
  let = assert x_11 "size" #"test.fut":1:1
  let (x_12: i64) = mul.i64 n_0 m_1
  let (x_13: bool) = eq.i64 k_2 x_12
  let = assert x_13 "size" #"test.fut":1:1
  let (x_14: i64) = convert.i64.i32 w_9
  let (x_15: bool) = eq.i64 l_3 x_14
  let = assert x_15 "size" #"test.fut":1:1
  let (x_16: bool) = gt.i64 l_3 3i64
  let (x_17: bool) = eq.i64 l_3 0i64
  let (x_18: bool) = or.bool x_16 x_17
  let = assert x_18 "size" #"test.fut":1:1
  let = call below i_8 m_1
  in ()
}
"#;

#[test]
fn what_the_entry_asserts_of_sizes_and_scalars_is_respected() {
    let signature = signature(PREAMBLE);
    for manner in Manner::ALL {
        let mut good = 0;
        let mut sizes = BTreeSet::new();
        for seed in 0..200 {
            let inputs = signature.draw(seed, manner).expect("inputs");
            let size = |k: usize| inputs[k].shape()[0];
            let int = |k: usize| inputs[k].as_prim().and_then(PrimValue::as_int).map(|x| x as i64);
            let (n, m, k, l) = (size(0), size(1), size(2), size(3));
            let i = int(4).expect("an integer");
            let fits =
                m == n + 1 && k == n * m && int(5) == Some(l) && (l > 3 || l == 0) && (0..m).contains(&i);
            if fits {
                good += 1;
                sizes.insert(n);
            }
        }
        let least = if manner == Manner::Any { 100 } else { 180 };
        assert!(good >= least, "{manner:?}: {good} of 200");
        assert!(sizes.len() >= 4, "{manner:?}: {sizes:?}");
    }
}

#[test]
fn manners_keep_what_they_promise() {
    let signature = signature(
        "entry main [n_0: i64] [m_1: i64] (a_2: [n_0]i64) (b_3: [m_1]f64) (i_4: i64) : = { in () }",
    );
    for seed in 0..100 {
        let draw = |manner| signature.draw(seed, manner).expect("inputs");
        let integers = |value: &Value| -> Vec<i64> {
            value.as_array().expect("an array").iter().filter_map(|x| x.as_i64()).collect()
        };
        let inputs = draw(Manner::Indices);
        let bound = inputs[0].shape()[0].min(inputs[1].shape()[0]).max(1);
        assert!(integers(&inputs[0]).iter().all(|i| (0..bound).contains(i)), "{inputs:?}");
        assert!(inputs[1].as_array().expect("an array").iter().all(|x| x.as_f64() > Some(0.0)));
        let inputs = draw(Manner::Equal);
        assert_eq!(inputs[0].shape(), inputs[1].shape());
        let mut sorted = integers(&draw(Manner::Orderly)[0]);
        if sorted.first() > sorted.last() {
            sorted.reverse();
        }
        assert_eq!(sorted, (0..sorted.len() as i64).collect::<Vec<_>>());
        let inputs = draw(Manner::Positive);
        assert!(inputs[0].shape()[0] > 0 && integers(&inputs[0]).iter().all(|x| *x > 0), "{inputs:?}");
    }
}

#[test]
fn arguments_that_no_machine_has_are_refused() {
    let signature = signature("entry main (a_2: [1099511627776i64]i64) : = { in () }");
    assert!(signature.draw(0, Manner::Any).expect_err("too large").contains("[1099511627776]"));
}
