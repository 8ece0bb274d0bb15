-- case: run ( [1i32, 2i32, 3i32] 1i32 )
-- Reference, "Compound types": a payload whose size is a parameter.
type opt [n] = #some ([n]i32) | #none
def choose [n] (xs: [n]i32) (k: i32) : opt [n] = if k > 0 then #some xs else #none
def total [n] (o: opt [n]) = match o case #some xs -> i32.sum xs case #none -> -1
def main [n] (xs: [n]i32) (k: i32) = (total (choose xs k), total (choose xs (-k)), choose xs k == #some xs)
-- ---
6i32
-1i32
true
