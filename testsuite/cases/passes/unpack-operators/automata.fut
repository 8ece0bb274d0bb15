-- case: run main ( [0i64, 3i64, 7i64, 1i64, 1i64, 4i64, 2i64, 9i64, 5i64, 0i64, 3i64] )
-- Compositions of automata with four states, whose tables are read where the one before says; the states as bytes.
def compose (f: [4]u8) (g: [4]u8) : [4]u8 = map (\s -> g[i64.u8 s]) f
def table : [3][4]u8 = [[1, 2, 3, 0], [0, 0, 2, 3], [3, 1, 1, 2]]
entry main [n] (word: [n]i64) =
  let steps = map (\letter -> map (\row -> row) table[letter % 3]) word
  let all = scan compose [0, 1, 2, 3] steps
  in (all, map (\f -> f[2]) all, reduce compose [0, 1, 2, 3] steps, reduce compose [0, 1, 2, 3] (reverse steps))
-- ---
-- [[1u8, 2u8, 3u8, 0u8], [2u8, 3u8, 0u8, 1u8], [2u8, 3u8, 0u8, 0u8], [2u8, 3u8, 0u8, 0u8], [2u8, 3u8, 0u8, 0u8], [2u8, 3u8, 0u8, 0u8], [1u8, 2u8, 3u8, 3u8], [2u8, 3u8, 0u8, 0u8], [1u8, 2u8, 3u8, 3u8], [2u8, 3u8, 0u8, 0u8], [3u8, 0u8, 1u8, 1u8]]
-- [3u8, 0u8, 0u8, 0u8, 0u8, 0u8, 3u8, 0u8, 3u8, 0u8, 1u8]
-- [3u8, 0u8, 1u8, 1u8]
-- [2u8, 0u8, 1u8, 2u8]
