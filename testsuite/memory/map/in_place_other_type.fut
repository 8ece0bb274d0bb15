-- The same when the elements become floats of the same width.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3] } output { [0.5f32, 1.0f32, 1.5f32] }
-- structure funmem { Alloc 0 Copy 0 }

def main (xs: *[]i32): []f32 = map (\x -> f32.i32 x / 2) xs
