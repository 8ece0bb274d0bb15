-- case: check
def f [n] (g: [n]i32 -> i32) = n
def main (xs: []i32) = f i32.sum
-- ---
E0304 3:24 a size of this function's arguments is ambiguous
  give the arguments types with sizes, e.g. `[] : [0][3]i32`
