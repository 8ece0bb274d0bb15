-- case: run ( 2i32 )
-- Language reference, "Binding Expressions": a local function is polymorphic where it says so.
def main (x: i32) = let f 'a (y: a) = (y, x) let (a, b) = f 1u8 let (c, _) = f [true] in (a, b, (f 2).0, c)
-- ---
1u8
2i32
2i32
[true]
