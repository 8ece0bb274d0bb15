-- case: run ( [1i32, 2i32] )
-- The prelude can be imported under the names of its files.
module soacs = import "/prelude/soacs"
import "/prelude/math"
def map = 3i32
def main (xs: []i32) = (soacs.map (+ map) xs, i32.max 1 2)
-- ---
-- [4i32, 5i32]
-- 2i32
