// case: pass introduce-memory hoist-scalars
// Assertions keep their order and stay behind what may stop the program, here a loop that may not end; a division stays behind its check.
entry main (n_0: i64) (k_1: i64) : (ys_2: i64) (y_3: i64) = {
  let (l_4: i64) (b_5: bool) = loop (a_6: i64 = 0i64) (g_7: bool = true) while g_7 {
    let (a_8: i64) = add.i64 a_6 1i64
    let (g_9: bool) = lt.i64 a_8 n_0
    in (a_8, g_9)
  }
  let (x_10: bool) = ne.i64 k_1 0i64
  let = assert x_10 "zero"
  let (d_11: i64) = div.i64 n_0 k_1
  let (x_12: bool) = lt.i64 l_4 k_1
  let = assert x_12 "large {}" k_1
  let (z_13: i64) = mul.i64 n_0 2i64
  in (d_11, z_13)
}
// ---
// entry main (n_0: i64) (k_1: i64) : (ys_2: i64) (y_3: i64) = {
//   let (x_10: bool) = ne.i64 k_1 0i64
//   let (z_13: i64) = mul.i64 n_0 2i64
//   let (l_4: i64) (b_5: bool) = loop (a_6: i64 = 0i64) (g_7: bool = true) while g_7 {
//     let (a_8: i64) = add.i64 a_6 1i64
//     let (g_9: bool) = lt.i64 a_8 n_0
//     in (a_8, g_9)
//   }
//   let = assert x_10 "zero"
//   let (x_12: bool) = lt.i64 l_4 k_1
//   let = assert x_12 "large {}" k_1
//   let (d_11: i64) = div.i64 n_0 k_1
//   in (d_11, z_13)
// }
