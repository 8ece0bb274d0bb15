-- Saturating histogram of an image (Parboil's histo).
-- ==
-- entry: check
-- input { 40i64 }
-- output {
--   [0i64, 2i64, 0i64, 2i64, 2i64, 4i64, 0i64, 2i64, 0i64, 1i64, 3i64, 4i64, 6i64, 1i64, 8i64, 10i64, 3i64, 6i64, 4i64, 10i64, 7i64, 11i64,
--   3i64, 7i64, 5i64, 10i64, 16i64, 16i64, 11i64, 8i64, 7i64, 12i64, 12i64, 11i64, 9i64, 15i64, 20i64, 13i64, 17i64, 16i64, 21i64, 14i64,
--   18i64, 14i64, 14i64, 15i64, 15i64, 23i64, 16i64, 24i64, 22i64, 21i64, 20i64, 21i64, 24i64, 24i64, 25i64, 17i64, 22i64, 29i64, 31i64, 27i64,
--   19i64, 19i64, 25i64, 23i64, 19i64, 22i64, 30i64, 20i64, 19i64, 12i64, 26i64, 18i64, 25i64, 19i64, 18i64, 15i64, 20i64, 21i64, 22i64, 22i64,
--   12i64, 18i64, 24i64, 17i64, 21i64, 15i64, 13i64, 8i64, 17i64, 13i64, 12i64, 10i64, 23i64, 14i64, 11i64, 12i64, 11i64, 12i64, 12i64, 11i64,
--   11i64, 9i64, 12i64, 6i64, 9i64, 6i64, 7i64, 6i64, 12i64, 11i64, 8i64, 4i64, 6i64, 5i64, 4i64, 5i64, 5i64, 2i64, 4i64, 4i64, 4i64, 4i64,
--   0i64, 4i64, 1i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64]
-- }

def saturating [h][w] (height: i64) (width: i64) (image: [h][w]i32) : [height][width]u8 =
  let flat = flatten image
  let hist = reduce_by_index (replicate (height * width) 0i32) (+) 0 (map i64.i32 flat) (map (const 1) flat)
  in unflatten (map (\c -> u8.i32 (i32.min c 255)) hist)

entry main [h][w] (height: i64) (width: i64) (image: [h][w]i32) = saturating height width image

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (256i64, 1024i64, tabulate_2d n n (\i j -> i32.u32 ((rnd (i * n + j) % 512 + rnd (i * n + j + 7) % 512) * 128 + rnd (j + 3) % 128)))

entry check (n: i64) : [256]i64 =
  let (_, _, image) = mk n
  in map (\row -> i64.sum (map i64.u8 row)) (saturating 256 1024 image)
