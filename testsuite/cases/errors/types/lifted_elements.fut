-- case: check
-- Language reference, "Type Abbreviations": lifted types cannot be put in arrays.
def f 'a '~b (f: i64 -> a -> b) (x: a) = [f 0 x, f 1 x]
def g '~t (x: t) = copy x
def h '~t (xs: []t) = xs
-- ---
-- E0215 3:43 values of the type b may differ in their sizes, so it is lifted
--   lifted types cannot be those of elements of arrays, nor stand for type parameters declared 'a
-- E0215 4:25 values of the type t may differ in their sizes, so it is lifted
--   4:20 argument 1 of this
--   lifted types cannot be those of elements of arrays, nor stand for type parameters declared 'a
-- E0215 5:18 values of the type t may differ in their sizes, so it is lifted
--   lifted types cannot be those of elements of arrays, nor stand for type parameters declared 'a
