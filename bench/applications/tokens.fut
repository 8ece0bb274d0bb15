-- Words, lines and columns: a tokenizer by scans over function compositions (automata).
-- ==
-- entry: main
-- script input { mk 40i64 }
-- output {
--   [0u8, 0u8, 0u8, 1u8, 1u8, 4u8, 4u8, 4u8, 0u8, 1u8, 1u8, 1u8, 1u8, 4u8, 4u8, 4u8, 4u8, 2u8, 4u8, 4u8, 4u8, 2u8, 1u8, 1u8, 1u8, 1u8, 1u8,
--   1u8, 1u8, 4u8, 0u8, 4u8, 2u8, 1u8, 1u8, 4u8, 4u8, 0u8, 4u8, 0u8]
--   [7i64, 15i64, 3i64, 0i64, 15i64]
--   4i64
-- }

type state = u8
def table : [5][5]state = [[0, 1, 2, 3, 4], [1, 1, 1, 3, 4], [2, 1, 2, 0, 4], [3, 2, 3, 3, 3], [4, 4, 2, 4, 0]]
def class (c: u8) : i64 = if c == ' ' then 0 else if c >= 'a' && c <= 'z' then 1 else if c >= '0' && c <= '9' then 2 else if c == '\n' then 3 else 4
type func = [5]state
def identity : func = [0, 1, 2, 3, 4]
def compose (f: func) (g: func) : func = map (\s -> g[i64.u8 s]) f
entry main [n] (text: [n]u8) : ([n]u8, [5]i64, i64) =
  let funcs = map (\c -> map (\row -> row[class c]) table) text
  let states = map (\f -> f[0]) (scan compose (copy identity) funcs)
  let counts = reduce_by_index (replicate 5 0i64) (+) 0 (map i64.u8 states) (map (const 1) states)
  let words = i64.sum (map2 (\i s -> i64.bool (s == 1 && (i == 0 || states[i - 1] != 1))) (iota n) states)
  in (states, counts, words)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = tabulate n (\i -> let c = u8.u32 (rnd i % 64) in if c < 8 then ' ' else if c < 10 then '\n' else if c < 20 then 48 + c - 10 else if c < 46 then 97 + c - 20 else '+')
