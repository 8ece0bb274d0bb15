-- The price of an option by Monte Carlo, as python/finpar.py calls it.

-- Number i of the Sobol sequence with these direction numbers of as many bits.
def sobol [bits] (directions: [bits]u32) (i: u32) : f64 =
  let gray = i ^ (i >> 1)
  let x = loop x = 0 for k < bits do if (gray >> u32.i64 k) & 1 == 1 then x ^ directions[k] else x
  in f64.u32 x / f64.u32 (1 << u32.i64 bits)

-- The inverse of the normal distribution, by Acklam's rational approximation.
def normal (p: f64) : f64 =
  let tail q =
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q
      + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
  in if p < 0.02425 then tail (f64.sqrt (-2 * f64.log p))
     else if p > 1 - 0.02425 then -(tail (f64.sqrt (-2 * f64.log (1 - p))))
     else let q = p - 0.5
          let r = q * q
          in (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.383577518672690e2) * r
               - 3.066479806614716e1) * r + 2.506628277459239) * q
             / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r
                 - 1.328068155288572e1) * r + 1)

-- What a share does: its value now, the logarithm's spread and drift until the date, and what money then is worth now.
type market = {start: f64, spread: f64, drift: f64, discount: f64}

-- | A call with this strike: the mean over n paths.
entry call [bits] (m: market) (strike: f64) (directions: [bits]u32) (n: i64) : f64 =
  let payoff i =
    let value = m.start * f64.exp (m.spread * normal (sobol directions (u32.i64 i + 1)) + m.drift)
    in f64.max 0 (value - strike)
  in m.discount * f64.sum (tabulate n payoff) / f64.i64 n
