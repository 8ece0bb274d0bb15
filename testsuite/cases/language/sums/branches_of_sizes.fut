-- case: run ( true 3i64 )
-- Reference, "Unknown sizes": branches that make a sum of different constructors and sizes.
def f (b: bool) (n: i64) = if b then #some (iota n) else (#none : #some ([1]i64) | #none) :> #some ([]i64) | #none
def total (b: bool) (n: i64): i64 = match f b n case #some xs -> i64.sum xs case #none -> -1
def main (b: bool) (n: i64) = (total b n, total (!b) n)
-- ---
3i64
-1i64
