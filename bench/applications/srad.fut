-- Speckle-reducing anisotropic diffusion (Rodinia's srad).
-- ==
-- entry: main
-- script input { mk 8i64 }
-- output {
--   [[49u8, 51u8, 53u8, 57u8, 60u8, 64u8, 66u8, 68u8], [51u8, 53u8, 56u8, 59u8, 63u8, 67u8, 69u8, 71u8], [56u8, 57u8, 61u8, 65u8, 69u8, 72u8,
--   75u8, 77u8], [61u8, 64u8, 67u8, 72u8, 76u8, 80u8, 82u8, 84u8], [69u8, 71u8, 75u8, 79u8, 84u8, 88u8, 90u8, 92u8], [76u8, 78u8, 82u8, 87u8,
--   92u8, 95u8, 97u8, 99u8], [82u8, 84u8, 89u8, 93u8, 98u8, 101u8, 103u8, 104u8], [85u8, 88u8, 92u8, 97u8, 101u8, 104u8, 106u8, 107u8]]
-- }

def index_of (n: i64) (i: i64) = (i64.max 0 (i - 1), i64.min (n - 1) (i + 1))

entry main [rows][cols] (image: [rows][cols]u8) (niter: i32) (lambda: f32) : [rows][cols]u8 =
  let elements = f32.i64 (rows * cols)
  let image = map (map (\p -> f32.exp (f32.u8 p / 255))) image
  let image =
    loop image for _i < niter do
      let sum = f32.sum (flatten image)
      let sum2 = f32.sum (map (** 2) (flatten image))
      let mean = sum / elements
      let variance = sum2 / elements - mean * mean
      let q0sqr = variance / (mean * mean)
      let (dn, ds, dw, de, c) =
        map2 (\i row ->
          map2 (\j jc ->
            let (n, s) = index_of rows i
            let (w, e) = index_of cols j
            let dn = image[n, j] - jc
            let ds = image[s, j] - jc
            let dw = image[i, w] - jc
            let de = image[i, e] - jc
            let g2 = (dn * dn + ds * ds + dw * dw + de * de) / (jc * jc)
            let l = (dn + ds + dw + de) / jc
            let num = 0.5 * g2 - (1 / 16) * l * l
            let den = 1 + 0.25 * l
            let qsqr = num / (den * den)
            let den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr))
            let c = 1 / (1 + den)
            in (dn, ds, dw, de, f32.max 0 (f32.min 1 c))) (iota cols) row |> unzip5) (iota rows) image
        |> unzip5
      in map2 (\i row ->
           map2 (\j p ->
             let (_, s) = index_of rows i
             let (_, e) = index_of cols j
             let cn = c[i, j]
             let cs = c[s, j]
             let cw = c[i, j]
             let ce = c[i, e]
             let d = cn * dn[i, j] + cs * ds[i, j] + cw * dw[i, j] + ce * de[i, j]
             in p + 0.25 * lambda * d) (iota cols) row) (iota rows) image
  in map (map (\p -> u8.f32 (f32.log p * 255))) image

entry mk (n: i64) = (tabulate_2d n n (\i j -> u8.i64 (40 + (i * i + j * 3 + (i * j) % 31) % 180)), 20i32, 0.5f32)
