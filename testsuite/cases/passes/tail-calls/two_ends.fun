// case: pass tail-calls
// Binary search: two ends, two calls, an array that every call passes on, a check that stays with the test, and a middle that is carried along.
fun search [n_0: i64] (xs_1: [n_0]i32) (x_2: i32) (low_3: i64) (high_4: i64) : (r_5: i64) = {
  let (none_6: bool) = le.i64 high_4 low_3
  let (r_7: i64) = if none_6 {
    in (-1i64)
  } else {
    let (sum_8: i64) = add.i64 low_3 high_4
    let (mid_9: i64) = quot.i64 sum_8 2i64
    let (ok_10: bool) = lt.i64 mid_9 n_0
    let = assert ok_10 "out of bounds"
    let (y_11: i32) = index xs_1[mid_9]
    let (here_12: bool) = eq.i32 y_11 x_2
    let (r_13: i64) = if here_12 {
      in (mid_9)
    } else {
      let (left_14: bool) = lt.i32 x_2 y_11
      let (r_15: i64) = if left_14 {
        let (r_16: i64) = call search n_0 xs_1 x_2 low_3 mid_9
        in (r_16)
      } else {
        let (next_17: i64) = add.i64 mid_9 1i64
        let (r_18: i64) = call search n_0 xs_1 x_2 next_17 high_4
        in (r_18)
      }
      in (r_15)
    }
    in (r_13)
  }
  in (r_7)
}
// ---
// fun search [n_0: i64] (xs_1: [n_0]i32) (x_2: i32) (low_3: i64) (high_4: i64) : (r_5: i64) = {
//   let (none_25: bool) = le.i64 high_4 low_3
//   let (go_33: bool) = if none_25 {
//     in (false)
//   } else {
//     let (sum_26: i64) = add.i64 low_3 high_4
//     let (mid_27: i64) = quot.i64 sum_26 2i64
//     let (ok_28: bool) = lt.i64 mid_27 n_0
//     let = assert ok_28 "out of bounds"
//     let (y_29: i32) = index xs_1[mid_27]
//     let (here_30: bool) = eq.i32 y_29 x_2
//     let (go_32: bool) = if here_30 {
//       in (false)
//     } else {
//       let (go_31: bool) = true
//       in (go_31)
//     }
//     in (go_32)
//   }
//   let (go_41: bool) (none_38: bool) (low_39: i64) (high_40: i64) = loop (go_37: bool = go_33) (none_34: bool = none_25) (low_35: i64 = low_3) (high_36: i64 = high_4) while go_37 {
//     let (sum_42: i64) = add.i64 low_35 high_36
//     let (mid_43: i64) = quot.i64 sum_42 2i64
//     let (ok_44: bool) = lt.i64 mid_43 n_0
//     let (y_45: i32) = index xs_1[mid_43]
//     let (here_46: bool) = eq.i32 y_45 x_2
//     let (left_47: bool) = lt.i32 x_2 y_45
//     let (low_49: i64) (high_50: i64) = if left_47 {
//       in (low_35, mid_43)
//     } else {
//       let (next_48: i64) = add.i64 mid_43 1i64
//       in (next_48, high_36)
//     }
//     let (none_51: bool) = le.i64 high_50 low_49
//     let (go_59: bool) = if none_51 {
//       in (false)
//     } else {
//       let (sum_52: i64) = add.i64 low_49 high_50
//       let (mid_53: i64) = quot.i64 sum_52 2i64
//       let (ok_54: bool) = lt.i64 mid_53 n_0
//       let = assert ok_54 "out of bounds"
//       let (y_55: i32) = index xs_1[mid_53]
//       let (here_56: bool) = eq.i32 y_55 x_2
//       let (go_58: bool) = if here_56 {
//         in (false)
//       } else {
//         let (go_57: bool) = true
//         in (go_57)
//       }
//       in (go_58)
//     }
//     in (go_59, none_51, low_49, high_50)
//   }
//   let (r_65: i64) = if none_38 {
//     in (-1i64)
//   } else {
//     let (sum_60: i64) = add.i64 low_39 high_40
//     let (mid_61: i64) = quot.i64 sum_60 2i64
//     let (ok_62: bool) = lt.i64 mid_61 n_0
//     let (y_63: i32) = index xs_1[mid_61]
//     let (here_64: bool) = eq.i32 y_63 x_2
//     in (mid_61)
//   }
//   in (r_65)
// }
