-- case: run ( [3i32, 1i32, 2i32, 3i32] )
-- Language reference, "Recursive functions": the size of a recursive call's result is known when it returns.
def quicksort [n] (xs: [n]i32): []i32 =
  if n <= 1
  then xs
  else let pivot = xs[0]
       let (less, others) = partition (< pivot) (drop 1 xs)
       in quicksort less ++ [pivot] ++ quicksort others
def main xs = quicksort xs
-- ---
[1i32, 2i32, 3i32, 3i32]
