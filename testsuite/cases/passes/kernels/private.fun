// case: pass introduce-memory lower-to-imp kernels simplify-imp
// An array of each iteration is one of each thread, whose cells lie between those of the other threads; a loop over arrays that has nothing
// parallel in it is a kernel of one thread, and gives its scalar back in a cell.
entry main (n_0: i64) (xs_1: [n_0]i64) : (r_2: [n_0]i64) (s_3: i64) = {
  let (r_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (a_6: [n_0]i64) = iota.i64 n_0 i_5 2i64
    let (x_7: i64) = index a_6[i_5]
    in (x_7)
  }
  let (s_8: i64) = loop (acc_9: i64 = 0i64) for k_10: i64 < n_0 do {
    let (x_11: i64) = index xs_1[k_10]
    let (y_12: i64) = add.i64 acc_9 x_11
    in (y_12)
  }
  in (r_4, s_8)
}
