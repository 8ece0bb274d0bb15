-- case: check
def main (x: i32) =
  let y = x + 1
  y * 2
-- ---
E0113 5:1 expected `in` and a body after this `let` binding, found the end of the text
  3:3 the binding starts here
  write `let x = … in …`; only before another `let` the `in` can be left out
