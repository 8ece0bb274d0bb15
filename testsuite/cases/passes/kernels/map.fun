// case: pass introduce-memory lower-to-imp simplify-imp kernels simplify-imp
// A parallel loop is a kernel with a guard for the last block. Arguments are copied to the device, and results back.
entry main (n_0: i64) (xs_1: [n_0]f32) : (r_2: [n_0]f32) = {
  let (r_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (x_5: f32) = index xs_1[i_4]
    let (y_6: f32) = add.f32 x_5 1.0f32
    in (y_6)
  }
  in (r_3)
}
