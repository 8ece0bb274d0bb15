// case: pass introduce-memory lower-to-imp hoist-blocks
// The temporary of each point is allocated once for each chunk, that of the inner loop once for each point and so once as well; what comes
// behind an assertion is allocated by the first point that gets there; one whose size depends on the point is replaced where it is too
// small.
entry main (n_0: i64) (m_1: i64) (x_2: bool) : (r_3: [n_0]i64) = {
  let (k_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (a_6: [5i64]i64) = iota.i64 5i64 i_5 m_1
    let (s_7: i64) = kernel (j_8 < 5i64) reduce \(p_9: i64) (q_10: i64) : i64 {
      let (z_11: i64) = add.i64 p_9 q_10
      in (z_11)
    } (0i64) {
      let (b_12: [3i64]i64) = iota.i64 3i64 j_8 2i64
      let (e_13: i64) = index a_6[j_8]
      let (f_14: i64) = index b_12[1i64]
      let (g_15: i64) = mul.i64 e_13 f_14
      in (g_15)
    }
    let (c_16: [i_5]i64) = iota.i64 i_5 0i64 1i64
    let (d_17: [i_5]i64) = copy c_16
    let = assert x_2 "stops"
    let (o_18: [2i64]i64) = iota.i64 2i64 s_7 1i64
    let (v_19: i64) = index o_18[1i64]
    in (v_19)
  }
  in (k_4)
}
// ---
// entry proc main(n_0: i64, m_1: i64, x_2: bool): (mem, i64)
//   takes (i64 @ 0, i64 @ 1, bool @ 2)
//   gives (i64[@1] @ 0)
// {
//   alloc k_mem_20: i64[n_0]
//   view k_4: i64 @ k_mem_20 -> 0 + {(n_0 : 1)}
//   let size_31: i64 = n_0
//   let chunks_32: i64 = max.i64(min.i64(size_31, 64i64), 1i64)
//   let chunk_33: i64 = quot.i64(add.i64(size_31, sub.i64(chunks_32, 1i64)), chunks_32)
//   for c_34: i64 < chunks_32 par {
//     let start_35: i64 = mul.i64(c_34, chunk_33)
//     let count_36: i64 = min.i64(sub.i64(size_31, start_35), chunk_33)
//     alloc a_mem_21: i64[select(gt.i64(count_36, 0i64), 5i64, 0i64)]
//     alloc b_mem_22: i64[select(gt.i64(count_36, 0i64), 3i64, 0i64)]
//     var c_mem_23: mem
//     var cells_39: i64 = -9223372036854775808i64
//     var d_mem_24: mem
//     var cells_42: i64 = -9223372036854775808i64
//     var o_mem_25: mem
//     var made_45: bool = false
//     for k_37: i64 < count_36 seq {
//       let i_5: i64 = add.i64(start_35, k_37)
//       view a_6: i64 @ a_mem_21 -> 0 + {(5 : 1)}
//       for i_27: i64 < 5i64 seq {
//         a_6[i_27] := add.i64(i_5, mul.i64(i_27, m_1))
//       }
//       var s_7: i64 = 0i64
//       for j_8: i64 < 5i64 fold {
//         view b_12: i64 @ b_mem_22 -> 0 + {(3 : 1)}
//         for i_28: i64 < 3i64 seq {
//           b_12[i_28] := add.i64(j_8, mul.i64(i_28, 2i64))
//         }
//         let e_13: i64 = a_6[j_8]
//         let f_14: i64 = b_12[1i64]
//         let g_15: i64 = mul.i64(e_13, f_14)
//         let z_11: i64 = add.i64(s_7, g_15)
//         s_7 := z_11
//       }
//       if gt.i64(i_5, cells_39) {
//         free c_mem_23
//         let larger_40: i64 = max.i64(i_5, add.i64(i_5, min.i64(quot.i64(i_5, 2i64), 1024i64)))
//         alloc c_mem_38: i64[larger_40]
//         c_mem_23 := c_mem_38
//         cells_39 := larger_40
//       }
//       view c_16: i64 @ c_mem_23 -> 0 + {(i_5 : 1)}
//       for i_29: i64 < i_5 seq {
//         c_16[i_29] := i_29
//       }
//       if gt.i64(i_5, cells_42) {
//         free d_mem_24
//         let larger_43: i64 = max.i64(i_5, add.i64(i_5, min.i64(quot.i64(i_5, 2i64), 1024i64)))
//         alloc d_mem_41: i64[larger_43]
//         d_mem_24 := d_mem_41
//         cells_42 := larger_43
//       }
//       view d_17: i64 @ d_mem_24 -> 0 + {(i_5 : 1)}
//       copy d_17 <- c_16
//       assert x_2 "stops"
//       if not.bool(made_45) {
//         alloc o_mem_44: i64[2i64]
//         o_mem_25 := o_mem_44
//         made_45 := true
//       }
//       view o_18: i64 @ o_mem_25 -> 0 + {(2 : 1)}
//       for i_30: i64 < 2i64 seq {
//         o_18[i_30] := add.i64(s_7, i_30)
//       }
//       let v_19: i64 = o_18[1i64]
//       k_4[i_5] := v_19
//     }
//     free c_mem_23
//     free d_mem_24
//     free o_mem_25
//     free a_mem_21
//     free b_mem_22
//   }
//   return (k_mem_20, n_0)
// }
