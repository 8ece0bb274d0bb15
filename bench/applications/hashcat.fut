-- The word with a given MD5, among many (RFC 1321).
-- ==
-- entry: main
-- script input { mk 50i64 }
-- output {
--   16i64
-- }

module md5 = {
  def rs : [64]u32 = [7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22, 7, 12, 17, 22,
                      5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14, 20, 5, 9, 14, 20,
                      4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23, 4, 11, 16, 23,
                      6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21, 6, 10, 15, 21]
  def ks : [64]u32 = map (\i -> u32.i64 (i64.f64 (f64.floor (f64.abs (f64.sin (f64.i64 (i + 1))) * 4294967296)))) (iota 64)
  def rotate_left (x: u32) (c: u32) = (x << c) | (x >> (32 - c))
  type state = {a: u32, b: u32, c: u32, d: u32}
  def init : state = {a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476}
  def chunk (s: state) (m: [16]u32) : state =
    let r = loop {a, b, c, d} = s for i < 64i32 do
      let (f, g) = if i < 16 then ((b & c) | (!b & d), i)
                   else if i < 32 then ((d & b) | (!d & c), (5 * i + 1) % 16)
                   else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
                   else (c ^ (b | !d), (7 * i) % 16)
      in {a = d, b = b + rotate_left (a + f + ks[i] + m[g]) rs[i], c = b, d = c}
    in {a = s.a + r.a, b = s.b + r.b, c = s.c + r.c, d = s.d + r.d}
  def hash_word [n] (word: [n]u8) (len: i64) : state =
    let padded : [64]u8 = tabulate 64 (\i -> if i < len then word[i] else if i == len then 0x80
                                           else if i == 56 then u8.i64 (len * 8) else 0)
    let m = tabulate 16 (\i -> u32.u8 padded[4 * i] | (u32.u8 padded[4 * i + 1] << 8) | (u32.u8 padded[4 * i + 2] << 16) | (u32.u8 padded[4 * i + 3] << 24))
    in chunk init m
}
entry main [n] (target: [4]u32) (words: [n][12]u8) : i64 =
  let same (w: [12]u8) = let h = md5.hash_word w 12 in h.a == target[0] && h.b == target[1] && h.c == target[2] && h.d == target[3]
  let hits = map2 (\i w -> if same w then i else -1) (iota n) words
  in reduce i64.max (-1) hits
entry digest (s: []u8) : [4]u32 = let h = md5.hash_word s (length s) in [h.a, h.b, h.c, h.d]

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) =
  let words = tabulate_2d n 12 (\i j -> u8.u32 (97 + rnd (i * 12 + j) % 26))
  let h = md5.hash_word (copy words[n / 3]) 12
  in ([h.a, h.b, h.c, h.d], words)
