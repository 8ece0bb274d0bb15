// case: run main ( empty([0]i64) )
// A scalar of an adjoint refers to no array: what a function gives that gets it may be consumed.
fun made (x_0: f32) : (y_1: [0i64]i16) = {
  let (v_2: [0i64]i16) = replicate [0i64] 5i16
  in (v_2)
}

entry main [n_3: i64] (x_4: [n_3]i64) : (y_5: f32) = {
  let (d_6: f32) = with_vjp \(p_7: [n_3]i64) : f32 {
    in (1.0f32)
  } \(p_8: f32) (p_9: f32) : [n_3]i64 {
    let (m_10: [n_3]i64) = map n_3 \: i64 {
      let (y_11: [0i64]i16) = call made p_9
      let (m_12: [0i64]i16) = replicate [0i64] 1i16
      let (u_13: [0i64]i16) = update y_11[0i64 : 0i64 : 1i64] m_12
      in (n_3)
    }
    in (m_10)
  } (x_4)
  in (d_6)
}
// ---
// 1.0f32
