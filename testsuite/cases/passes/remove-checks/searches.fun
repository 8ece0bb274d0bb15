// case: pass introduce-memory remove-checks
// What every iteration of a loop keeps (facts/invariants.rs): numbers that never fall below or rise above the one they began with, and what a `while` asks.

// a search by halving: low is at least 0, high at most n, and low below high where the loop goes on; behind it low is at most high
entry search [n_0: i64] (xs_1: [n_0]i64) (key_2: i64) : (res_3: i64) = {
  let (some_4: bool) = lt.i64 0i64 n_0
  let (go_5: bool) (low_6: i64) (high_7: i64) = loop (on_8: bool = some_4) (l_9: i64 = 0i64) (h_10: i64 = n_0) while on_8 {
    let (sum_11: i64) = add.i64 l_9 h_10
    let (middle_12: i64) = div.i64 sum_11 2i64
    let (a_13: bool) = le.i64 0i64 middle_12
    let (b_14: bool) = lt.i64 middle_12 n_0
    let (c_15: bool) = and.bool a_13 b_14
    let = assert c_15 "gone: index {} of {}" middle_12 n_0
    let (x_16: i64) = index xs_1[middle_12]
    let (right_17: bool) = lt.i64 x_16 key_2
    let (l_18: i64) (h_19: i64) = if right_17 {
      let (next_20: i64) = add.i64 middle_12 1i64
      in (next_20, h_10)
    } else {
      in (l_9, middle_12)
    }
    let (again_21: bool) = lt.i64 l_18 h_19
    in (again_21, l_18, h_19)
  }
  let (d_22: bool) = le.i64 low_6 n_0
  let = assert d_22 "gone: {} above {}" low_6 n_0
  in (low_6)
}

// a search that begins one behind the end may read there
entry too_far [n_23: i64] (xs_24: [n_23]i64) (key_25: i64) : (res_26: i64) = {
  let (end_27: i64) = add.i64 n_23 1i64
  let (some_28: bool) = lt.i64 0i64 end_27
  let (go_29: bool) (low_30: i64) (high_31: i64) = loop (on_32: bool = some_28) (l_33: i64 = 0i64) (h_34: i64 = end_27) while on_32 {
    let (sum_35: i64) = add.i64 l_33 h_34
    let (middle_36: i64) = div.i64 sum_35 2i64
    let (a_37: bool) = le.i64 0i64 middle_36
    let (b_38: bool) = lt.i64 middle_36 n_23
    let (c_39: bool) = and.bool a_37 b_38
    let = assert c_39 "stays: index {} of {}" middle_36 n_23
    let (x_40: i64) = index xs_24[middle_36]
    let (right_41: bool) = lt.i64 x_40 key_25
    let (l_42: i64) (h_43: i64) = if right_41 {
      let (next_44: i64) = add.i64 middle_36 1i64
      in (next_44, h_34)
    } else {
      in (l_33, middle_36)
    }
    let (again_45: bool) = lt.i64 l_42 h_43
    in (again_45, l_42, h_43)
  }
  in (low_30)
}

