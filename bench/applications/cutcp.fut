-- Cut-off Coulomb potential on a lattice (Parboil's cutcp), atoms in bins.
-- ==
-- entry: check
-- input { 200i64 }
-- output {
--   [2.311641f32, 26.251354f32, 61.137932f32, 96.775642f32, 115.437271f32, 102.767677f32, 89.105110f32, 61.950386f32, 11.380151f32,
--   5.731679f32, -21.396481f32, -44.650928f32, -55.757504f32, -54.291367f32, -40.226528f32, -12.911321f32, 14.399710f32, 26.073380f32,
--   13.125033f32, 1.567572f32, -16.898867f32, -36.157242f32, -62.719299f32, -69.362373f32, -59.057911f32, -45.911762f32, -37.824871f32,
--   -9.855181f32, 21.013018f32, 36.075977f32, 30.035038f32, 26.256062f32, 26.106441f32, 27.101158f32, 28.331457f32, 38.406860f32, 47.695602f32,
--   48.602837f32, 23.912600f32, 1.993426f32, -3.866188f32, -12.411075f32, -8.216384f32, 21.641340f32, 45.676949f32, 66.752464f32, 90.615219f32,
--   112.219070f32]
-- }

type atom = {x: f32, y: f32, z: f32, q: f32}
entry main [n] (nx: i64) (ny: i64) (nz: i64) (h: f32) (cutoff: f32) (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (qs: [n]f32) : [nz][ny][nx]f32 =
  let atoms = map4 (\x y z q : atom -> {x, y, z, q}) xs ys zs qs
  let cell (v: f32) = i64.f32 (v / cutoff)
  let (cx, cy, cz) = (cell (f32.i64 nx * h) + 1, cell (f32.i64 ny * h) + 1, cell (f32.i64 nz * h) + 1)
  let bin_of (a: atom) = (cell a.z * cy + cell a.y) * cx + cell a.x
  let bins = map bin_of atoms
  let capacity = 16i64
  -- places within bins by sorting with counts
  let (slots, counts) =
    loop (slots, counts) = (replicate (cx * cy * cz * capacity) (-1i64), replicate (cx * cy * cz) 0i64) for i < n do
      let b = bins[i]
      let c = counts[b]
      in if c < capacity then (slots with [b * capacity + c] = i, counts with [b] = c + 1) else (slots, counts)
  let c2 = cutoff * cutoff
  in tabulate_3d nz ny nx (\k j i ->
       let (x, y, z) = (f32.i64 i * h, f32.i64 j * h, f32.i64 k * h)
       let (bi, bj, bk) = (cell x, cell y, cell z)
       in loop e = 0 for d < 27i64 do
            let (dk, dj, di) = (bk + d / 9 - 1, bj + d / 3 % 3 - 1, bi + d % 3 - 1)
            in if dk < 0 || dk >= cz || dj < 0 || dj >= cy || di < 0 || di >= cx then e else
               let b = (dk * cy + dj) * cx + di
               in loop e for s < counts[b] do
                    let a = atoms[slots[b * capacity + s]]
                    let r2 = (x - a.x) ** 2 + (y - a.y) ** 2 + (z - a.z) ** 2
                    in if r2 < c2 then let s = 1 - r2 / c2 in e + a.q / f32.sqrt (r2 + 1e-9) * s * s else e)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (48i64, 48i64, 48i64, 0.5f32, 4f32, tabulate n (\i -> 24 * rndf i), tabulate n (\i -> 24 * rndf (i + 10007)), tabulate n (\i -> 24 * rndf (i + 20011)), tabulate n (\i -> rndf (i + 30011) - 0.5))

entry check (n: i64) =
  let (nx, ny, nz, h, cutoff, xs, ys, zs, qs) = mk n
  in map (\plane -> f32.sum (flatten plane)) (main nx ny nz h cutoff xs ys zs qs)
