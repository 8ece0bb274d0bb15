// case: pass introduce-memory lower-to-imp hoist-blocks
// Behind an assertion, in a branch or in an inner loop that has one, the first iteration that gets there allocates; a block whose size
// changes is replaced where it is too small.
entry main (n_0: i64) (m_1: i64) (x_2: bool) : (r_3: [n_0]i64) = {
  let (k_4: [n_0]i64) = kernel (i_5 < n_0) {
    let = assert x_2 "stops"
    let (s_6: i64) = loop (a_7: i64 = i_5) for t_8: i64 < m_1 {
      let (b_9: bool) = lt.i64 t_8 3i64
      let (v_10: i64) = if b_9 {
        let (c_11: [m_1]i64) = iota.i64 m_1 a_7 1i64
        let (d_12: i64) = index c_11[t_8]
        in (d_12)
      } else {
        let (e_13: [t_8]i64) = iota.i64 t_8 a_7 2i64
        let (f_14: i64) = index e_13[0i64]
        in (f_14)
      }
      in (v_10)
    }
    in (s_6)
  }
  in (k_4)
}
// ---
// entry proc main(n_0: i64, m_1: i64, x_2: bool): (mem, i64)
//   takes (i64 @ 0, i64 @ 1, bool @ 2)
//   gives (i64[@1] @ 0)
// {
//   alloc k_mem_15: i64[n_0]
//   view k_4: i64 @ k_mem_15 -> 0 + {(n_0 : 1)}
//   let size_21: i64 = n_0
//   let chunks_22: i64 = max.i64(min.i64(size_21, 64i64), 1i64)
//   let chunk_23: i64 = quot.i64(add.i64(size_21, sub.i64(chunks_22, 1i64)), chunks_22)
//   for c_24: i64 < chunks_22 par {
//     let start_25: i64 = mul.i64(c_24, chunk_23)
//     let count_26: i64 = min.i64(sub.i64(size_21, start_25), chunk_23)
//     var c_mem_16: mem
//     var made_29: bool = false
//     var e_mem_17: mem
//     var cells_31: i64 = -9223372036854775808i64
//     for k_27: i64 < count_26 seq {
//       let i_5: i64 = add.i64(start_25, k_27)
//       assert x_2 "stops"
//       var a_7: i64 = i_5
//       for t_8: i64 < m_1 seq {
//         let b_9: bool = lt.i64(t_8, 3i64)
//         var v_10: i64
//         if b_9 {
//           if not.bool(made_29) {
//             alloc c_mem_28: i64[m_1]
//             c_mem_16 := c_mem_28
//             made_29 := true
//           }
//           view c_11: i64 @ c_mem_16 -> 0 + {(m_1 : 1)}
//           for i_19: i64 < m_1 seq {
//             c_11[i_19] := add.i64(a_7, i_19)
//           }
//           let d_12: i64 = c_11[t_8]
//           v_10 := d_12
//         } else {
//           if gt.i64(t_8, cells_31) {
//             free e_mem_17
//             let larger_32: i64 = max.i64(t_8, add.i64(t_8, min.i64(quot.i64(t_8, 2i64), 1024i64)))
//             alloc e_mem_30: i64[larger_32]
//             e_mem_17 := e_mem_30
//             cells_31 := larger_32
//           }
//           view e_13: i64 @ e_mem_17 -> 0 + {(t_8 : 1)}
//           for i_20: i64 < t_8 seq {
//             e_13[i_20] := add.i64(a_7, mul.i64(i_20, 2i64))
//           }
//           let f_14: i64 = e_13[0i64]
//           v_10 := f_14
//         }
//         a_7 := v_10
//       }
//       k_4[i_5] := a_7
//     }
//     free c_mem_16
//     free e_mem_17
//   }
//   return (k_mem_15, n_0)
// }
