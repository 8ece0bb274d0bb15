-- case: run ( 2.25f64 )
-- Modules: the modules of primitive types are modules like others.
module type number = { type t val (+) : t -> t -> t val max : t -> t -> t val i32 : i32 -> t }
module twice (n: number) = { def twice (x: n.t) = n.(max (x + x) (i32 1)) }
module r : number with t = f64 = f64
module f = twice r
module g = twice i8
def main (x: f64) = (f.twice x, g.twice 3)
-- ---
4.5f64
6i8
