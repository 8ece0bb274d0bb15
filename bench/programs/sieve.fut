-- How many primes there are below n: each prime up to the root strikes out its multiples.
-- ==
-- notest input { 2000000i64 }
-- nobench input { 30i64 } output { 10i64 }
-- nobench input { 2i64 } output { 0i64 }

entry main (n: i64): i64 =
  let (prime, _) =
    loop (prime, k) = (replicate n true, 2) while k * k < n do
      let count = if prime[k] then (n - k * k + k - 1) / k else 0
      in (scatter prime (tabulate count (\t -> k * k + t * k)) (replicate count false), k + 1)
  in i64.sum (map i64.bool (drop 2 prime :> [n - 2]bool))
