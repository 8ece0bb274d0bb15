// case: run main ([[1i32, 2i32], [3i32, 4i32]])
// In vectors, a counter times a scalar of an iteration grows by that scalar, which is known at run time only.
entry main [n_0: i64] (x_1: [n_0][n_0]i32) : (y_2: [20i64]i64) = {
  let (m_7: [20i64]i64) = kernel (i_3 < 20i64) {
    let (t_4: bool) = le.i64 n_0 0i64
    let (x_6: i64) = if t_4 {
      in (0i64)
    } else {
      let (add_5: i64) = add.i64 1i64 n_0
      in (add_5)
    }
    in (x_6)
  }
  let (m_12: [20i64]i64) = kernel (i_8 < 20i64) {
    let (e_9: i64) = index m_7[i_8]
    let (mul_10: i64) = mul.i64 5i64 e_9
    let (mul_11: i64) = mul.i64 mul_10 i_8
    in (mul_11)
  }
  in (m_12)
}
// ---
// [0i64, 15i64, 30i64, 45i64, 60i64, 75i64, 90i64, 105i64, 120i64, 135i64, 150i64, 165i64, 180i64, 195i64, 210i64, 225i64, 240i64, 255i64, 270i64, 285i64]
