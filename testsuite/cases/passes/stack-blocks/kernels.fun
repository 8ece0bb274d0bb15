// case: pass introduce-memory lower-to-imp stack-blocks
// Temporaries of constant size go on the stack, in parallel code and out of it; not what is a result, nor what is too large or of a size
// that is not known.
entry main (n_0: i64) : (r_1: [n_0]i64) (t_2: [4i64]i64) = {
  let (k_3: [n_0]i64) = kernel (i_4 < n_0) {
    let (a_5: [5i64]i64) = iota.i64 5i64 i_4 2i64
    let (b_6: [n_0]i64) = iota.i64 n_0 0i64 1i64
    let (c_7: [129i64]i64) = iota.i64 129i64 i_4 1i64
    let (d_8: [128i64]i64) = iota.i64 128i64 i_4 1i64
    let (w_9: i64) = index a_5[1i64]
    let (x_10: i64) = index b_6[i_4]
    let (y_11: i64) = index c_7[1i64]
    let (z_12: i64) = index d_8[1i64]
    let (p_13: i64) = add.i64 w_9 x_10
    let (q_14: i64) = add.i64 y_11 z_12
    let (s_15: i64) = add.i64 p_13 q_14
    in (s_15)
  }
  let (t_16: [4i64]i64) = iota.i64 4i64 0i64 3i64
  in (k_3, t_16)
}
// ---
// entry proc main(n_0: i64): (mem, mem, i64)
//   takes (i64 @ 0)
//   gives (i64[@2] @ 0, i64[4] @ 1)
// {
//   alloc k_mem_17: i64[n_0]
//   view k_3: i64 @ k_mem_17 -> 0 + {(n_0 : 1)}
//   for i_4: i64 < n_0 par {
//     alloc a_mem_18: i64[5i64] in stack
//     view a_5: i64 @ a_mem_18 -> 0 + {(5 : 1)}
//     for i_25: i64 < 5i64 seq {
//       a_5[i_25] := add.i64(i_4, mul.i64(i_25, 2i64))
//     }
//     alloc b_mem_19: i64[n_0]
//     view b_6: i64 @ b_mem_19 -> 0 + {(n_0 : 1)}
//     for i_26: i64 < n_0 seq {
//       b_6[i_26] := i_26
//     }
//     alloc c_mem_20: i64[129i64]
//     view c_7: i64 @ c_mem_20 -> 0 + {(129 : 1)}
//     for i_27: i64 < 129i64 seq {
//       c_7[i_27] := add.i64(i_4, i_27)
//     }
//     alloc d_mem_21: i64[128i64] in stack
//     view d_8: i64 @ d_mem_21 -> 0 + {(128 : 1)}
//     for i_28: i64 < 128i64 seq {
//       d_8[i_28] := add.i64(i_4, i_28)
//     }
//     let w_9: i64 = a_5[1i64]
//     free a_mem_18
//     let x_10: i64 = b_6[i_4]
//     free b_mem_19
//     let y_11: i64 = c_7[1i64]
//     free c_mem_20
//     let z_12: i64 = d_8[1i64]
//     free d_mem_21
//     let p_13: i64 = add.i64(w_9, x_10)
//     let q_14: i64 = add.i64(y_11, z_12)
//     let s_15: i64 = add.i64(p_13, q_14)
//     k_3[i_4] := s_15
//   }
//   alloc t_mem_22: i64[4i64]
//   view t_16: i64 @ t_mem_22 -> 0 + {(4 : 1)}
//   for i_29: i64 < 4i64 seq {
//     t_16[i_29] := mul.i64(i_29, 3i64)
//   }
//   return (k_mem_17, t_mem_22, n_0)
// }
