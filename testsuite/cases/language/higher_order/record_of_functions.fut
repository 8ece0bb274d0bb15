-- case: run ( [3i32, 1i32] )
def monoid_sum = {op = \(a: i32) b -> a + b, zero = 0i32}
def fold (m: {op: i32 -> i32 -> i32, zero: i32}) (xs: []i32) = reduce m.op m.zero xs
def main (xs: []i32) = (fold monoid_sum xs, fold {op = i32.max, zero = i32.lowest} xs)
-- ---
4i32
3i32
