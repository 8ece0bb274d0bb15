-- case: run main ( [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32], [3i32, 0i32, 9i32, 2i32]] )
-- Loops over small arrays of threads: in a map; around maps, where they are loops of a block and stay; two loops in each other; counters of other types; an index that
-- fails, which is not reached; a loop that leaves nothing.
entry main [n] [m] (a: [n][m]i32) =
  let sums = map (\row -> let t = [row[0], row[1], 3] in loop s = 0 for k < 6i32 do s * 2 + t[i64.i32 (k * row[1] % 3)]) a
  let around = map (\row -> loop row = copy row for t < 2 do
                            map (\x -> let s = [x, i32.i64 t] in s[i64.i32 (x & 1)]) row) a
  let written = map (\row -> (loop t = [0, 0, 0, 0] for k < 8 do t with [k * k % 4] = t[k % 4] + row[k % m])[1]) a
  let nested = map (\row -> let t = [1, 2, 3] in
                            loop s = row[0] for i < 3 do loop s = s for j < 3i8 do s + t[(i + i64.i8 j) % 3] * t[i]) a
  let guarded = map (\row -> let t = [row[0], 7] in loop s = 0 for k < 4 do if k < 2 then s + t[k] else s) a
  let none = map (\row -> let t = [row[0], 7] in loop s = 1 for k < 0i32 do s + t[i64.i32 k]) a
  in (sums, around, written, nested, guarded, none)
-- ---
-- [108i32, 315i32, 189i32]
-- [[0i32, 2i32, 0i32, 4i32], [0i32, 6i32, 0i32, 8i32], [0i32, 0i32, 0i32, 2i32]]
-- [4i32, 8i32, 2i32]
-- [37i32, 41i32, 39i32]
-- [8i32, 12i32, 10i32]
-- [1i32, 1i32, 1i32]
