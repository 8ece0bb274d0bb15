// case: pass introduce-memory remove-checks
// A counter of i32 and what is computed from it, without wrapping, are the integers that they seem; so are bytes.
entry main (keys_0: [52i64]i32) (counts_1: [256i64]i32) (byte_2: u8) : (out_93: i32) (other_94: i32) = {
  let (r_3: i32) = loop (sum_5: i32 = 0i32) for k_6: i32 < 8i32 {
    let (x_7: i32) = mul.i32 k_6 6i32
    let (x_8: i32) = add.i32 x_7 5i32
    let (c_9: i64) = convert.i64.i32 x_8
    let (x_10: bool) = le.i64 0i64 c_9
    let (x_11: bool) = lt.i64 c_9 52i64
    let (x_12: bool) = and.bool x_10 x_11
    let = assert x_12 "of the counter"
    let (e_13: i32) = index keys_0[c_9]
    let (next_14: i32) = add.i32 sum_5 e_13
    in (next_14)
  }
  let (c_15: i64) = convert.i64.u8 byte_2
  let (x_16: bool) = lt.i64 c_15 256i64
  let = assert x_16 "of a byte"
  let (e_4: i32) = index counts_1[c_15]
  in (r_3, e_4)
}

// The sum of any i32 and 1 may wrap around, and the byte may be 255.
entry wraps (keys_30: [255i64]i32) (k_31: i32) (byte_32: u8) : (out_933: i32) = {
  let (x_34: bool) = le.i32 0i32 k_31
  let = assert x_34 "negative"
  let (j_35: i32) = add.i32 k_31 1i32
  let (x_36: bool) = lt.i32 0i32 j_35
  let = assert x_36 "wrapped"
  let (c_37: i64) = convert.i64.u8 byte_32
  let (x_38: bool) = lt.i64 c_37 255i64
  let = assert x_38 "beyond"
  let (r_33: i32) = index keys_30[c_37]
  in (r_33)
}
// ---
// entry main [keys_mem_934: mem] (keys_0: [52i64]i32 @ keys_mem_934 -> 0 + {(52 : 1)}) [counts_mem_935: mem] (counts_1: [256i64]i32 @ counts_mem_935 -> 0 + {(256 : 1)}) (byte_2: u8) : (out_93: i32) (other_94: i32) = {
//   let (r_3: i32) = loop (sum_5: i32 = 0i32) for k_6: i32 < 8i32 {
//     let (x_7: i32) = mul.i32 k_6 6i32
//     let (x_8: i32) = add.i32 x_7 5i32
//     let (c_9: i64) = convert.i64.i32 x_8
//     let (x_10: bool) = le.i64 0i64 c_9
//     let (x_11: bool) = lt.i64 c_9 52i64
//     let (x_12: bool) = and.bool x_10 x_11
//     let (e_13: i32) = index keys_0[c_9]
//     let (next_14: i32) = add.i32 sum_5 e_13
//     in (next_14)
//   }
//   let (c_15: i64) = convert.i64.u8 byte_2
//   let (x_16: bool) = lt.i64 c_15 256i64
//   let (e_4: i32) = index counts_1[c_15]
//   in (r_3, e_4)
// }
//
// entry wraps [keys_mem_936: mem] (keys_30: [255i64]i32 @ keys_mem_936 -> 0 + {(255 : 1)}) (k_31: i32) (byte_32: u8) : (out_933: i32) = {
//   let (x_34: bool) = le.i32 0i32 k_31
//   let = assert x_34 "negative"
//   let (j_35: i32) = add.i32 k_31 1i32
//   let (x_36: bool) = lt.i32 0i32 j_35
//   let = assert x_36 "wrapped"
//   let (c_37: i64) = convert.i64.u8 byte_32
//   let (x_38: bool) = lt.i64 c_37 255i64
//   let = assert x_38 "beyond"
//   let (r_33: i32) = index keys_30[c_37]
//   in (r_33)
// }
