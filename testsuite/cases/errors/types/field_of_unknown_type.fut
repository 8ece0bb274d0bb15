-- case: check
def f r = r.x
def main (x: i32) = f {x}
-- ---
E0207 2:11 the type of this is ambiguous
  it is a record with a field `x`
  give it a type, e.g. `x : i32`
