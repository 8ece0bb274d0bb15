// case: run main ( 4i64 )
// Two parameters begin with one array, and both make new ones: its block becomes that of one of them.
entry main (times_0: i64) : (y_1: [2i64]i64) (*z_2: [2i64]i64) = {
  let (a_3: [2i64]i64) = replicate [2i64] 0i64
  let (on_4: bool) (x_5: [2i64]i64) (w_6: [2i64]i64) (left_7: i64) = loop (on_8: bool = true) (x_9: [2i64]i64 = a_3) (w_10: [2i64]i64 = a_3) (left_11: i64 = times_0) while on_8 {
    let (less_12: i64) = sub.i64 left_11 1i64
    let (on_13: bool) = lt.i64 0i64 less_12
    let (b_14: [2i64]i64) = replicate [2i64] less_12
    let (c_15: [2i64]i64) = replicate [2i64] left_11
    in (on_13, c_15, b_14, less_12)
  }
  let (z_16: [2i64]i64) = copy w_6
  in (x_5, z_16)
}
// ---
// [1i64, 1i64]
// [0i64, 0i64]
