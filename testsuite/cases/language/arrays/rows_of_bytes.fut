-- case: run main ( 3i64 )
-- Rows of bytes and halfwords that are shorter than a vector, as long, a little longer and almost two of them: all elements are what they are one by one.
def bytes (h: i64) (w: i64): bool =
  let xs = tabulate_2d h w (\i j -> u8.i64 (i * 31 + j * 7))
  let ys = map (\row -> tabulate w (\j -> row[j] + row[(j + 1) % w])) xs
  in and (flatten (tabulate_2d h w (\i j -> ys[i, j] == u8.i64 (62 * i + 7 * j + 7 * ((j + 1) % w)))))

def halfwords (h: i64) (w: i64): bool =
  let xs = tabulate_2d h w (\i j -> i16.i64 (i * 331 - j * 77))
  let ys = map (\row -> tabulate w (\j -> if j % 3 == 0 then row[j] else row[j] * 2)) xs
  in and (flatten (tabulate_2d h w (\i j -> ys[i, j] == i16.i64 (i * 331 - j * 77) * (if j % 3 == 0 then 1 else 2))))

entry main (h: i64): []bool =
  [bytes h 0, bytes h 1, bytes h 63, bytes h 64, bytes h 65, bytes h 127, bytes h 128, bytes h 130,
   halfwords h 31, halfwords h 32, halfwords h 33, halfwords h 63, halfwords h 100]
-- ---
-- [true, true, true, true, true, true, true, true, true, true, true, true, true]
