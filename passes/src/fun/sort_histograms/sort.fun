// The order in which the keys of `n` values are sorted, and where the last one of each of `k` keys comes; keys are 0 to `k`, and `k` stands for none.
// Values with the same key stay in order: so whoever combines them in that order gives the same in every run.
//
// Two bits of the key at a time, the lowest first: a scan counts how many values before have each of the four digits, and what begins where is a sum of counts.
fun sort (n_1: i64) (k_2: i64) (keys_3: [n_1]i32) : (sorted_4: [n_1]i32) (order_5: [n_1]i32) (last_6: [k_2]i32) = {
  let (zeros_7: i32) = clz.i64 k_2
  let (zeros_8: i64) = convert.i64.i32 zeros_7
  let (bits_9: i64) = sub.i64 65i64 zeros_8
  let (rounds_10: i64) = quot.i64 bits_9 2i64
  let (given_11: [n_1]i32) = kernel (i_12 < n_1) {
    let (at_13: i32) = convert.i32.i64 i_12
    in (at_13)
  }
  let (sorted_14: [n_1]i32) (order_15: [n_1]i32) = loop (before_16: [n_1]i32 = keys_3) (from_17: [n_1]i32 = given_11) for round_18: i64 < rounds_10 {
    let (round_19: i32) = convert.i32.i64 round_18
    let (shift_20: i32) = mul.i32 round_19 2i32
    let (zeros_21: i32) (ones_22: i32) (twos_23: i32) = kernel (i_24 < n_1) reduce_comm \(a_25: i32) (b_26: i32) (c_27: i32) (d_28: i32) (e_29: i32) (f_30: i32) : i32, i32, i32 {
      let (s_31: i32) = add.i32 a_25 d_28
      let (s_32: i32) = add.i32 b_26 e_29
      let (s_33: i32) = add.i32 c_27 f_30
      in (s_31, s_32, s_33)
    } (0i32, 0i32, 0i32) {
      let (key_34: i32) = index before_16[i_24]
      let (high_35: i32) = shr.i32 key_34 shift_20
      let (digit_36: i32) = and.i32 high_35 3i32
      let (is_37: bool) = eq.i32 digit_36 0i32
      let (is_38: bool) = eq.i32 digit_36 1i32
      let (is_39: bool) = eq.i32 digit_36 2i32
      let (c_40: i32) = convert.i32.bool is_37
      let (c_41: i32) = convert.i32.bool is_38
      let (c_42: i32) = convert.i32.bool is_39
      in (c_40, c_41, c_42)
    }
    let (start_43: i32) = add.i32 zeros_21 ones_22
    let (start_44: i32) = add.i32 start_43 twos_23
    let (places_45: [n_1]i32) = kernel (i_46 < n_1) scan \(a_47: i32) (b_48: i32) (c_49: i32) (d_50: i32) (e_51: i32) (f_52: i32) : i32, i32, i32 {
      let (s_53: i32) = add.i32 a_47 d_50
      let (s_54: i32) = add.i32 b_48 e_51
      let (s_55: i32) = add.i32 c_49 f_52
      in (s_53, s_54, s_55)
    } (0i32, 0i32, 0i32) then \(zeros_56: i32) (ones_57: i32) (twos_58: i32) : i32 {
      let (key_59: i32) = index before_16[i_46]
      let (high_60: i32) = shr.i32 key_59 shift_20
      let (digit_61: i32) = and.i32 high_60 3i32
      let (is_62: bool) = eq.i32 digit_61 0i32
      let (is_63: bool) = eq.i32 digit_61 1i32
      let (is_64: bool) = eq.i32 digit_61 2i32
      let (is_65: bool) = eq.i32 digit_61 3i32
      let (h_66: i32) = convert.i32.bool is_62
      let (h_67: i32) = convert.i32.bool is_63
      let (h_68: i32) = convert.i32.bool is_64
      let (h_69: i32) = convert.i32.bool is_65
      let (at_70: i32) = convert.i32.i64 i_46
      let (behind_71: i32) = sub.i32 at_70 zeros_56
      let (behind_72: i32) = sub.i32 behind_71 ones_57
      let (behind_73: i32) = sub.i32 behind_72 twos_58
      let (zero_74: i32) = sub.i32 zeros_56 1i32
      let (one_75: i32) = add.i32 zeros_21 ones_57
      let (one_76: i32) = sub.i32 one_75 1i32
      let (two_77: i32) = add.i32 start_43 twos_58
      let (two_78: i32) = sub.i32 two_77 1i32
      let (three_79: i32) = add.i32 start_44 behind_73
      let (p_80: i32) = mul.i32 h_66 zero_74
      let (p_81: i32) = mul.i32 h_67 one_76
      let (p_82: i32) = mul.i32 h_68 two_78
      let (p_83: i32) = mul.i32 h_69 three_79
      let (p_84: i32) = add.i32 p_80 p_81
      let (p_85: i32) = add.i32 p_82 p_83
      let (p_86: i32) = add.i32 p_84 p_85
      in (p_86)
    } {
      let (key_87: i32) = index before_16[i_46]
      let (high_88: i32) = shr.i32 key_87 shift_20
      let (digit_89: i32) = and.i32 high_88 3i32
      let (is_90: bool) = eq.i32 digit_89 0i32
      let (is_91: bool) = eq.i32 digit_89 1i32
      let (is_92: bool) = eq.i32 digit_89 2i32
      let (c_93: i32) = convert.i32.bool is_90
      let (c_94: i32) = convert.i32.bool is_91
      let (c_95: i32) = convert.i32.bool is_92
      in (c_93, c_94, c_95)
    }
    let (keys_96: [n_1]i32) = scratch [n_1] i32
    let (order_97: [n_1]i32) = scratch [n_1] i32
    let (keys_98: [n_1]i32) (order_99: [n_1]i32) = kernel (i_100 < n_1) scatter (keys_96, order_97) {
      let (place_101: i32) = index places_45[i_100]
      let (place_102: i64) = convert.i64.i32 place_101
      let (key_103: i32) = index before_16[i_100]
      let (from_104: i32) = index from_17[i_100]
      in (place_102, key_103, from_104)
    }
    in (keys_98, order_99)
  }
  let (none_105: [k_2]i32) = replicate [k_2] -1i32
  let (end_106: i64) = sub.i64 n_1 1i64
  let (last_107: [k_2]i32) = kernel (i_108 < n_1) scatter (none_105) {
    let (key_109: i32) = index sorted_14[i_108]
    let (next_110: i64) = add.i64 i_108 1i64
    let (next_111: i64) = min.i64 next_110 end_106
    let (key_112: i32) = index sorted_14[next_111]
    let (differs_113: bool) = ne.i32 key_109 key_112
    let (is_114: bool) = eq.i64 i_108 end_106
    let (ends_115: bool) = or.bool differs_113 is_114
    let (cell_116: i64) = if ends_115 {
      let (key_117: i64) = convert.i64.i32 key_109
      in (key_117)
    } else {
      in (-1i64)
    }
    let (at_118: i32) = convert.i32.i64 i_108
    in (cell_116, at_118)
  }
  in (sorted_14, order_15, last_107)
}
