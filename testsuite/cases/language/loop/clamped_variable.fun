// case: run main (20i64)
// In vectors, a variable of an iteration is no counter: a clamp of it holds for all iterations.
entry main (n_0: i64) : [m_1: i64] (*y_2: [m_1]i64) = {
  let (k_3: [n_0]i64) = kernel (i_4 < n_0) {
    let (z_5: i64) = loop (a_6: i64 = i_4) for t_7: i64 < 2i64 {
      let (x_8: i64) = max.i64 a_6 3i64
      in (x_8)
    }
    in (z_5)
  }
  in (n_0, k_3)
}
// ---
// [3i64, 3i64, 3i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64]
