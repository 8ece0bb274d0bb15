// case: pass tail-calls
// The test is computed once for each iteration, the results once.
fun gcd (a_0: i64) (b_1: i64) : (r_2: i64) = {
  let (c_3: bool) = eq.i64 b_1 0i64
  let (x_4: i64) = if c_3 {
    in (a_0)
  } else {
    let (m_5: i64) = mod.i64 a_0 b_1
    let (y_6: i64) = call gcd b_1 m_5
    in (y_6)
  }
  in (x_4)
}
// ---
// fun gcd (a_0: i64) (b_1: i64) : (r_2: i64) = {
//   let (c_8: bool) = eq.i64 b_1 0i64
//   let (go_9: bool) = not.bool c_8
//   let (go_17: bool) (c_14: bool) (a_15: i64) (b_16: i64) = loop (go_13: bool = go_9) (c_10: bool = c_8) (a_11: i64 = a_0) (b_12: i64 = b_1) while go_13 {
//     let (m_18: i64) = mod.i64 a_11 b_12
//     let (c_19: bool) = eq.i64 m_18 0i64
//     let (go_20: bool) = not.bool c_19
//     in (go_20, c_19, b_12, m_18)
//   }
//   in (a_15)
// }
