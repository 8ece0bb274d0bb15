-- case: stages
-- The paper's section 5: each iteration of the outer kernel needs a buffer, so FUNMEM has an `alloc` inside a kernel.
-- The two `.funmem` files beside this one are the same program after expansion, written by hand.
entry main [n] (m: i64) (xs: [n]i64): [n]i64 =
  map (\x ->
         let powers = loop buffer = replicate m x for i < m - 1 do
                        let buffer[i + 1] = buffer[i] * 3 in buffer
         in reduce (+) 0 powers) xs
