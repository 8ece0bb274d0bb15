-- Both halves are sorted by the function itself, from views of its argument; the merged array goes where the caller wants it.
-- The base case copies what it is given.
-- ==
-- input { [3, 1, 2, 5, 4] } output { [1i32, 2i32, 3i32, 4i32, 5i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- structure funmem { Alloc 3 Copy 1 }

def sort [n] (xs: [n]i32): *[n]i32 =
  if n <= 1 then copy xs
  else let h = n / 2
       let a = sort xs[:h]
       let b = sort xs[h:]
       let (_, _, r) =
         loop (i, j, r) = (0, 0, replicate n 0) for k < n do
           if j >= n - h || (i < h && a[i] <= b[j])
           then (i + 1, j, r with [k] = a[i])
           else (i, j + 1, r with [k] = b[j])
       in r

def main [n] (xs: [n]i32) = sort xs
