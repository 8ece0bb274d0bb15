// case: pass introduce-memory remove-checks
// A condition that a branch gives says of what it was chosen by, and of what the arm computed: as `i < n - 1 && i % 2 == 0` does.
entry main [n_0: i64] (xs_1: [n_0]i32) : (out_92: [n_0]i32) = {
  let (r_2: [n_0]i32) = kernel (i_3 < n_0) {
    let (m_4: i64) = sub.i64 n_0 1i64
    let (x_5: bool) = lt.i64 i_3 m_4
    let (c_6: bool) = if x_5 {
      let (x_7: i64) = mod.i64 i_3 2i64
      let (x_8: bool) = eq.i64 x_7 0i64
      in (x_8)
    } else {
      in (false)
    }
    let (y_9: i32) = if c_6 {
      let (j_10: i64) = add.i64 i_3 1i64
      let (x_11: bool) = lt.i64 j_10 n_0
      let = assert x_11 "chosen"
      let (e_12: i32) = index xs_1[j_10]
      in (e_12)
    } else {
      let (j_13: i64) = add.i64 i_3 1i64
      let (x_14: bool) = lt.i64 j_13 n_0
      let = assert x_14 "not chosen"
      let (e_15: i32) = index xs_1[j_13]
      in (e_15)
    }
    in (y_9)
  }
  in (r_2)
}

// The neighbour of what is not the last exists, though the last one's index is computed from the size.
entry neighbours [n_20: i64] (xs_21: [n_20]i32) : (out_922: [n_20]i32) = {
  let (r_22: [n_20]i32) = kernel (i_23 < n_20) {
    let (m_24: i64) = sub.i64 n_20 1i64
    let (x_25: bool) = eq.i64 i_23 m_24
    let (y_26: i32) = if x_25 {
      in (0i32)
    } else {
      let (j_27: i64) = add.i64 i_23 1i64
      let (x_28: bool) = lt.i64 j_27 n_20
      let = assert x_28 "neighbour"
      let (e_29: i32) = index xs_21[j_27]
      in (e_29)
    }
    in (y_26)
  }
  in (r_22)
}

// A counter down: as far as the one of the loop around has not come.
entry triangle (xs_40: [257i64]i32) : (out_941: [257i64]i32) = {
  let (r_41: [257i64]i32) = loop (xs_42: [257i64]i32 = xs_40) for k_43: i64 < 256i64 {
    let (last_44: i64) = sub.i64 255i64 k_43
    let (ys_45: [257i64]i32) = kernel (i_46 < 257i64) {
      let (x_47: bool) = gt.i64 i_46 last_44
      let (y_48: i32) = if x_47 {
        in (0i32)
      } else {
        let (j_49: i64) = add.i64 i_46 1i64
        let (x_50: bool) = lt.i64 j_49 257i64
        let = assert x_50 "triangle"
        let (e_51: i32) = index xs_42[j_49]
        in (e_51)
      }
      in (y_48)
    }
    in (ys_45)
  }
  in (r_41)
}
// ---
// entry main [n_0: i64] [xs_mem_942: mem] (xs_1: [n_0]i32 @ xs_mem_942 -> 0 + {(n_0 : 1)}) : [out_mem_944: mem] (out_92: [n_0]i32 @ out_mem_944 -> 0 + {(n_0 : 1)}) = {
//   let (r_mem_943: mem) = alloc [n_0] i32
//   let (r_2: [n_0]i32 @ r_mem_943 -> 0 + {(n_0 : 1)}) = kernel (i_3 < n_0) {
//     let (m_4: i64) = sub.i64 n_0 1i64
//     let (x_5: bool) = lt.i64 i_3 m_4
//     let (c_6: bool) = if x_5 {
//       let (x_7: i64) = mod.i64 i_3 2i64
//       let (x_8: bool) = eq.i64 x_7 0i64
//       in (x_8)
//     } else {
//       in (false)
//     }
//     let (y_9: i32) = if c_6 {
//       let (j_10: i64) = add.i64 i_3 1i64
//       let (x_11: bool) = lt.i64 j_10 n_0
//       let (e_12: i32) = index xs_1[j_10]
//       in (e_12)
//     } else {
//       let (j_13: i64) = add.i64 i_3 1i64
//       let (x_14: bool) = lt.i64 j_13 n_0
//       let = assert x_14 "not chosen"
//       let (e_15: i32) = index xs_1[j_13]
//       in (e_15)
//     }
//     in (y_9)
//   }
//   in (r_mem_943, r_2)
// }
//
// entry neighbours [n_20: i64] [xs_mem_945: mem] (xs_21: [n_20]i32 @ xs_mem_945 -> 0 + {(n_20 : 1)}) : [out_mem_947: mem] (out_922: [n_20]i32 @ out_mem_947 -> 0 + {(n_20 : 1)}) = {
//   let (r_mem_946: mem) = alloc [n_20] i32
//   let (r_22: [n_20]i32 @ r_mem_946 -> 0 + {(n_20 : 1)}) = kernel (i_23 < n_20) {
//     let (m_24: i64) = sub.i64 n_20 1i64
//     let (x_25: bool) = eq.i64 i_23 m_24
//     let (y_26: i32) = if x_25 {
//       in (0i32)
//     } else {
//       let (j_27: i64) = add.i64 i_23 1i64
//       let (x_28: bool) = lt.i64 j_27 n_20
//       let (e_29: i32) = index xs_21[j_27]
//       in (e_29)
//     }
//     in (y_26)
//   }
//   in (r_mem_946, r_22)
// }
//
// entry triangle [xs_mem_948: mem] (xs_40: [257i64]i32 @ xs_mem_948 -> 0 + {(257 : 1)}) : [out_mem_954: mem] (out_941: [257i64]i32 @ out_mem_954 -> 0 + {(257 : 1)}) = {
//   let (r_mem_951: mem) (r_41: [257i64]i32 @ r_mem_951 -> 0 + {(257 : 1)}) = loop (xs_mem_949: mem = xs_mem_948) (xs_42: [257i64]i32 @ xs_mem_949 -> 0 + {(257 : 1)} = xs_40) for k_43: i64 < 256i64 {
//     let (last_44: i64) = sub.i64 255i64 k_43
//     let (ys_mem_950: mem) = alloc [257i64] i32
//     let (ys_45: [257i64]i32 @ ys_mem_950 -> 0 + {(257 : 1)}) = kernel (i_46 < 257i64) {
//       let (x_47: bool) = gt.i64 i_46 last_44
//       let (y_48: i32) = if x_47 {
//         in (0i32)
//       } else {
//         let (j_49: i64) = add.i64 i_46 1i64
//         let (x_50: bool) = lt.i64 j_49 257i64
//         let (e_51: i32) = index xs_42[j_49]
//         in (e_51)
//       }
//       in (y_48)
//     }
//     in (ys_mem_950, ys_45)
//   }
//   let (r_mem_953: mem) = alloc [257i64] i32
//   let (r_952: [257i64]i32 @ r_mem_953 -> 0 + {(257 : 1)}) = copy r_41
//   in (r_mem_953, r_952)
// }
