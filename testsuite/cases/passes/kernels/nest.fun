// case: pass introduce-memory lower-to-imp simplify-imp kernels simplify-imp
// Two loops are one, with a thread for each point; neighbouring threads write neighbouring cells.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0]f32) : (r_3: [n_0][m_1]f32) = {
  let (r_4: [n_0][m_1]f32) = kernel (i_5 < n_0, j_6 < m_1) {
    let (x_7: f32) = index xs_2[i_5]
    let (y_8: f32) = mul.f32 x_7 x_7
    in (y_8)
  }
  in (r_4)
}
// ---
// entry proc main(n_0: i64, m_1: i64, xs_mem_9: mem): (mem, i64, i64)
//   takes (i64 @ 0, i64 @ 1, f32[@0] @ 2)
//   gives (f32[@1][@2] @ 0)
// {
//   alloc xs_mem_12: f32[n_0] in device
//   view to_13: f32 @ xs_mem_12 -> 0 + {(n_0 : 1)}
//   view from_14: f32 @ xs_mem_9 -> 0 + {(n_0 : 1)}
//   copy to_13 <- from_14
//   view xs_2: f32 @ xs_mem_12 -> 0 + {(n_0 : 1)}
//   alloc r_mem_10: f32[n_0][m_1] in device
//   view r_4: f32 @ r_mem_10 -> 0 + {(n_0 : m_1)(m_1 : 1)}
//   let count_16: i64 = mul.i64(max.i64(n_0, 0i64), max.i64(m_1, 0i64))
//   let points_17: i64 = select(ge.i64(count_16, 1048576i64), 4i64, 1i64)
//   let span_18: i64 = mul.i64(points_17, 256i64)
//   let blocks_19: i64 = quot.i64(add.i64(count_16, sub.i64(span_18, 1i64)), span_18)
//   for block_20: i64 < blocks_19 block {
//     for t_21: i64 < 256i64 thread {
//       let first_point_22: i64 = add.i64(mul.i64(block_20, span_18), t_21)
//       let last_point_23: i64 = add.i64(first_point_22, 768i64)
//       if and.bool(eq.i64(points_17, 4i64), lt.i64(last_point_23, count_16)) {
//         let i_24: i64 = quot.i64(first_point_22, max.i64(m_1, 1i64))
//         let j_25: i64 = sub.i64(first_point_22, mul.i64(i_24, max.i64(m_1, 0i64)))
//         let x_26: f32 = xs_2[i_24]
//         let y_27: f32 = mul.f32(x_26, x_26)
//         let flat_33: i64 = add.i64(first_point_22, 256i64)
//         let i_29: i64 = quot.i64(flat_33, max.i64(m_1, 1i64))
//         let j_30: i64 = sub.i64(flat_33, mul.i64(i_29, max.i64(m_1, 0i64)))
//         let x_31: f32 = xs_2[i_29]
//         let y_32: f32 = mul.f32(x_31, x_31)
//         let flat_38: i64 = add.i64(first_point_22, 512i64)
//         let i_34: i64 = quot.i64(flat_38, max.i64(m_1, 1i64))
//         let j_35: i64 = sub.i64(flat_38, mul.i64(i_34, max.i64(m_1, 0i64)))
//         let x_36: f32 = xs_2[i_34]
//         let y_37: f32 = mul.f32(x_36, x_36)
//         let flat_43: i64 = add.i64(first_point_22, 768i64)
//         let i_39: i64 = quot.i64(flat_43, max.i64(m_1, 1i64))
//         let j_40: i64 = sub.i64(flat_43, mul.i64(i_39, max.i64(m_1, 0i64)))
//         let x_41: f32 = xs_2[i_39]
//         let y_42: f32 = mul.f32(x_41, x_41)
//         r_4[i_24, j_25] := y_27
//         r_4[i_29, j_30] := y_32
//         r_4[i_34, j_35] := y_37
//         r_4[i_39, j_40] := y_42
//       } else {
//         for e_44: i64 < points_17 seq {
//           let flat_15: i64 = add.i64(first_point_22, mul.i64(e_44, 256i64))
//           if lt.i64(flat_15, count_16) {
//             let i_5: i64 = quot.i64(flat_15, max.i64(m_1, 1i64))
//             let j_6: i64 = sub.i64(flat_15, mul.i64(i_5, max.i64(m_1, 0i64)))
//             let x_7: f32 = xs_2[i_5]
//             let y_8: f32 = mul.f32(x_7, x_7)
//             r_4[i_5, j_6] := y_8
//           }
//         }
//       }
//     }
//   }
//   let cells_45: i64 = mul.i64(n_0, m_1)
//   alloc r_mem_46: f32[cells_45]
//   view to_47: f32 @ r_mem_46 -> 0 + {(cells_45 : 1)}
//   view from_48: f32 @ r_mem_10 -> 0 + {(cells_45 : 1)}
//   copy to_47 <- from_48
//   free r_mem_10
//   free xs_mem_12
//   return (r_mem_46, n_0, m_1)
// }
