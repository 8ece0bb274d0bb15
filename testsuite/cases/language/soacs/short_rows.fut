-- case: run ( [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32], [7i32, 8i32], [9i32, 0i32], [0i32, 1i32], [0i32, 0i32], [2i32, 2i32], [4i32, 3i32]] [[1i32, 2i32, 3i32], [0i32, 5i32, 6i32], [0i32, 0i32, 9i32]] )
-- On a device several short rows share a block of threads, which must not mix them; the order within a row matters.
def first (x: i32) (y: i32) = if x == 0 then y else x
def rows [n][m] (xss: [n][m]i32) = (map (reduce (+) 0) xss, map (reduce first 0) xss, map (scan (+) 0) xss, map (scan first 0) xss)
def main (xss: [][]i32) (yss: [][]i32) = (rows xss, rows yss)
-- ---
[3i32, 7i32, 11i32, 15i32, 9i32, 1i32, 0i32, 4i32, 7i32]
[1i32, 3i32, 5i32, 7i32, 9i32, 1i32, 0i32, 2i32, 4i32]
[[1i32, 3i32], [3i32, 7i32], [5i32, 11i32], [7i32, 15i32], [9i32, 9i32], [0i32, 1i32], [0i32, 0i32], [2i32, 4i32], [4i32, 7i32]]
[[1i32, 1i32], [3i32, 3i32], [5i32, 5i32], [7i32, 7i32], [9i32, 9i32], [0i32, 1i32], [0i32, 0i32], [2i32, 2i32], [4i32, 4i32]]
[6i32, 11i32, 9i32]
[1i32, 5i32, 9i32]
[[1i32, 3i32, 6i32], [0i32, 5i32, 11i32], [0i32, 0i32, 9i32]]
[[1i32, 1i32, 1i32], [0i32, 5i32, 5i32], [0i32, 0i32, 9i32]]
