entry f (_: i32) ((a, b): (i32, i32)) ({x, y}: {x: f32, y: f32}) : f32 = x + y + f32.i32 (a + b)
entry g [n] (xs: [n]i32) : ?[k].[k]i32 = filter (> 0) xs
entry h (n: i64) : [n]{a: i32, b: (bool, [2]i8)} = replicate n {a = 1, b = (true, [1i8, 2])}
entry long (some_very_long_parameter_name: i64) : {first: i64, second: {third: i64}} = {first = 1, second = {third = some_very_long_parameter_name}}
