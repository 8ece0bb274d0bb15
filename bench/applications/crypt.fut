-- IDEA encryption (JGF's crypt).
-- ==
-- entry: main
-- script input { mk 4i64 }
-- output {
--   [102u8, 130u8, 58u8, 182u8, 239u8, 2u8, 182u8, 66u8, 62u8, 59u8, 119u8, 176u8, 250u8, 237u8, 46u8, 221u8, 175u8, 86u8, 54u8, 9u8, 147u8,
--   146u8, 165u8, 119u8, 22u8, 221u8, 49u8, 225u8, 160u8, 159u8, 62u8, 88u8]
-- }

def mul (a: u16) (b: u16) : u16 =
  if a == 0 then 0 - b + 1 else if b == 0 then 0 - a + 1 else
  let p = u32.u16 a * u32.u16 b
  let (lo, hi) = (u16.u32 (p & 0xffff), u16.u32 (p >> 16))
  in lo - hi + u16.bool (lo < hi)
def block (key: [52]u16) (x: [4]u16) : [4]u16 =
  let (a, b, c, d) =
    loop (a, b, c, d) = (x[0], x[1], x[2], x[3]) for r < 8i32 do
      let k i = key[r * 6 + i]
      let a = mul a (k 0)
      let b = b + k 1
      let c = c + k 2
      let d = mul d (k 3)
      let t2 = mul (a ^ c) (k 4)
      let t1 = mul (t2 + (b ^ d)) (k 5)
      let t2 = t1 + t2
      in (a ^ t1, c ^ t1, b ^ t2, d ^ t2)
  in [mul a key[48], c + key[49], b + key[50], mul d key[51]]
def encrypt_key (user: [8]u16) : [52]u16 =
  loop z = replicate 52 0 with [0:8] = user for i in 8...51 do
    let v = if i % 8 == 6 then (z[i - 7] << 9) | (z[i - 14] >> 7)
            else if i % 8 == 7 then (z[i - 15] << 9) | (z[i - 14] >> 7)
            else (z[i - 7] << 9) | (z[i - 6] >> 7)
    in z with [i] = v
def bytes_to_u16 (lo: u8) (hi: u8) : u16 = u16.u8 lo | (u16.u8 hi << 8)
def u16_to_bytes (x: u16) : [2]u8 = [u8.u16 (x & 0xff), u8.u16 (x >> 8)]
entry main [n] (user: [8]i16) (text: [n]u8) : [n]u8 =
  let key = encrypt_key (map u16.i16 user)
  let blocks = n / 8
  let chunked = unflatten (text :> [blocks * 8]u8)
  let one (bytes: [8]u8) =
    let x = tabulate 4 (\i -> bytes_to_u16 bytes[2 * i] bytes[2 * i + 1])
    in block key x |> map u16_to_bytes |> (\a -> flatten a :> [8]u8)
  in map one chunked |> (\a -> flatten a :> [n]u8)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate 8 (\i -> i16.u32 (rnd i)), tabulate (n * 8) (\i -> u8.u32 (rnd i)))
