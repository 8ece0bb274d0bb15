-- case: run ( 7i32 )
-- Updates lead through indices, slices and fields in any order; sections read the same way.
def main (v: i32) =
  let xss: *[](i32, {a: []i32}) = [(0, {a = [1, 2, 3]}), (1, {a = [4, 5, 6]})]
  let xss = xss with [0].1.a[1] = v
  let xss = xss with [1].1.a[0:2] = [v, v]
  let ys = (iota 6 with [1:5][1:3] = [10, 20]) with [0:4][0] = 30
  in (map (.1.a) xss, (.[1].1.a[1:]) xss, ys)
-- ---
[[1i32, 7i32, 3i32], [7i32, 7i32, 6i32]]
[7i32, 6i32]
[30i64, 1i64, 10i64, 20i64, 4i64, 5i64]
