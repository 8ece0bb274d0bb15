// case: pass fuse
// The maps could stop the program, each at another place, so that neither may be computed in the other; but the assertions always hold.
entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
  let (last_3: i64) = sub.i64 n_0 1i64
  let (a_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (at_6: i64) = sub.i64 last_3 i_5
    let (low_7: bool) = le.i64 0i64 at_6
    let = assert low_7 "below"
    let (x_8: i32) = index xs_1[at_6]
    in (x_8)
  }
  let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
    let (at_11: i64) = sub.i64 last_3 j_10
    let (high_12: bool) = lt.i64 at_11 n_0
    let = assert high_12 "above"
    let (x_13: i32) = index a_4[at_11]
    in (x_13)
  }
  in (zs_9)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
//   let (last_3: i64) = sub.i64 n_0 1i64
//   let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
//     let (at_11: i64) = sub.i64 last_3 j_10
//     let (at_14: i64) = sub.i64 last_3 at_11
//     let (x_15: i32) = index xs_1[at_14]
//     let (x_13: i32) = x_15
//     in (x_13)
//   }
//   in (zs_9)
// }
