// case: pass introduce-memory lower-to-imp
// A reduction whose elements have loops is cut into a few chunks wherever there are two elements, into one of 32 elements each when there are many; one
// whose elements are short, or have a loop of a few iterations, only from 4096 elements on.
entry main (n_0: i64) (m_1: i64) : (r_2: i64) (s_3: i64) = {
  let (r_4: i64) = kernel (i_5 < n_0) reduce \(p_6: i64) (q_7: i64) : i64 {
    let (z_8: i64) = add.i64 p_6 q_7
    in (z_8)
  } (0i64) {
    let (x_9: i64) = loop (y_10: i64 = i_5) for j_11: i64 < m_1 {
      let (w_12: i64) = mul.i64 y_10 j_11
      in (w_12)
    }
    in (x_9)
  }
  let (s_13: i64) = kernel (i_14 < n_0) reduce \(p_15: i64) (q_16: i64) : i64 {
    let (z_17: i64) = add.i64 p_15 q_16
    in (z_17)
  } (0i64) {
    let (x_18: i64) = loop (y_19: i64 = i_14) for j_20: i64 < 3i64 {
      let (w_21: i64) = mul.i64 y_19 j_20
      in (w_21)
    }
    in (x_18)
  }
  in (r_4, s_13)
}
// ---
// entry proc main(n_0: i64, m_1: i64): (i64, i64)
//   takes (i64 @ 0, i64 @ 1)
//   gives (i64 @ 0, i64 @ 1)
// {
//   let chunk_22: i64 = max.i64(min.i64(quot.i64(add.i64(n_0, sub.i64(8i64, 1i64)), 8i64), mul.i64(quot.i64(add.i64(n_0, sub.i64(2048i64, 1i64)), 2048i64), 32i64)), 1i64)
//   let chunks_23: i64 = quot.i64(add.i64(n_0, sub.i64(chunk_22, 1i64)), chunk_22)
//   alloc partial_mem_24: i64[64i64]
//   view partial_25: i64 @ partial_mem_24 -> 0 + {(64 : 1)}
//   for c_26: i64 < chunks_23 par {
//     let start_27: i64 = mul.i64(c_26, chunk_22)
//     let count_28: i64 = min.i64(sub.i64(n_0, start_27), chunk_22)
//     var acc_29: i64 = 0i64
//     for k_30: i64 < count_28 fold {
//       let i_5: i64 = add.i64(start_27, k_30)
//       var y_10: i64 = i_5
//       for j_11: i64 < m_1 seq {
//         let w_12: i64 = mul.i64(y_10, j_11)
//         y_10 := w_12
//       }
//       let z_8: i64 = add.i64(acc_29, y_10)
//       acc_29 := z_8
//     }
//     partial_25[c_26] := acc_29
//   }
//   var r_4: i64 = 0i64
//   for c_31: i64 < chunks_23 seq {
//     let part_32: i64 = partial_25[c_31]
//     let z_33: i64 = add.i64(r_4, part_32)
//     r_4 := z_33
//   }
//   free partial_mem_24
//   let chunks_34: i64 = select(ge.i64(n_0, 4096i64), 64i64, 1i64)
//   let chunk_35: i64 = quot.i64(add.i64(n_0, sub.i64(chunks_34, 1i64)), chunks_34)
//   alloc partial_mem_36: i64[64i64]
//   view partial_37: i64 @ partial_mem_36 -> 0 + {(64 : 1)}
//   for c_38: i64 < chunks_34 par {
//     let start_39: i64 = mul.i64(c_38, chunk_35)
//     let count_40: i64 = min.i64(sub.i64(n_0, start_39), chunk_35)
//     var acc_41: i64 = 0i64
//     for k_42: i64 < count_40 fold {
//       let i_14: i64 = add.i64(start_39, k_42)
//       var y_19: i64 = i_14
//       for j_20: i64 < 3i64 seq {
//         let w_21: i64 = mul.i64(y_19, j_20)
//         y_19 := w_21
//       }
//       let z_17: i64 = add.i64(acc_41, y_19)
//       acc_41 := z_17
//     }
//     partial_37[c_38] := acc_41
//   }
//   var s_13: i64 = 0i64
//   for c_43: i64 < chunks_34 seq {
//     let part_44: i64 = partial_37[c_43]
//     let z_45: i64 = add.i64(s_13, part_44)
//     s_13 := z_45
//   }
//   free partial_mem_36
//   return (r_4, s_13)
// }
