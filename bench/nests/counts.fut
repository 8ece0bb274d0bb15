-- How many elements of each row are even.
-- ==
-- entry: nest
-- notest random input { [1048576][1]i32 }
-- notest random input { [524288][2]i32 }
-- notest random input { [349525][3]i32 }
-- notest random input { [262144][4]i32 }
-- notest random input { [174762][6]i32 }
-- notest random input { [131072][8]i32 }
-- notest random input { [65536][16]i32 }
-- notest random input { [32768][32]i32 }
-- nobench input { [[1, 2, 4], [0, -1, 3]] } output { [2, 1] }

entry nest [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\xs -> i32.sum (map (\x -> i32.bool (x & 1 == 0)) xs)) xss

-- The same with loops inside.
-- ==
-- entry: loops
-- notest random input { [1048576][1]i32 }
-- notest random input { [524288][2]i32 }
-- notest random input { [349525][3]i32 }
-- notest random input { [262144][4]i32 }
-- notest random input { [174762][6]i32 }
-- notest random input { [131072][8]i32 }
-- notest random input { [65536][16]i32 }
-- notest random input { [32768][32]i32 }
-- nobench input { [[1, 2, 4], [0, -1, 3]] } output { [2, 1] }

entry loops [n] [m] (xss: [n][m]i32): [n]i32 =
  map (\xs -> loop s = 0 for i < m do s + i32.bool (xs[i] & 1 == 0)) xss
