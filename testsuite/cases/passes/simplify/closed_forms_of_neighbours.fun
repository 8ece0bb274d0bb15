// case: pass simplify
// What is added to another parameter's value of the iteration before is no sum of equal steps (r), also where that is seen only after a rule has given `o` another name.
entry main : (r_10: i64) (s_11: i64) = {
  let (r_6: i64) (r_7: i64) = loop (a_1: i64 = 0i64) (a_2: i64 = 0i64) for i_3: u8 < 2u8 {
    let (o_4: i64) = add.i64 a_2 0i64
    let (o_5: i64) = add.i64 1i64 o_4
    in (o_4, o_5)
  }
  in (r_6, r_7)
}
// ---
// entry main : (r_10: i64) (s_11: i64) = {
//   let (r_6: i64) (r_7: i64) = loop (a_1: i64 = 0i64) (a_2: i64 = 0i64) for i_3: u8 < 2u8 {
//     let (o_5: i64) = add.i64 1i64 a_2
//     in (a_2, o_5)
//   }
//   in (r_6, r_7)
// }
