-- case: run ( [5i64, 9i64, 9i64, 2i64, 3i64, 3i64, 4i64, 1i64, 8i64, 6i64, 7i64, 7i64, 0i64] )
-- The place of a slice of slices is a sum of any number of terms.
#[noinline]
def rest (x: i64) (xs: []i64) =
  let i = loop i = 0 while i < length xs && xs[i] != x do i + 1
  in if i < length xs then drop (i + 1) xs else xs
#[noinline]
def after (a: []i64) =
  let find x (xs: []i64) =
    let i = loop i = 0 while i < length xs && xs[i] != x do i + 1
    in if i < length xs then drop (i + 1) xs else xs
  let b = find 5 a |> find 9 |> find 9 |> find 2 |> find 3 |> find 3
  let c = find 4 b |> find 1 |> find 8 |> find 6 |> find 20 |> find 7
  in (length b, i64.sum c, length (find 7 c))
entry main (xs: []i64) = after (rest 100 xs)
-- ---
7i64
7i64
1i64
