// The order in which the keys of `n` values are sorted, and where the last one of each of `k` keys comes; keys are 0 to `k`, and `k` stands for none.
// Values with the same key stay in order: so whoever combines them in that order gives the same in every run.
//
// A key lies in 64 bits with the number of its value behind it. Two bits of the key are sorted at a time, the lowest first: a scan counts how many values
// before have each of the four digits, and what begins where is a sum of counts. How many values have a digit does not
// depend on their order, so that is counted for all rounds first. As no two values have one place, a maximum beside -1 puts each there by `atomic`,
// where a scatter would ask which of several is the last.
fun #[noinline] _sort_by_cell (n_1: i64) (k_2: i64) (keys_3: [n_1]i32) : (sorted_4: [n_1]i32) (order_5: [n_1]i32) (last_6: [k_2]i32) = {
  let (zeros_7: i32) = clz.i64 k_2
  let (zeros_8: i64) = convert.i64.i32 zeros_7
  let (bits_9: i64) = sub.i64 65i64 zeros_8
  let (rounds_10: i64) = quot.i64 bits_9 2i64
  let (given_11: [n_1]i64) = kernel (i_12 < n_1) {
    let (key_13: i32) = index keys_3[i_12]
    let (key_14: i64) = convert.i64.i32 key_13
    let (high_15: i64) = shl.i64 key_14 32i64
    let (pair_16: i64) = or.i64 high_15 i_12
    in (pair_16)
  }
  let (zeros_22: [rounds_10]i32) (ones_23: [rounds_10]i32) (twos_24: [rounds_10]i32) = kernel (round_130 < rounds_10, i_25 < n_1) reduce_comm \(a_26: i32) (b_27: i32) (c_28: i32) (d_29: i32) (e_30: i32) (f_31: i32) : i32, i32, i32 {
    let (s_32: i32) = add.i32 a_26 d_29
    let (s_33: i32) = add.i32 b_27 e_30
    let (s_34: i32) = add.i32 c_28 f_31
    in (s_32, s_33, s_34)
  } (0i32, 0i32, 0i32) {
    let (low_131: i64) = mul.i64 round_130 2i64
    let (shift_132: i64) = add.i64 low_131 32i64
    let (pair_35: i64) = index given_11[i_25]
    let (high_36: i64) = shr.i64 pair_35 shift_132
    let (digit_37: i64) = and.i64 high_36 3i64
    let (is_38: bool) = eq.i64 digit_37 0i64
    let (is_39: bool) = eq.i64 digit_37 1i64
    let (is_40: bool) = eq.i64 digit_37 2i64
    let (c_41: i32) = convert.i32.bool is_38
    let (c_42: i32) = convert.i32.bool is_39
    let (c_43: i32) = convert.i32.bool is_40
    in (c_41, c_42, c_43)
  }
  let (sorted_17: [n_1]i64) = loop (before_18: [n_1]i64 = given_11) for round_19: i64 < rounds_10 {
    let (low_20: i64) = mul.i64 round_19 2i64
    let (shift_21: i64) = add.i64 low_20 32i64
    let (places_46: [n_1]i32) = kernel (i_47 < n_1) scan \(a_48: i32) (b_49: i32) (c_50: i32) (d_51: i32) (e_52: i32) (f_53: i32) : i32, i32, i32 {
      let (s_54: i32) = add.i32 a_48 d_51
      let (s_55: i32) = add.i32 b_49 e_52
      let (s_56: i32) = add.i32 c_50 f_53
      in (s_54, s_55, s_56)
    } (0i32, 0i32, 0i32) then \(zeros_57: i32) (ones_58: i32) (twos_59: i32) : i32 {
      let (pair_60: i64) = index before_18[i_47]
      let (high_61: i64) = shr.i64 pair_60 shift_21
      let (digit_62: i64) = and.i64 high_61 3i64
      let (is_63: bool) = eq.i64 digit_62 0i64
      let (is_64: bool) = eq.i64 digit_62 1i64
      let (is_65: bool) = eq.i64 digit_62 2i64
      let (is_66: bool) = eq.i64 digit_62 3i64
      let (all_133: i32) = index zeros_22[round_19]
      let (all_134: i32) = index ones_23[round_19]
      let (all_135: i32) = index twos_24[round_19]
      let (start_44: i32) = add.i32 all_133 all_134
      let (start_45: i32) = add.i32 start_44 all_135
      let (h_67: i32) = convert.i32.bool is_63
      let (h_68: i32) = convert.i32.bool is_64
      let (h_69: i32) = convert.i32.bool is_65
      let (h_70: i32) = convert.i32.bool is_66
      let (at_71: i32) = convert.i32.i64 i_47
      let (behind_72: i32) = sub.i32 at_71 zeros_57
      let (behind_73: i32) = sub.i32 behind_72 ones_58
      let (behind_74: i32) = sub.i32 behind_73 twos_59
      let (zero_75: i32) = sub.i32 zeros_57 1i32
      let (one_76: i32) = add.i32 all_133 ones_58
      let (one_77: i32) = sub.i32 one_76 1i32
      let (two_78: i32) = add.i32 start_44 twos_59
      let (two_79: i32) = sub.i32 two_78 1i32
      let (three_80: i32) = add.i32 start_45 behind_74
      let (p_81: i32) = mul.i32 h_67 zero_75
      let (p_82: i32) = mul.i32 h_68 one_77
      let (p_83: i32) = mul.i32 h_69 two_79
      let (p_84: i32) = mul.i32 h_70 three_80
      let (p_85: i32) = add.i32 p_81 p_82
      let (p_86: i32) = add.i32 p_83 p_84
      let (p_87: i32) = add.i32 p_85 p_86
      in (p_87)
    } {
      let (pair_88: i64) = index before_18[i_47]
      let (high_89: i64) = shr.i64 pair_88 shift_21
      let (digit_90: i64) = and.i64 high_89 3i64
      let (is_91: bool) = eq.i64 digit_90 0i64
      let (is_92: bool) = eq.i64 digit_90 1i64
      let (is_93: bool) = eq.i64 digit_90 2i64
      let (c_94: i32) = convert.i32.bool is_91
      let (c_95: i32) = convert.i32.bool is_92
      let (c_96: i32) = convert.i32.bool is_93
      in (c_94, c_95, c_96)
    }
    let (none_97: [n_1]i64) = replicate [n_1] -1i64
    let (after_98: [n_1]i64) = kernel (i_99 < n_1) hist \(a_100: i64) (b_101: i64) : i64 {
      let (most_102: i64) = max.i64 a_100 b_101
      in (most_102)
    } (-9223372036854775808i64) (none_97) {
      let (place_103: i32) = index places_46[i_99]
      let (place_104: i64) = convert.i64.i32 place_103
      let (pair_105: i64) = index before_18[i_99]
      in (place_104, pair_105)
    }
    in (after_98)
  }
  let (keys_106: [n_1]i32) (order_107: [n_1]i32) = kernel (i_108 < n_1) {
    let (pair_109: i64) = index sorted_17[i_108]
    let (high_110: i64) = shr.i64 pair_109 32i64
    let (key_111: i32) = convert.i32.i64 high_110
    let (at_112: i32) = convert.i32.i64 pair_109
    in (key_111, at_112)
  }
  let (none_113: [k_2]i32) = replicate [k_2] -1i32
  let (end_114: i64) = sub.i64 n_1 1i64
  let (last_115: [k_2]i32) = kernel (i_116 < n_1) hist \(a_117: i32) (b_118: i32) : i32 {
    let (most_119: i32) = max.i32 a_117 b_118
    in (most_119)
  } (-2147483648i32) (none_113) {
    let (key_120: i32) = index keys_106[i_116]
    let (next_121: i64) = add.i64 i_116 1i64
    let (next_122: i64) = min.i64 next_121 end_114
    let (key_123: i32) = index keys_106[next_122]
    let (differs_124: bool) = ne.i32 key_120 key_123
    let (is_125: bool) = eq.i64 i_116 end_114
    let (ends_126: bool) = or.bool differs_124 is_125
    let (cell_127: i64) = if ends_126 {
      let (key_128: i64) = convert.i64.i32 key_120
      in (key_128)
    } else {
      in (-1i64)
    }
    let (at_129: i32) = convert.i32.i64 i_116
    in (cell_127, at_129)
  }
  in (keys_106, order_107, last_115)
}
