// case: pass simplify
// Of a map's results the second is an input and the third one scalar everywhere: the map computes the first alone. What is changed later (ds_8)
// or given as a result of its own stays a copy.
entry main [n_0: i64] (xs_1: [n_0]i32) (ws_2: [n_0]f32) : (r_3: [n_0]i32) (s_4: [n_0]f32) (t_5: [n_0]i32) (*u_6: [n_0]i32) = {
  let (ys_7: [n_0]i32) (zs_9: [n_0]f32) (cs_10: [n_0]i32) = map n_0 \(x_11: i32) (w_12: f32) : i32, f32, i32 {
    let (y_13: i32) = add.i32 x_11 1i32
    in (y_13, w_12, 7i32)
  } xs_1 ws_2
  let (ds_8: [n_0]i32) = map n_0 \(x_14: i32) : i32 { in (x_14) } xs_1
  let (some_15: bool) = lt.i64 0i64 n_0
  let = assert some_15 "empty"
  let (es_16: [n_0]i32) = update ds_8[0i64] 5i32
  let (fs_17: [n_0]i32) = map n_0 \(x_18: i32) (c_19: i32) : i32 {
    let (z_20: i32) = mul.i32 x_18 c_19
    in (z_20)
  } ys_7 cs_10
  let (gs_21: [n_0]i32) = map n_0 \(x_22: i32) : i32 { in (x_22) } xs_1
  in (fs_17, zs_9, es_16, gs_21)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (ws_2: [n_0]f32) : (r_3: [n_0]i32) (s_4: [n_0]f32) (t_5: [n_0]i32) (*u_6: [n_0]i32) = {
//   let (cs_10: [n_0]i32) = replicate [n_0] 7i32
//   let (ys_7: [n_0]i32) = map n_0 \(x_11: i32) (w_12: f32) : i32 {
//     let (y_13: i32) = add.i32 x_11 1i32
//     in (y_13)
//   } xs_1 ws_2
//   let (ds_8: [n_0]i32) = map n_0 \(x_14: i32) : i32 {
//     in (x_14)
//   } xs_1
//   let (some_15: bool) = lt.i64 0i64 n_0
//   let = assert some_15 "empty"
//   let (es_16: [n_0]i32) = update ds_8[0i64] 5i32
//   let (fs_17: [n_0]i32) = map n_0 \(x_18: i32) (c_19: i32) : i32 {
//     let (z_20: i32) = mul.i32 x_18 c_19
//     in (z_20)
//   } ys_7 cs_10
//   let (gs_21: [n_0]i32) = map n_0 \(x_22: i32) : i32 {
//     in (x_22)
//   } xs_1
//   in (fs_17, ws_2, es_16, gs_21)
// }
