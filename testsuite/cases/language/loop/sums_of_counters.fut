-- case: run ( [0i64, 1i64, 6i64, 7i64] [-5i32, 0i32, 5i32, 6i32] [0u8, 6u8, 255u8] )
-- What is linear in the counter is added up by a formula: for odd and even numbers, for bounds below zero, in types that are wider or
-- narrower than the counter's, and not where a byte wraps around before it gets wider.
def linear (n: i64) = (i64.sum (iota n), i64.sum (map (\i -> 3 - 2 * i) (iota n)), u8.sum (map (\i -> u8.i64 i * 50) (iota n)))
def in_loop (n: i32) = (loop s = 10i64 for i < n do s + i64.i32 i * 7, loop s = 1u8 for i < n do s - u8.i32 i, loop s = 4i16 for i < n do i16.i32 i + s - 2)
def wide (n: u8) = (loop s = 0i64 for i < n do s + i64.u8 i, loop s = 0i32 for i < n do s + i32.i8 (i8.u8 i), loop s = 0u16 for i < n do s + u16.u8 (i * 3))
def main (ns: []i64) (ks: []i32) (bs: []u8) = (unzip3 (map linear ns), unzip3 (map in_loop ks), unzip3 (map wide bs))
-- ---
[0i64, 0i64, 15i64, 21i64]
[0i64, 3i64, -12i64, -21i64]
[0u8, 0u8, 238u8, 26u8]
[10i64, 10i64, 80i64, 115i64]
[1u8, 1u8, 247u8, 242u8]
[4i16, 4i16, 4i16, 7i16]
[0i64, 15i64, 32385i64]
[0i32, 15i32, -127i32]
[0u16, 45u16, 32387u16]
