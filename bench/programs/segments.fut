-- Sums of all prefixes of segments, which begin where a number is a multiple of 64.
-- ==
-- notest random input { [10000000]i32 }
-- nobench input { [1i32, 2i32, 64i32, 3i32, 128i32, -1i32] } output { [1i32, 3i32, 64i32, 67i32, 128i32, 127i32] }

entry main [n] (xs: [n]i32): [n]i32 =
  let starts = map (\x -> x & 63 == 0) xs
  let add (v, f) (w, g) = (if g then w else v + w, f || g)
  in map (.0) (scan add (0, false) (zip xs starts))
