-- case: check
def f (r: {x: i32, y: i32}) = r.x
def main (x: i32) = f {x}
-- ---
E0204 3:23 expected {x: i32, y: i32}, found {x: i32}
  this is {x: i32}
  3:21 expected {x: i32, y: i32} as argument 1 of this
