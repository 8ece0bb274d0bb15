-- case: run ( [2i64, 1i64] empty([0]i64) )
-- Prelude, `flatmap'`: elements may be arrays and tuples; an array without elements gives nothing.
def main (sizes: []i64) (none: []i64) =
  let (shape, _, _, rows) = flatmap' (\k -> replicate k ([k, 7], true)) sizes
  let (pairs, flags) = unzip rows
  let (_, starts, offsets, data) = flatmap' iota none
  in (shape, pairs, flags, starts, offsets, data)
-- ---
[2i64, 1i64]
[[2i64, 7i64], [2i64, 7i64], [1i64, 7i64]]
[true, true, true]
empty([0]bool)
empty([0]i64)
empty([0]i64)
