type a = {v: i32}
type b = {a: a, as: [2]a}
type c [n] = #one b | #many [n]i32
entry mk (x: i32) : b = {a = {v = x}, as = [{v = 1}, {v = 2}]}
entry one (x: b) : c[0] = #one x
entry cs [n] (x: c[n]) : i32 = match x case #one y -> y.a.v case #many ys -> i32.sum ys
