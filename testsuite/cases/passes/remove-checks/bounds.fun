// case: pass introduce-memory remove-checks
// Counters below sizes, halves and sums of them need no test; `k_1`, and an index one further, do. A test that was made is not made again.
entry main [n_0: i64] (xs_2: [n_0]i32) (k_1: i64) : (r_3: i32) (y_4: i32) = {
  let (h_5: i64) = div.i64 n_0 2i64
  let (r_6: i32) = kernel (i_7 < h_5) reduce \(a_8: i32) (b_9: i32) : i32 {
    let (c_10: i32) = add.i32 a_8 b_9
    in (c_10)
  } (0i32) {
    let (t_11: i64) = mul.i64 2i64 i_7
    let (j_12: i64) = add.i64 t_11 1i64
    let (x_13: bool) = le.i64 0i64 j_12
    let (x_14: bool) = lt.i64 j_12 n_0
    let (x_15: bool) = and.bool x_13 x_14
    let = assert x_15 "odd"
    let (l_16: i64) = add.i64 t_11 2i64
    let (x_17: bool) = lt.i64 l_16 n_0
    let = assert x_17 "even"
    let (e_18: i32) = index xs_2[j_12]
    in (e_18)
  }
  let (x_19: bool) = le.i64 0i64 k_1
  let (x_20: bool) = lt.i64 k_1 n_0
  let (x_21: bool) = and.bool x_19 x_20
  let = assert x_21 "first"
  let = assert x_21 "again"
  let (e_22: i32) = index xs_2[k_1]
  in (r_6, e_22)
}

// The sum may wrap around: then it is below, and the test is needed.
entry wraps [n_30: i64] (xs_31: [n_30]i32) (k_32: i64) : (y_33: i32) = {
  let (x_34: bool) = le.i64 0i64 k_32
  let = assert x_34 "negative"
  let (j_35: i64) = add.i64 k_32 1i64
  let (x_36: bool) = lt.i64 0i64 j_35
  let = assert x_36 "wrapped"
  let (x_37: bool) = lt.i64 j_35 n_30
  let = assert x_37 "beyond"
  let (e_38: i32) = index xs_31[j_35]
  in (e_38)
}
// ---
// entry main [n_0: i64] [xs_mem_39: mem] (xs_2: [n_0]i32 @ xs_mem_39 -> 0 + {(n_0 : 1)}) (k_1: i64) : (r_3: i32) (y_4: i32) = {
//   let (h_5: i64) = div.i64 n_0 2i64
//   let (r_6: i32) = kernel (i_7 < h_5) reduce \(a_8: i32) (b_9: i32) : i32 {
//     let (c_10: i32) = add.i32 a_8 b_9
//     in (c_10)
//   } (0i32) {
//     let (t_11: i64) = mul.i64 2i64 i_7
//     let (j_12: i64) = add.i64 t_11 1i64
//     let (x_13: bool) = le.i64 0i64 j_12
//     let (x_14: bool) = lt.i64 j_12 n_0
//     let (x_15: bool) = and.bool x_13 x_14
//     let (l_16: i64) = add.i64 t_11 2i64
//     let (x_17: bool) = lt.i64 l_16 n_0
//     let = assert x_17 "even"
//     let (e_18: i32) = index xs_2[j_12]
//     in (e_18)
//   }
//   let (x_19: bool) = le.i64 0i64 k_1
//   let (x_20: bool) = lt.i64 k_1 n_0
//   let (x_21: bool) = and.bool x_19 x_20
//   let = assert x_21 "first"
//   let (e_22: i32) = index xs_2[k_1]
//   in (r_6, e_22)
// }
//
// entry wraps [n_30: i64] [xs_mem_40: mem] (xs_31: [n_30]i32 @ xs_mem_40 -> 0 + {(n_30 : 1)}) (k_32: i64) : (y_33: i32) = {
//   let (x_34: bool) = le.i64 0i64 k_32
//   let = assert x_34 "negative"
//   let (j_35: i64) = add.i64 k_32 1i64
//   let (x_36: bool) = lt.i64 0i64 j_35
//   let = assert x_36 "wrapped"
//   let (x_37: bool) = lt.i64 j_35 n_30
//   let = assert x_37 "beyond"
//   let (e_38: i32) = index xs_31[j_35]
//   in (e_38)
// }
