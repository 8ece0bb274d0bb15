-- case: run ( [1i64, -2i64, 3i64] )
-- Reference, "Unknown sizes": the cases of a match give arrays of different sizes.
def f (o: #all | #first i64 | #positive) (xs: []i64) : []i64 =
  match o case #all -> xs case #first n -> take n xs case #positive -> filter (> 0) xs
def main (xs: []i64) = (f #all xs, f (#first 1) xs, f #positive xs)
-- ---
[1i64, -2i64, 3i64]
[1i64]
[1i64, 3i64]
