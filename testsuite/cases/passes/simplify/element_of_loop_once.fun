// case: pass simplify
// A loop of one iteration is its body, whose counter is 0: so is it in what is known of the arrays made there.
entry main (k_0: i64) : (e_1: i64) = {
  let (ks_2: [3i64]i64) = replicate [3i64] k_0
  let (js_3: [3i64]i64) = loop (a_4: [3i64]i64 = ks_2) for i_5: i64 < 1i64 {
    let (iota_6: [3i64]i64) = iota.i64 3i64 k_0 i_5
    in (iota_6)
  }
  let (e_7: i64) = index js_3[1i64]
  in (e_7)
}
// ---
// entry main (k_0: i64) : (e_1: i64) = {
//   in (k_0)
// }
