-- case: run main ( [3i64, 0i64, 1i64, 4i64, 2i64] [0i64, 1i64, 2i64, 3i64, 4i64] 3i64 )
-- In each of some rounds, all follow a chain until they are at an even place; each takes another number of steps.
-- From 0: 3, 4 is even. From 1: 0. From 2: 1, 0. From 3: 4. From 4: 2.
-- Then from 4: 2; 0: 3, 4; 0: 4; 4: 2; 2: 0. Then from 2: 0; 4: 2; 4: 2; 2: 0; 0: 4.
entry main [n] [m] (next: [n]i64) (starts: [m]i64) (rounds: i64): [m]i64 =
  map (\start -> loop at = start for _r < rounds do
    let (at, _) = loop (at, go) = (at, true) while go do let at = next[at] in (at, at % 2 != 0)
    in at) starts
-- ---
-- [0i64, 2i64, 2i64, 0i64, 4i64]
