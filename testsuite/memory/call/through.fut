-- What a function gives may be what another one gives: both are told the same place.
-- ==
-- input { [1, 2] [3, 4] } output { [1291798696i32, -531404425i32, -345398476i32, -62876147i32] }
-- structure funmem { Alloc 2 Copy 0 }

#[noinline]
def stir [m] (c: i32) (xs: [m]i32): *[m]i32 =
  map (\x ->
         let x = (x ^ (x >> 3)) * 5 + c
         let x = (x ^ (x >> 4)) * 7 + 1
         let x = (x ^ (x >> 5)) * 9 + 2
         let x = (x ^ (x >> 3)) * 11 + 3
         let x = (x ^ (x >> 4)) * 13 + 4
         let x = (x ^ (x >> 5)) * 15 + 5
         let x = (x ^ (x >> 3)) * 17 + 6
         let x = (x ^ (x >> 4)) * 19 + 7
         in x)
      xs

def twice [m] (c: i32) (xs: [m]i32): *[m]i32 = stir c (stir 1 xs)

def main [n] (xs: [n]i32) (ys: [n]i32) = twice 1 xs ++ twice 2 ys
