-- case: run ( 1i32 [true] )
def same 'a (x: a) : a = x
def main (x: i32) (bs: []bool) = (same x, same bs, same (same 2f32, x).0)
-- ---
1i32
[true]
2.0f32
