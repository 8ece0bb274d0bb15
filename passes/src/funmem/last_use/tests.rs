//! Lifetimes across loops, branches and kernels.

use super::Lives;
use crate::funmem::blocks::Blocks;
use fun_base::name::Var;
use fun_base::source::Source;

/// The lifetimes of the one function, and its roots by tag.
fn lives(text: &str) -> (Lives, impl Fn(u32) -> Var) {
    let source = Source { name: "test.funmem".into(), text: text.into() };
    let program = funmem::text::parse_program(&source, 0).expect("parses");
    assert_eq!(funmem::check::check_program(&program), Ok(()), "{text}");
    let blocks = Blocks::of_program(&program);
    let roots: Vec<Var> = blocks.all_roots().map(|(root, _)| root).collect();
    let root = move |tag| roots.iter().copied().find(|root| root.tag == tag).expect("a root");
    (Lives::of_function(&program.functions[0], &blocks), root)
}

#[test]
fn a_loop_keeps_what_it_reads_alive_to_its_end() {
    let (lives, root) = lives(
        "\
entry main [n_0: i64] : (s_1: f32) = {
  let (a_mem_2: mem) = alloc [n_0] f32
  let (a_3: [n_0]f32 @ a_mem_2 -> 0 + {(n_0 : 1)}) = replicate [n_0] 0.0f32
  let (t_4: f32) = loop (t_5: f32 = 0.0f32) for i_6: i64 < n_0 {
    let (x_7: f32) = index a_3[i_6]
    let (b_mem_8: mem) = alloc [n_0] f32
    let (b_9: [n_0]f32 @ b_mem_8 -> 0 + {(n_0 : 1)}) = replicate [n_0] x_7
    let (y_10: f32) = index b_9[i_6]
    let (c_mem_11: mem) = alloc [n_0] f32
    let (c_12: [n_0]f32 @ c_mem_11 -> 0 + {(n_0 : 1)}) = replicate [n_0] y_10
    let (z_13: f32) = index c_12[i_6]
    in (z_13)
  }
  let (d_mem_14: mem) = alloc [n_0] f32
  let (d_15: [n_0]f32 @ d_mem_14 -> 0 + {(n_0 : 1)}) = replicate [n_0] t_4
  let (e_16: f32) = index d_15[0i64]
  in (e_16)
}
",
    );
    let (a, b, c, d) = (root(2), root(8), root(11), root(14));
    // the next iteration reads `a` again
    assert!(lives.interfere(a, b) && lives.interfere(a, c));
    assert!(!lives.interfere(b, c) && !lives.interfere(a, d) && !lives.interfere(c, d));
}

#[test]
fn branches_do_not_see_each_other_and_kernels_write_while_they_read() {
    let (lives, root) = lives(
        "\
entry main [n_0: i64] (c_1: bool) : [r_mem_2: mem] (r_3: [n_0]f32 @ r_mem_2 -> 0 + {(n_0 : 1)}) = {
  let (a_mem_4: mem) = alloc [n_0] f32
  let (b_mem_5: mem) = alloc [n_0] f32
  let (i_mem_6: mem) (i_7: [n_0]f32 @ i_mem_6 -> 0 + {(n_0 : 1)}) = if c_1 {
    let (a_8: [n_0]f32 @ a_mem_4 -> 0 + {(n_0 : 1)}) = replicate [n_0] 0.0f32
    in (a_mem_4, a_8)
  } else {
    let (b_9: [n_0]f32 @ b_mem_5 -> 0 + {(n_0 : 1)}) = replicate [n_0] 1.0f32
    in (b_mem_5, b_9)
  }
  let (k_mem_10: mem) = alloc [n_0] f32
  let (k_11: [n_0]f32 @ k_mem_10 -> 0 + {(n_0 : 1)}) = kernel (j_12 < n_0) {
    let (x_13: f32) = index i_7[j_12]
    in (x_13)
  }
  in (k_mem_10, k_11)
}
",
    );
    let (a, b, k) = (root(4), root(5), root(10));
    assert!(lives.interfere(a, k) && lives.interfere(b, k));
    let [first, after] = lives.spans(a) else { panic!("two lives: {:?}", lives.spans(a)) };
    assert!(!lives.live_in(b, *first) && lives.live_in(b, *after));
}

#[test]
fn the_points_of_a_kernel_see_each_other_in_blocks_from_outside() {
    let (lives, root) = lives(
        "\
entry main [n_0: i64] : (x_1: i64) = {
  let (a_mem_2: mem) = alloc [n_0] i64
  let (b_mem_3: mem) = alloc [n_0] i64
  let (k_mem_4: mem) = alloc [n_0] i64
  let (k_5: [n_0]i64 @ k_mem_4 -> 0 + {(n_0 : 1)}) = kernel (i_6 < n_0) {
    let (a_7: [1i64]i64 @ a_mem_2 -> i_6 + {(1 : 1)}) = replicate [1i64] i_6
    let (x_8: i64) = index a_7[0i64]
    let (b_9: [1i64]i64 @ b_mem_3 -> i_6 + {(1 : 1)}) = replicate [1i64] x_8
    let (y_10: i64) = index b_9[0i64]
    in (y_10)
  }
  in (7i64)
}
",
    );
    let (a, b, k) = (root(2), root(3), root(4));
    assert!(lives.interfere(a, b) && lives.interfere(b, k) && lives.interfere(a, k));
}
