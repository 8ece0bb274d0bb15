-- case: run ( 3i32 )
-- | A documentation comment.
-- It may have several lines.
def f (x: i32) -- the argument
  = x + 1 -- the result
def main (x: i32) = f x --- three dashes begin a comment too
-- ---
4i32
