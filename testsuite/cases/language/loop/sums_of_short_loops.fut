-- case: run ( 9i64 [3u32,5u32,6u32,12u32] )
-- Sums of what short loops compute, longer than a round of lanes and shorter.
def main (n: i64) (directions: [4]u32) =
  let number (i: i64) =
    loop r = 0u32 for k < 4 do if (u32.i64 i >> u32.i64 k) & 1 == 1 then r ^ directions[k] else r
  let of_rows = map (\d -> u32.sum (map (\i -> d * number (i * n)) (iota 300))) directions
  let nearest =
    f32.minimum (map (\i -> f32.sum (map (\k -> (f32.i64 ((i * 7) % 31) - f32.i64 k) ** 2) (iota 3))) (iota (n * 20)))
  in (u32.sum (map number (iota n)), of_rows, nearest)
-- ---
-- 40u32
-- [6750u32, 11250u32, 13500u32, 27000u32]
-- 2.0f32
