// case: pass merge-rows
// Several things are done with each row: there is a version in which a block of threads does them all, beside the kernels over all rows. Where a row has a
// loop, these would be a thread's. A row that is reduced once has no such version.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0][m_1]i64) : (r_3: [n_0][m_1]i64) (s_4: [n_0]i64) (t_5: [n_0]i64) = {
  let (ys_6: [n_0][m_1]i64) = kernel (i_7 < n_0) {
    let (most_8: i64) = kernel (j_9 < m_1) reduce_comm \(a_10: i64) (b_11: i64) : i64 {
      let (c_12: i64) = max.i64 a_10 b_11
      in (c_12)
    } (0i64) {
      let (x_13: i64) = index xs_2[i_7, j_9]
      in (x_13)
    }
    let (row_14: [m_1]i64) = kernel (k_15 < m_1) {
      let (y_16: i64) = index xs_2[i_7, k_15]
      let (z_17: i64) = sub.i64 y_16 most_8
      in (z_17)
    }
    in (row_14)
  }
  let (sums_20: [n_0]i64) = kernel (i_21 < n_0) {
    let (sum_22: i64) = loop (sum_23: i64 = 0i64) for k_24: i64 < 3i64 {
      let (more_25: i64) = kernel (j_26 < m_1) reduce_comm \(a_27: i64) (b_28: i64) : i64 {
        let (c_29: i64) = add.i64 a_27 b_28
        in (c_29)
      } (0i64) {
        let (x_30: i64) = index xs_2[i_21, j_26]
        let (y_31: i64) = mul.i64 x_30 sum_23
        in (y_31)
      }
      in (more_25)
    }
    in (sum_22)
  }
  let (once_40: [n_0]i64) = kernel (i_41 < n_0) {
    let (sum_42: i64) = kernel (j_43 < m_1) reduce_comm \(a_44: i64) (b_45: i64) : i64 {
      let (c_46: i64) = add.i64 a_44 b_45
      in (c_46)
    } (0i64) {
      let (x_47: i64) = index xs_2[i_41, j_43]
      in (x_47)
    }
    in (sum_42)
  }
  in (ys_6, sums_20, once_40)
}
