-- case: run ( [3i32, 1i32, 2i32] )
def main [n] (xs: *[n]i32) = loop xs for i < n - 1 do
  loop xs for j < n - 1 - i do
    if xs[j] > xs[j + 1]
    then let (a, b) = (xs[j], xs[j + 1]) in xs with [j] = b with [j + 1] = a
    else xs
-- ---
[1i32, 2i32, 3i32]
