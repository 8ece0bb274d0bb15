-- case: check
def f (xs: *[]i32) = xs with [0] = 1
def main (xss: [][]i32) = map f xss
-- ---
E0412 3:31 this function consumes its argument or gives a result that is not `*`, unlike what is expected here
  functions that consume an argument cannot be passed to functions that do not say so
