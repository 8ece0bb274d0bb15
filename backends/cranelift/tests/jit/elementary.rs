//! Elementary functions in loops by vectors of 32 bytes, by those of 16, and one by one: the bits of the interpreters, for numbers of all sizes.

use crate::common::program;
use fun_base::prim::math::elementary;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_un, math};
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value};
use fun_cranelift::{Compiled, Options, RunControl, compile, loops_text};

/// The elementary functions of one number.
fn unary() -> impl DoubleEndedIterator<Item = UnOp> {
    UnOp::ALL.into_iter().filter(|op| elementary::is_unary(*op))
}

const BINARY: [BinOp; 3] = [BinOp::Pow, BinOp::Atan2, BinOp::Hypot];

/// Numbers of any bits, those near 0 and 1, and where functions change what they do.
fn numbers(ty: PrimType, seed: u64) -> Vec<PrimValue> {
    let special =
        [0.0, 1.0, 2.0, 0.5, 3.0, 2.5, 1e-9, 1e9, 88.8, 710.3, 1e30, 1e-320, 1e300, f64::INFINITY, f64::NAN];
    let of = |x: f64| if ty == PrimType::F32 { PrimValue::F32(x as f32) } else { PrimValue::F64(x) };
    let mut rng = Rng::new(seed);
    let mut number = |k: usize| match k % 4 {
        0 => {
            PrimValue::from_bits(ty, if ty == PrimType::F32 { rng.next_u64() >> 32 } else { rng.next_u64() })
        }
        1 => of((rng.next_u64() >> 11) as f64 / 2f64.powi(52) - 1.0),
        2 => of((rng.next_u64() >> 11) as f64 / 2f64.powi(46) - 60.0),
        _ => {
            let at = rng.next_u64() as usize;
            of(if at.is_multiple_of(2) {
                special[at / 2 % special.len()]
            } else {
                -special[at / 2 % special.len()]
            })
        }
    };
    // all ends: whole vectors of both widths, and some one by one
    (0..1019).map(&mut number).collect()
}

/// A loop of a kind over the elements of two arrays.
fn text(ty: PrimType, kind: &str, value: &str) -> String {
    format!(
        "entry proc main(n_0: i64, a_1: mem, b_2: mem): (i64, mem)
        takes ({ty}[@0]@1, {ty}[@0]@2) gives ({ty}[@0]@1) {{
        alloc c_3: {ty}[n_0]
        view A_4: {ty} @ a_1 -> 0 + {{(n_0 : 1)}}
        view B_5: {ty} @ b_2 -> 0 + {{(n_0 : 1)}}
        view C_6: {ty} @ c_3 -> 0 + {{(n_0 : 1)}}
        for i_7: i64 < n_0 {kind} {{ C_6[i_7] := {value} }}
        return (n_0, c_3) }}"
    )
}

fn check(ty: PrimType, value: &str, inputs: &[Vec<PrimValue>; 2], expected: &[PrimValue]) {
    let arrays = inputs
        .each_ref()
        .map(|values| Value::from(ArrayValue::from_prims(ty, values.iter().copied()).unwrap()));
    for (kind, wide) in [("simd", true), ("simd", false), ("seq", false)] {
        let program = program(&text(ty, kind, value));
        if kind == "simd" {
            let loops = loops_text(&program).unwrap();
            assert!(loops.contains("lanes"), "{loops} for {value}");
        }
        let code = compile(&program, Options { wide, ..Options::default() }).unwrap();
        let found = code.run("main", &arrays, &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            let (x, y) = (inputs[0][at], inputs[1][at]);
            let same = Value::Prim(found).same(&Value::Prim(*expected));
            assert!(same, "{value} in a {kind} loop of {x:?} and {y:?}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn functions_have_the_bits_of_the_interpreters() {
    for ty in [PrimType::F32, PrimType::F64] {
        let inputs = [numbers(ty, 1), numbers(ty, 2)];
        for op in unary() {
            let expected: Vec<PrimValue> = inputs[0].iter().map(|x| eval_un(op, *x).unwrap()).collect();
            check(ty, &format!("{op}.{ty}(A_4[i_7])"), &inputs, &expected);
        }
        for op in BINARY {
            let pairs = inputs[0].iter().zip(&inputs[1]);
            let expected: Vec<PrimValue> = pairs.map(|(x, y)| eval_bin(op, *x, *y).unwrap()).collect();
            check(ty, &format!("{op}.{ty}(A_4[i_7], B_5[i_7])"), &inputs, &expected);
        }
    }
}

/// All of these fill vectors of 32 bytes where the machine has such.
#[test]
fn functions_run_in_the_longest_vectors() {
    let plain = loops_text(&program(&text(PrimType::F32, "simd", "A_4[i_7]"))).unwrap();
    if !plain.contains("32 bytes") {
        return;
    }
    for ty in [PrimType::F32, PrimType::F64] {
        let unary = unary().map(|op| format!("{op}.{ty}(A_4[i_7])"));
        let binary = BINARY.map(|op| format!("{op}.{ty}(A_4[i_7], B_5[i_7])"));
        for value in unary.into_iter().chain(binary) {
            let loops = loops_text(&program(&text(ty, "simd", &value))).unwrap();
            assert!(loops.contains("32 bytes each"), "{loops} for {value}");
        }
    }
}

/// How many floats a loop goes over at once.
const CHUNK: u64 = 1 << 22;

/// The bits of all floats for which vectors and the interpreters' function differ, at most one for each chunk.
fn different(op: UnOp, code: &Compiled, chunks: impl Iterator<Item = u64>) -> Vec<u32> {
    let function = math::f32::unary(op).unwrap();
    let of_chunk = |chunk: u64| {
        let floats: Vec<f32> =
            (chunk * CHUNK..(chunk + 1) * CHUNK).map(|bits| f32::from_bits(bits as u32)).collect();
        let array = Value::from(ArrayValue::vector(ArrayData::F32(floats.clone())));
        let found = code.run("main", &[array.clone(), array], &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        let ArrayData::F32(found) = &found.data else { panic!("an array of f32") };
        let differs = |(x, y): (&f32, &f32)| {
            let expected = function(*x);
            let same = expected.to_bits() == y.to_bits() || expected.is_nan() && y.is_nan();
            (!same).then(|| x.to_bits())
        };
        floats.iter().zip(found).find_map(differs)
    };
    chunks.filter_map(of_chunk).collect()
}

/// Slow: `cargo test --release -p fun-cranelift -- --ignored all_floats --nocapture`, which says when it is done with each function.
#[test]
#[ignore = "runs functions on all floats"]
fn vectors_have_the_bits_of_the_interpreters_on_all_floats() {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    // the latest ones first
    for op in unary().rev() {
        let began = std::time::Instant::now();
        let program = program(&text(PrimType::F32, "simd", &format!("{op}.f32(A_4[i_7])")));
        assert!(loops_text(&program).unwrap().contains("lanes"), "{op} in vectors");
        let code = compile(&program, Options::default()).unwrap();
        let wrong: Vec<u32> = std::thread::scope(|scope| {
            let part = |first: u64| (first..(1 << 32) / CHUNK).step_by(threads as usize);
            let code = &code;
            let parts: Vec<_> =
                (0..threads).map(|first| scope.spawn(move || different(op, code, part(first)))).collect();
            parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
        });
        assert!(wrong.is_empty(), "{op} of {:?} and {} more", f32::from_bits(wrong[0]), wrong.len() - 1);
        eprintln!("{op}: {:.1} s", began.elapsed().as_secs_f64());
    }
}
