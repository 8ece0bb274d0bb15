//! Roots through calls, branches and loops.

use super::{Blocks, Origin};
use fun::visit::Walk;
use fun_base::name::Var;
use fun_base::source::Source;
use funmem::ir::{Mem, MemType, Program};

fn parse(text: &str) -> Program {
    let source = Source { name: "test.funmem".into(), text: text.into() };
    let program = funmem::text::parse_program(&source, 0).expect("parses");
    assert_eq!(funmem::check::check_program(&program), Ok(()), "{text}");
    program
}

/// The variable with this tag.
fn var(program: &Program, tag: u32) -> Var {
    struct Find(u32, Option<Var>);
    impl Walk<Mem> for Find {
        fn bind(&mut self, var: Var, _: Option<&MemType>) {
            if var.tag == self.0 {
                self.1 = Some(var);
            }
        }
    }
    let mut find = Find(tag, None);
    fun::visit::walk_program(&mut find, program);
    find.1.expect("bound")
}

const SWAP: &str = "\
fun same [n_0: i64] [x_mem_1: mem] (*x_2: [n_0]f32 @ x_mem_1 -> 0 + {(n_0 : 1)}) [y_mem_3: mem] (y_4: [n_0]f32 @ y_mem_3 -> 0 + {(n_0 : 1)}) : [r_mem_5: mem] (r_6: [n_0]f32 @ r_mem_5 -> 0 + {(n_0 : 1)}) = {
  in (x_mem_1, x_2)
}

entry main [n_10: i64] (c_11: bool) : [r_mem_12: mem] (r_13: [n_10]f32 @ r_mem_12 -> 0 + {(n_10 : 1)}) = {
  let (a_mem_14: mem) = alloc [n_10] f32
  let (a_15: [n_10]f32 @ a_mem_14 -> 0 + {(n_10 : 1)}) = replicate [n_10] 0.0f32
  let (b_mem_16: mem) = alloc [n_10] f32
  let (b_17: [n_10]f32 @ b_mem_16 -> 0 + {(n_10 : 1)}) = replicate [n_10] 1.0f32
  let (i_mem_18: mem) (i_19: [n_10]f32 @ i_mem_18 -> 0 + {(n_10 : 1)}) = if c_11 {
    in (a_mem_14, a_15)
  } else {
    in (b_mem_16, b_17)
  }
  let (l_mem_20: mem) (l_21: [n_10]f32 @ l_mem_20 -> 0 + {(n_10 : 1)}) = loop (p_mem_22: mem = i_mem_18) (p_23: [n_10]f32 @ p_mem_22 -> 0 + {(n_10 : 1)} = i_19) for k_24: i64 < n_10 {
    let (q_mem_25: mem) = alloc [n_10] f32
    let (q_26: [n_10]f32 @ q_mem_25 -> 0 + {(n_10 : 1)}) = copy p_23
    in (q_mem_25, q_26)
  }
  let (z_mem_27: mem) = alloc [n_10] f32
  let (z_28: [n_10]f32 @ z_mem_27 -> 0 + {(n_10 : 1)}) = replicate [n_10] 2.0f32
  let (f_mem_29: mem) (f_30: [n_10]f32 @ f_mem_29 -> 0 + {(n_10 : 1)}) = call same n_10 l_mem_20 l_21 z_mem_27 z_28
  in (f_mem_29, f_30)
}
";

#[test]
fn names_lead_back_to_their_roots() {
    let program = parse(SWAP);
    let blocks = Blocks::of_program(&program);
    let tags = |tag: u32| blocks.roots(var(&program, tag)).map(|root| root.tag).collect::<Vec<_>>();
    assert_eq!(tags(18), [14, 16]);
    assert_eq!(tags(22), [14, 16, 25]);
    assert_eq!(tags(20), [14, 16, 25]);
    // the function gives its first parameter, not its second
    assert_eq!(tags(29), [14, 16, 25, 29]);
    assert_eq!(blocks.array_roots(var(&program, 28)).count(), 1);
    let (same, other) = (var(&program, 1), var(&program, 3));
    assert_eq!(blocks.origin(same), Some(&Origin::Param { consumed: true }));
    assert_eq!(blocks.origin(other), Some(&Origin::Param { consumed: false }));
    assert!(blocks.may_be_same(var(&program, 20), var(&program, 16)));
    assert!(!blocks.may_be_same(var(&program, 20), var(&program, 27)));
}
