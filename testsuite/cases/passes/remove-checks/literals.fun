// case: pass introduce-memory remove-checks
// What is read of an array of constants is one of them, also where they are rows of one. An array of another number and an empty one say
// nothing.
entry main [n_0: i64] (xs_1: [5i64]f32) (q_2: i64) (k_3: i64) : (x_30: f32) (y_31: f32) (z_32: f32) = {
  let (places_4: [3i64]i32) = array i32 [0i32, 4i32, 2i32]
  let (below_5: [2i64]i64) = array i64 [1i64, 4i64]
  let (above_6: [2i64]i64) = array i64 [3i64, 5i64]
  let (rows_7: [2i64][2i64]i64) = array [2i64]i64 [below_5, below_5]
  let (mixed_8: [2i64][2i64]i64) = array [2i64]i64 [below_5, above_6]
  let (x_9: bool) = le.i64 0i64 q_2
  let (x_10: bool) = lt.i64 q_2 2i64
  let (x_11: bool) = and.bool x_9 x_10
  let = assert x_11 "place"
  let (elem_12: i32) = index places_4[q_2]
  let (place_13: i64) = convert.i64.i32 elem_12
  let (x_14: bool) = le.i64 0i64 place_13
  let (x_15: bool) = lt.i64 place_13 5i64
  let (x_16: bool) = and.bool x_14 x_15
  let = assert x_16 "holds"
  let (x_17: f32) = index xs_1[place_13]
  let (place_18: i64) = index rows_7[q_2, q_2]
  let (x_19: bool) = lt.i64 place_18 5i64
  let = assert x_19 "holds"
  let (y_20: f32) = index xs_1[place_18]
  let (place_21: i64) = index mixed_8[q_2, q_2]
  let (x_22: bool) = lt.i64 place_21 5i64
  let = assert x_22 "may be 5"
  let (z_23: f32) = index xs_1[place_21]
  in (x_17, y_20, z_23)
}
// ---
// entry main [n_0: i64] [xs_mem_33: mem] (xs_1: [5i64]f32 @ xs_mem_33 -> 0 + {(5 : 1)}) (q_2: i64) (k_3: i64) : (x_30: f32) (y_31: f32) (z_32: f32) = {
//   let (places_mem_34: mem) = alloc [3i64] i32
//   let (places_4: [3i64]i32 @ places_mem_34 -> 0 + {(3 : 1)}) = array i32 [0i32, 4i32, 2i32]
//   let (below_mem_35: mem) = alloc [2i64] i64
//   let (below_5: [2i64]i64 @ below_mem_35 -> 0 + {(2 : 1)}) = array i64 [1i64, 4i64]
//   let (above_mem_36: mem) = alloc [2i64] i64
//   let (above_6: [2i64]i64 @ above_mem_36 -> 0 + {(2 : 1)}) = array i64 [3i64, 5i64]
//   let (rows_mem_37: mem) = alloc [2i64][2i64] i64
//   let (rows_7: [2i64][2i64]i64 @ rows_mem_37 -> 0 + {(2 : 2)(2 : 1)}) = array [2i64]i64 [below_5, below_5]
//   let (mixed_mem_38: mem) = alloc [2i64][2i64] i64
//   let (mixed_8: [2i64][2i64]i64 @ mixed_mem_38 -> 0 + {(2 : 2)(2 : 1)}) = array [2i64]i64 [below_5, above_6]
//   let (x_9: bool) = le.i64 0i64 q_2
//   let (x_10: bool) = lt.i64 q_2 2i64
//   let (x_11: bool) = and.bool x_9 x_10
//   let = assert x_11 "place"
//   let (elem_12: i32) = index places_4[q_2]
//   let (place_13: i64) = convert.i64.i32 elem_12
//   let (x_14: bool) = le.i64 0i64 place_13
//   let (x_15: bool) = lt.i64 place_13 5i64
//   let (x_16: bool) = and.bool x_14 x_15
//   let (x_17: f32) = index xs_1[place_13]
//   let (place_18: i64) = index rows_7[q_2, q_2]
//   let (x_19: bool) = lt.i64 place_18 5i64
//   let (y_20: f32) = index xs_1[place_18]
//   let (place_21: i64) = index mixed_8[q_2, q_2]
//   let (x_22: bool) = lt.i64 place_21 5i64
//   let = assert x_22 "may be 5"
//   let (z_23: f32) = index xs_1[place_21]
//   in (x_17, y_20, z_23)
// }
