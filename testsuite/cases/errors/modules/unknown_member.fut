-- case: check
module m = { def f (x: i32) = x }
def main = m.g 1
def other : m.t = 1
-- ---
E0203 3:12 the module `m` has no `g`
E0203 4:13 the module `m` has no type `t`
