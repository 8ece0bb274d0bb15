type shape = #circle f32 | #square f32 f32 | #empty
type tree [n] = #leaf [n]i32 | #pair shape shape | #wrap (i32, f32)
entry circle (r: f32) : shape = #circle r
entry area (s: shape) : f32 = match s case #circle r -> r * r * 3 case #square a b -> a * b case #empty -> 0
entry leaf [n] (xs: [n]i32) : tree[n] = #leaf xs
entry count [n] (t: tree[n]) : i32 = match t case #leaf xs -> i32.sum xs case #pair _ _ -> 2 case #wrap (i, _) -> i
entry areas [n] (xs: [n]shape) : [n]f32 = map area xs
entry shapes (n: i64) : [n]shape = tabulate n (\i -> if i % 2 == 0 then #circle (f32.i64 i) else #empty)
type option = #none | #some i64
entry find [n] (xs: [n]i64) (x: i64) : option = loop r = #none for i < n do if xs[i] == x then #some i else r
