// case: pass inline
// A call in a loop is inlined all the same: the passes on memory see what becomes of its result only there.
fun #[noinline] twice (x_0: i32) : (y_1: i32) = {
  let (y_2: i32) = mul.i32 x_0 2i32
  in (y_2)
}
entry main (x_3: i32) (k_4: i64) : (y_5: i32) = {
  let (y_6: i32) = call twice x_3
  let (y_7: i32) = loop (a_8: i32 = y_6) for i_9: i64 < k_4 {
    let (b_10: i32) = call twice a_8
    in (b_10)
  }
  in (y_7)
}
// ---
// fun #[noinline] twice (x_0: i32) : (y_1: i32) = {
//   let (y_2: i32) = mul.i32 x_0 2i32
//   in (y_2)
// }
//
// entry main (x_3: i32) (k_4: i64) : (y_5: i32) = {
//   let (y_6: i32) = call twice x_3
//   let (y_7: i32) = loop (a_8: i32 = y_6) for i_9: i64 < k_4 {
//     let (y_11: i32) = mul.i32 a_8 2i32
//     in (y_11)
//   }
//   in (y_7)
// }
