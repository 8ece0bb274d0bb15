// case: pass introduce-memory remove-checks
// Facts are about integers: nothing is below the least i64, though the difference to it wraps, and a remainder of it is not positive.
entry main (x_0: i64) : (y_1: i64) (r_2: i64) (m_3: i64) = {
  let (low_4: bool) = lt.i64 x_0 -9223372036854775808i64
  let = assert low_4 "below the least"
  let (y_7: i64) = add.i64 x_0 1i64
  let (r_8: i64) = mod.i64 x_0 -9223372036854775808i64
  let (plus_5: bool) = le.i64 0i64 r_8
  let = assert plus_5 "of the sign of the divisor"
  let (m_9: i64) = max.i64 x_0 -9223372036854775808i64
  let (high_6: bool) = lt.i64 0i64 m_9
  let = assert high_6 "no maximum"
  in (y_7, r_8, m_9)
}
// ---
// entry main (x_0: i64) : (y_1: i64) (r_2: i64) (m_3: i64) = {
//   let (low_4: bool) = lt.i64 x_0 -9223372036854775808i64
//   let = assert low_4 "below the least"
//   let (y_7: i64) = add.i64 x_0 1i64
//   let (r_8: i64) = mod.i64 x_0 -9223372036854775808i64
//   let (plus_5: bool) = le.i64 0i64 r_8
//   let = assert plus_5 "of the sign of the divisor"
//   let (m_9: i64) = max.i64 x_0 -9223372036854775808i64
//   let (high_6: bool) = lt.i64 0i64 m_9
//   let = assert high_6 "no maximum"
//   in (y_7, r_8, m_9)
// }
