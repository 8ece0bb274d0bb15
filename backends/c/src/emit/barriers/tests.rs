//! Before which thread loops a barrier lies: never fewer than memory asks for, and no more where that can be seen.

use super::places;
use fun_base::source::Source;
use imp::check::check;
use imp::ir::{LoopKind, StatementKind};
use imp::text::parse_program;

/// The places in a block with memory of the device, of the block and of threads; each `@` is the loop of its threads.
fn found(block: &str, shuffles_wait: bool) -> Vec<usize> {
    let mut text = String::from(
        "proc p(m_1: mem device, n_2: mem device): () {
         alloc w_16: i64[4i64][2i64] in device view words_14: i64 @ w_16 -> 0 + {(4 : 2)(2 : 1)} var state_15: i32
         view dev_3: i32 @ m_1 -> 0 + {(8 : 1)} view far_4: i32 @ n_2 -> 0 + {(8 : 1)}
         for b_5: i64 < 2i64 chain {
         alloc s_6: i32[8i64] in shared alloc z_7: i32[8i64] in shared
         alloc r_8: i32[4i64] in register alloc q_9: i32[4i64] in register
         view sh_10: i32 @ s_6 -> 0 + {(8 : 1)} view other_11: i32 @ z_7 -> 0 + {(8 : 1)}
         view own_12: i32 @ r_8 -> 0 + {(4 : 1)} view got_13: i32 @ q_9 -> 0 + {(4 : 1)}\n",
    );
    // each loop has a counter of its own
    for (k, part) in block.split('@').enumerate() {
        if k > 0 {
            text += &format!("for t_{}: i64 < 4i64 thread", 20 + k);
        }
        text += &part.replace("[t]", &format!("[t_{}]", 20 + k));
    }
    text += "} return () }";
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{}", source.text));
    assert_eq!(check(&program), Ok(()), "{}", source.text);
    let chain = program.procedures[0].body.iter().find_map(|statement| match &statement.kind {
        StatementKind::For { kind: LoopKind::Chain, body, .. } => Some(body),
        _ => None,
    });
    places(chain.expect("there is a kernel"), shuffles_wait).into_iter().collect()
}

#[test]
fn where_memory_asks_for_it() {
    let cases: [(&str, &[usize]); 17] = [
        // registers
        ("@ { own_12[t] := 1i32 } @ { got_13[t] := own_12[t] }", &[]),
        // written, then read; written again; read by all
        ("@ { sh_10[t] := 1i32 } @ { own_12[t] := sh_10[t] }", &[1]),
        ("@ { sh_10[t] := 1i32 } @ { sh_10[t] := 2i32 }", &[1]),
        ("@ { own_12[t] := sh_10[t] } @ { sh_10[t] := 1i32 }", &[1]),
        ("@ { own_12[t] := sh_10[t] } @ { own_12[t] := sh_10[t] }", &[]),
        // other memory
        ("@ { sh_10[t] := 1i32 } @ { other_11[t] := 2i32 } @ { own_12[t] := sh_10[t] }", &[2]),
        // two variables may hold one block of the device
        ("@ { own_12[t] := dev_3[t] } @ { far_4[t] := own_12[t] }", &[1]),
        // one barrier serves all that came before
        (
            "@ { sh_10[t] := 1i32 } @ { dev_3[t] := sh_10[t] } @ { other_11[t] := 1i32 } @ { own_12[t] := other_11[t] }",
            &[1, 3],
        ),
        // the next iteration comes behind this one
        ("for k_50: i64 < 3i64 seq { @ { sh_10[t] := 1i32 } @ { own_12[t] := sh_10[t] } }", &[0, 1]),
        ("for k_50: i64 < 3i64 seq { @ { own_12[t] += 1i32 } } @ { sh_10[t] := own_12[t] }", &[]),
        // a branch that may not be taken
        (
            "@ { sh_10[t] := 1i32 } if lt.i64(b_5, 1i64) { @ { own_12[t] := sh_10[t] } } @ { own_12[t] := sh_10[t] }",
            &[1, 2],
        ),
        // windows, and what stands deep inside
        (
            "window w_50 = sh_10[0i64 : 8i64 : 1i64] @ { if true { w_50[t] := 1i32 } } @ { own_12[t] := sh_10[t] }",
            &[1],
        ),
        // a region, which the first thread does
        (
            "@ { sh_10[t] := 1i32 } ordered words_14 { state_15 := sh_10[0i64] } @ { own_12[t] := sh_10[t] }",
            &[1],
        ),
        (
            "@ { own_12[t] := 1i32 } ordered words_14 { sh_10[0i64] := 1i32 } @ { own_12[t] := sh_10[t] }",
            &[2],
        ),
        // what the first thread did itself
        (
            "@ { if eq.i64(t_21, 0i64) { sh_10[0i64] := 1i32 } } ordered words_14 { state_15 := sh_10[0i64] }",
            &[],
        ),
        ("@ { if eq.i64(t_21, 0i64) { sh_10[0i64] := 1i32 } } @ { own_12[t] := sh_10[0i64] }", &[1]),
        (
            "@ { if eq.i64(t_21, 1i64) { sh_10[0i64] := 1i32 } } ordered words_14 { state_15 := sh_10[0i64] }",
            &[1],
        ),
    ];
    for (block, wanted) in cases {
        assert_eq!(found(block, false), wanted, "{block}");
    }
}

#[test]
fn what_is_a_barrier_itself() {
    let shuffled = "@ { sh_10[t] := 1i32 own_12[t] := 1i32 } shuffle got_13 <- own_12 down 1i64 in 2 @ { own_12[t] := sh_10[t] }";
    assert_eq!(found(shuffled, false), [1]);
    assert_eq!(found(shuffled, true), Vec::<usize>::new());
}
