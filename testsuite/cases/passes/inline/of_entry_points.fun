// case: pass inline
// Two entry points call a function of more than 30 statements, each once: each gets a copy, as in a program of its own.
fun long (x_0: i64) : (r_1: i64) = {
  let (y_2: i64) = mul.i64 x_0 x_0
  let (y_3: i64) = mul.i64 y_2 x_0
  let (y_4: i64) = mul.i64 y_3 x_0
  let (y_5: i64) = mul.i64 y_4 x_0
  let (y_6: i64) = mul.i64 y_5 x_0
  let (y_7: i64) = mul.i64 y_6 x_0
  let (y_8: i64) = mul.i64 y_7 x_0
  let (y_9: i64) = mul.i64 y_8 x_0
  let (y_10: i64) = mul.i64 y_9 x_0
  let (y_11: i64) = mul.i64 y_10 x_0
  let (y_12: i64) = mul.i64 y_11 x_0
  let (y_13: i64) = mul.i64 y_12 x_0
  let (y_14: i64) = mul.i64 y_13 x_0
  let (y_15: i64) = mul.i64 y_14 x_0
  let (y_16: i64) = mul.i64 y_15 x_0
  let (y_17: i64) = mul.i64 y_16 x_0
  let (y_18: i64) = mul.i64 y_17 x_0
  let (y_19: i64) = mul.i64 y_18 x_0
  let (y_20: i64) = mul.i64 y_19 x_0
  let (y_21: i64) = mul.i64 y_20 x_0
  let (y_22: i64) = mul.i64 y_21 x_0
  let (y_23: i64) = mul.i64 y_22 x_0
  let (y_24: i64) = mul.i64 y_23 x_0
  let (y_25: i64) = mul.i64 y_24 x_0
  let (y_26: i64) = mul.i64 y_25 x_0
  let (y_27: i64) = mul.i64 y_26 x_0
  let (y_28: i64) = mul.i64 y_27 x_0
  let (y_29: i64) = mul.i64 y_28 x_0
  let (y_30: i64) = mul.i64 y_29 x_0
  let (y_31: i64) = mul.i64 y_30 x_0
  let (y_32: i64) = mul.i64 y_31 x_0
  in (y_32)
}

entry first (a_40: i64) : (b_41: i64) = {
  let (c_42: i64) = call long a_40
  in (c_42)
}

entry second (a_50: i64) : (b_51: i64) = {
  let (c_52: i64) = add.i64 a_50 1i64
  let (d_53: i64) = call long c_52
  in (d_53)
}
// ---
// entry first (a_40: i64) : (b_41: i64) = {
//   let (y_54: i64) = mul.i64 a_40 a_40
//   let (y_55: i64) = mul.i64 y_54 a_40
//   let (y_56: i64) = mul.i64 y_55 a_40
//   let (y_57: i64) = mul.i64 y_56 a_40
//   let (y_58: i64) = mul.i64 y_57 a_40
//   let (y_59: i64) = mul.i64 y_58 a_40
//   let (y_60: i64) = mul.i64 y_59 a_40
//   let (y_61: i64) = mul.i64 y_60 a_40
//   let (y_62: i64) = mul.i64 y_61 a_40
//   let (y_63: i64) = mul.i64 y_62 a_40
//   let (y_64: i64) = mul.i64 y_63 a_40
//   let (y_65: i64) = mul.i64 y_64 a_40
//   let (y_66: i64) = mul.i64 y_65 a_40
//   let (y_67: i64) = mul.i64 y_66 a_40
//   let (y_68: i64) = mul.i64 y_67 a_40
//   let (y_69: i64) = mul.i64 y_68 a_40
//   let (y_70: i64) = mul.i64 y_69 a_40
//   let (y_71: i64) = mul.i64 y_70 a_40
//   let (y_72: i64) = mul.i64 y_71 a_40
//   let (y_73: i64) = mul.i64 y_72 a_40
//   let (y_74: i64) = mul.i64 y_73 a_40
//   let (y_75: i64) = mul.i64 y_74 a_40
//   let (y_76: i64) = mul.i64 y_75 a_40
//   let (y_77: i64) = mul.i64 y_76 a_40
//   let (y_78: i64) = mul.i64 y_77 a_40
//   let (y_79: i64) = mul.i64 y_78 a_40
//   let (y_80: i64) = mul.i64 y_79 a_40
//   let (y_81: i64) = mul.i64 y_80 a_40
//   let (y_82: i64) = mul.i64 y_81 a_40
//   let (y_83: i64) = mul.i64 y_82 a_40
//   let (y_84: i64) = mul.i64 y_83 a_40
//   in (y_84)
// }
//
// entry second (a_50: i64) : (b_51: i64) = {
//   let (c_52: i64) = add.i64 a_50 1i64
//   let (y_85: i64) = mul.i64 c_52 c_52
//   let (y_86: i64) = mul.i64 y_85 c_52
//   let (y_87: i64) = mul.i64 y_86 c_52
//   let (y_88: i64) = mul.i64 y_87 c_52
//   let (y_89: i64) = mul.i64 y_88 c_52
//   let (y_90: i64) = mul.i64 y_89 c_52
//   let (y_91: i64) = mul.i64 y_90 c_52
//   let (y_92: i64) = mul.i64 y_91 c_52
//   let (y_93: i64) = mul.i64 y_92 c_52
//   let (y_94: i64) = mul.i64 y_93 c_52
//   let (y_95: i64) = mul.i64 y_94 c_52
//   let (y_96: i64) = mul.i64 y_95 c_52
//   let (y_97: i64) = mul.i64 y_96 c_52
//   let (y_98: i64) = mul.i64 y_97 c_52
//   let (y_99: i64) = mul.i64 y_98 c_52
//   let (y_100: i64) = mul.i64 y_99 c_52
//   let (y_101: i64) = mul.i64 y_100 c_52
//   let (y_102: i64) = mul.i64 y_101 c_52
//   let (y_103: i64) = mul.i64 y_102 c_52
//   let (y_104: i64) = mul.i64 y_103 c_52
//   let (y_105: i64) = mul.i64 y_104 c_52
//   let (y_106: i64) = mul.i64 y_105 c_52
//   let (y_107: i64) = mul.i64 y_106 c_52
//   let (y_108: i64) = mul.i64 y_107 c_52
//   let (y_109: i64) = mul.i64 y_108 c_52
//   let (y_110: i64) = mul.i64 y_109 c_52
//   let (y_111: i64) = mul.i64 y_110 c_52
//   let (y_112: i64) = mul.i64 y_111 c_52
//   let (y_113: i64) = mul.i64 y_112 c_52
//   let (y_114: i64) = mul.i64 y_113 c_52
//   let (y_115: i64) = mul.i64 y_114 c_52
//   in (y_115)
// }
