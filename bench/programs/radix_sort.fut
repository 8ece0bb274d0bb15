-- Sorting by 32 bits, eight at a time from the lowest to the highest. Each block of keys counts its digits; where each digit of each block
-- begins is what comes before it in all blocks; and each block then knows the places of its keys.
-- ==
-- notest random input { [1000000]u32 }
-- nobench input { [5u32, 4294967295u32, 0u32, 7u32, 5u32] } output { [0u32, 5u32, 5u32, 7u32, 4294967295u32] }

def step [n] (blocks: i64) (xs: [n]u32) (shift: u32): [n]u32 =
  let size = (n + blocks - 1) / blocks
  let digit (x: u32) = i64.u32 ((x >> shift) & 255)
  let from b = i64.min n (b * size)
  let counts = tabulate blocks (\b ->
    loop counts = replicate 256 0i32 for k < from (b + 1) - from b do
      let d = digit xs[from b + k]
      in counts with [d] = counts[d] + 1)
  let ends = scan (+) 0 (flatten (transpose counts))
  let starts = tabulate_2d blocks 256 (\b d -> let at = d * blocks + b in if at == 0 then 0 else ends[at - 1])
  let places = tabulate blocks (\b ->
    let (places, _) = loop (places, next) = (replicate size (-1i64), copy starts[b]) for k < from (b + 1) - from b do
      let d = digit xs[from b + k]
      in (places with [k] = i64.i32 next[d], next with [d] = next[d] + 1)
    in places)
  in scatter (replicate n 0) (flatten places)[0:n] xs

entry main [n] (xs: [n]u32): [n]u32 = loop xs for round < 4 do step 16 xs (u32.i32 round * 8)
