-- case: run ( 1i32 2i32 )
def f (a: i32, b: i32) {c: i32, d = (_: i32): i32} = a * 100 + b * 10 + c
def main (a: i32) (b: i32) = f (a, b) {d = 4, c = 3}
-- ---
123i32
