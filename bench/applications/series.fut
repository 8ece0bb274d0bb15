-- Fourier coefficients of (x+1)^x (JGF's series).
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [[2.881920785462451f64, 1.134040891519398f64, 0.362225765742195f64, 0.170322378592124f64, 0.097834859801913f64, 0.063241169030286f64],
--   [0.000000000000000f64, -1.882081887441358f64, -1.164789654086078f64, -0.814684187812758f64, -0.621874022453388f64, -0.501643366656219f64]]
-- }

def f (x: f64) (omegan: f64) (select: i32) : f64 =
  match select
  case 0 -> (x + 1) ** x
  case 1 -> (x + 1) ** x * f64.cos (omegan * x)
  case _ -> (x + 1) ** x * f64.sin (omegan * x)
def trapezoid (x0: f64) (x1: f64) (steps: i64) (omegan: f64) (select: i32) =
  let dx = (x1 - x0) / f64.i64 steps
  let r = f x0 omegan select / 2
  let (r, _) = loop (r, x) = (r, x0 + dx) for _i < steps - 1 do (r + f x omegan select, x + dx)
  in (r + f x1 omegan select / 2) * dx
entry main (n: i64) : [2][n]f64 =
  let omega = f64.pi
  let a0 = trapezoid 0 2 1000 0 0 / 2
  let (as, bs) = unzip (map (\i -> (trapezoid 0 2 1000 (omega * f64.i64 i) 1, trapezoid 0 2 1000 (omega * f64.i64 i) 2)) (1..<n))
  in [[a0] ++ as :> [n]f64, [0] ++ bs :> [n]f64]
entry mk (n: i64) = n