// a number that rises by one in some iterations is at most the counter; one that rises by two is not, and is not shown to stay below 2^63
entry kept [n_46: i64] (xs_47: [n_46]i64) : (res_48: i64) (res_49: i64) = {
  let (count_50: i64) (twice_51: i64) (sum_52: i64) = loop (k_53: i64 = 0i64) (j_54: i64 = 0i64) (s_55: i64 = 0i64) for i_56: i64 < n_46 {
    let (a_57: bool) = le.i64 0i64 k_53
    let (b_58: bool) = lt.i64 k_53 n_46
    let (c_59: bool) = and.bool a_57 b_58
    let = assert c_59 "gone: index {} of {}" k_53 n_46
    let (x_60: i64) = index xs_47[k_53]
    let (d_61: bool) = le.i64 0i64 j_54
    let = assert d_61 "stays: {} is below 0" j_54
    let (e_62: bool) = lt.i64 j_54 n_46
    let = assert e_62 "stays: index {} of {}" j_54 n_46
    let (y_63: i64) = index xs_47[j_54]
    let (p_64: bool) = lt.i64 x_60 y_63
    let (k_65: i64) = if p_64 {
      let (next_66: i64) = add.i64 k_53 1i64
      in (next_66)
    } else {
      in (k_53)
    }
    let (j_67: i64) = add.i64 j_54 2i64
    let (s_68: i64) = add.i64 s_55 x_60
    in (k_65, j_67, s_68)
  }
  let (f_69: bool) = le.i64 0i64 count_50
  let = assert f_69 "gone: {} is below 0" count_50
  in (count_50, sum_52)
}
// ---
// entry search [n_0: i64] [xs_mem_70: mem] (xs_1: [n_0]i64 @ xs_mem_70 -> 0 + {(n_0 : 1)}) (key_2: i64) : (res_3: i64) = {
//   let (some_4: bool) = lt.i64 0i64 n_0
//   let (go_5: bool) (low_6: i64) (high_7: i64) = loop (on_8: bool = some_4) (l_9: i64 = 0i64) (h_10: i64 = n_0) while on_8 {
//     let (sum_11: i64) = add.i64 l_9 h_10
//     let (middle_12: i64) = div.i64 sum_11 2i64
//     let (a_13: bool) = le.i64 0i64 middle_12
//     let (b_14: bool) = lt.i64 middle_12 n_0
//     let (c_15: bool) = and.bool a_13 b_14
//     let (x_16: i64) = index xs_1[middle_12]
//     let (right_17: bool) = lt.i64 x_16 key_2
//     let (l_18: i64) (h_19: i64) = if right_17 {
//       let (next_20: i64) = add.i64 middle_12 1i64
//       in (next_20, h_10)
//     } else {
//       in (l_9, middle_12)
//     }
//     let (again_21: bool) = lt.i64 l_18 h_19
//     in (again_21, l_18, h_19)
//   }
//   let (d_22: bool) = le.i64 low_6 n_0
//   in (low_6)
// }
//
// entry too_far [n_23: i64] [xs_mem_71: mem] (xs_24: [n_23]i64 @ xs_mem_71 -> 0 + {(n_23 : 1)}) (key_25: i64) : (res_26: i64) = {
//   let (end_27: i64) = add.i64 n_23 1i64
//   let (some_28: bool) = lt.i64 0i64 end_27
//   let (go_29: bool) (low_30: i64) (high_31: i64) = loop (on_32: bool = some_28) (l_33: i64 = 0i64) (h_34: i64 = end_27) while on_32 {
//     let (sum_35: i64) = add.i64 l_33 h_34
//     let (middle_36: i64) = div.i64 sum_35 2i64
//     let (a_37: bool) = le.i64 0i64 middle_36
//     let (b_38: bool) = lt.i64 middle_36 n_23
//     let (c_39: bool) = and.bool a_37 b_38
//     let = assert c_39 "stays: index {} of {}" middle_36 n_23
//     let (x_40: i64) = index xs_24[middle_36]
//     let (right_41: bool) = lt.i64 x_40 key_25
//     let (l_42: i64) (h_43: i64) = if right_41 {
//       let (next_44: i64) = add.i64 middle_36 1i64
//       in (next_44, h_34)
//     } else {
//       in (l_33, middle_36)
//     }
//     let (again_45: bool) = lt.i64 l_42 h_43
//     in (again_45, l_42, h_43)
//   }
//   in (low_30)
// }
//
// entry kept [n_46: i64] [xs_mem_72: mem] (xs_47: [n_46]i64 @ xs_mem_72 -> 0 + {(n_46 : 1)}) : (res_48: i64) (res_49: i64) = {
//   let (count_50: i64) (twice_51: i64) (sum_52: i64) = loop (k_53: i64 = 0i64) (j_54: i64 = 0i64) (s_55: i64 = 0i64) for i_56: i64 < n_46 {
//     let (a_57: bool) = le.i64 0i64 k_53
//     let (b_58: bool) = lt.i64 k_53 n_46
//     let (c_59: bool) = and.bool a_57 b_58
//     let (x_60: i64) = index xs_47[k_53]
//     let (d_61: bool) = le.i64 0i64 j_54
//     let = assert d_61 "stays: {} is below 0" j_54
//     let (e_62: bool) = lt.i64 j_54 n_46
//     let = assert e_62 "stays: index {} of {}" j_54 n_46
//     let (y_63: i64) = index xs_47[j_54]
//     let (p_64: bool) = lt.i64 x_60 y_63
//     let (k_65: i64) = if p_64 {
//       let (next_66: i64) = add.i64 k_53 1i64
//       in (next_66)
//     } else {
//       in (k_53)
//     }
//     let (j_67: i64) = add.i64 j_54 2i64
//     let (s_68: i64) = add.i64 s_55 x_60
//     in (k_65, j_67, s_68)
//   }
//   let (f_69: bool) = le.i64 0i64 count_50
//   in (count_50, sum_52)
// }
