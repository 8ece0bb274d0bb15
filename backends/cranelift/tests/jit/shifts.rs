//! Shifts in vectors: by a constant, by a number that is the same for all lanes, and by one for each.

use crate::common::run;
use crate::vectors::{agree, edges, in_vectors, loop_text, numbers};
use fun_base::prim::PrimType;
use fun_base::value::ArrayValue;

#[test]
fn shifts_by_constants() {
    for ty in numbers().filter(|ty| ty.is_int()) {
        for (op, count) in [("shl", 3), ("shr", 3), ("lshr", 3), ("shr", ty.bits() - 1), ("shr", 0)] {
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], {count}{ty})");
            agree(ty, &loop_text(&ty.to_string(), &ty.to_string(), &body));
        }
    }
}

#[test]
fn shifts_by_numbers_that_are_the_same_for_all() {
    for ty in numbers().filter(|ty| ty.is_int() && ty.bits() > 8) {
        let width = ty.bits() as i64;
        for op in ["shl", "shr", "lshr"] {
            let signed = op == "shr" && ty.is_signed();
            if signed && width == 64 {
                continue;
            }
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], B_5[0i64])");
            let text = loop_text(&ty.to_string(), &ty.to_string(), &body);
            in_vectors(&text);
            for count in [0, 1, width / 2, width - 1, width, width + 1, -1, i64::MIN] {
                for seed in 0..3 {
                    let counts = ArrayValue::from_prims(ty, vec![ty.of_i64(count); 63]).unwrap().into();
                    run(&text, &[edges(ty, 63, seed), counts]).unwrap();
                }
            }
        }
    }
}

#[test]
fn shifts_of_each_lane_by_its_own_number() {
    for ty in numbers().filter(|ty| ty.is_int() && ty.bits() > 16) {
        let width = ty.bits() as i64;
        for op in ["shl", "shr", "lshr"] {
            if op == "shr" && ty == PrimType::I64 {
                continue;
            }
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], B_5[i_7])");
            let text = loop_text(&ty.to_string(), &ty.to_string(), &body);
            in_vectors(&text);
            for seed in 0..3 {
                let counts =
                    (0..63).map(|k| [0, 1, k, width - 1, width, width + 1, -1, i64::MIN][k as usize % 8]);
                let counts = ArrayValue::from_prims(ty, counts.map(|count| ty.of_i64(count))).unwrap().into();
                run(&text, &[edges(ty, 63, seed), counts]).unwrap();
            }
        }
    }
}

#[test]
fn shifts_by_constants_beyond_the_width() {
    for (ty, counts) in [
        (PrimType::U64, vec!["64u64", "9223372036854775808u64", "18446744073709551615u64"]),
        (PrimType::I64, vec!["64i64", "-1i64"]),
        (PrimType::U32, vec!["32u32", "4294967295u32"]),
        (PrimType::I32, vec!["32i32", "-1i32"]),
        (PrimType::I16, vec!["16i16", "-1i16"]),
    ] {
        for count in counts {
            for op in ["shl", "shr", "lshr"] {
                if (op, ty) == ("shr", PrimType::I64) {
                    continue;
                }
                let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], {count})");
                agree(ty, &loop_text(&ty.to_string(), &ty.to_string(), &body));
            }
        }
    }
}
