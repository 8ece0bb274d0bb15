-- case: run ( 3i32 )
-- Referring to other files: a file as a module; a file that is imported twice is one.
module N = import "lib/numbers"
module apply (m: N.has_f) = { def g (x: i32) = m.f (m.f x) }
module a = apply N.inc
open import "lib/more/deep"
def main (x: i32) = (N.main x, a.g x, quadruple x)
-- ---
12i32
5i32
12i32
