#!/usr/bin/env bash
# How the time of the compiler grows with the program: for each shape of program its size n, the milliseconds of `fun check`, of compiling
# to IMP, and of compiling to machine code in memory (`fun run` without input) at n and 2n, with their ratios: 2 is linear, 2.46 is n to the
# power of 1.3. Times are processor time, of the quickest of RUNS runs: other work on the machine matters little. Among the shapes are those
# that other compilers take exponential time for.
#
# usage: bench/frontend.sh [FUN [RUNS [SHAPE:N ...]]]
set -euo pipefail
TIMEFORMAT='%U %S'
fun=${1:-target/release/fun} runs=${2:-3}
shift $(($# < 2 ? $# : 2))
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT

# generate SHAPE N: a program of the shape.
generate() {
awk -v shape=$1 -v n=$2 'BEGIN {
  if (shape == "functions") {
    print "def f0 (xs: []i32) (k: i32): []i32 = map (+ k) xs"
    for (i = 1; i <= n; i++) {
      printf "def f%d [n] (xs: [n]i32) (k: i32): []i32 =\n  let ys = map (\\x -> x * k + %d) (f%d xs (k + 1))\n  let zs = filter (> k) ys\n  let total = reduce (+) 0 zs\n  in if total > %d then zs else ys\n", i, i, i - 1, i
    }
    printf "entry main (xs: []i32) (k: i32) = f%d xs k\n", n
  } else if (shape == "lines") {
    print "entry main (x0: i32) (ys: []i32) ="
    for (i = 1; i <= n; i++) printf "  let x%d = x%d * 3 + ys[%d]\n", i, i - 1, i % 10
    printf "  in x%d\n", n
  } else if (shape == "sum") {
    printf "entry main (x: i64) = x"; for (i = 1; i <= n; i++) printf " + %d * x", i % 100; print ""
  } else if (shape == "next") {
    print "def next (s: u32): (u32, u32) = let a = s ^ (s << 13) let b = a ^ (a >> 17) let c = b ^ (b << 5) in (c, c + s)"
    print "def calc (s: u32) ="
    for (i = 1; i <= n; i++) printf "  let (s, x%d) = next s\n", i
    printf "  in s"; for (i = 1; i <= n; i++) printf " + x%d", i; print ""
    print "entry main (xs: []u32) = map calc xs"
  } else if (shape == "sizes") {
    print "entry main (n0: i64) ="
    for (i = 1; i <= n; i++) printf "  let n%d = n%d * n%d + 1\n", i, i - 1, i - 1
    printf "  in length (iota n%d)\n", n
  } else if (shape == "sizefuns") {
    print "def f0 (n: i64) = n + 1"
    for (i = 1; i <= n; i++) printf "def f%d (n: i64) = length (iota (f%d n)) + length (replicate (f%d n) 0)\n", i, i - 1, i - 1
    printf "entry main (n: i64): []i64 = iota (f%d n)\n", n
  } else if (shape == "calls") {
    print "def g (x: i64) (y: i64): i64 = x * y + x"
    printf "entry main (n: i64) ="
    print ""
    print "  let x0 = n"
    for (i = 1; i <= n; i++) printf "  let x%d = g x%d x%d\n", i, i - 1, i - 1
    printf "  in zip (iota x%d) (iota x%d)\n", n, n
  } else if (shape == "sizegrow") {
    print "def sq [n] (xs: [n]i32): [n * n]i32 = flatten (map (\\x -> map (+ x) xs) xs)"
    print "entry main (xs0: []i32) ="
    for (i = 1; i <= n; i++) printf "  let xs%d = sq xs%d\n", i, i - 1
    printf "  in xs%d\n", n
  } else if (shape == "sizesum") {
    print "def dup [n] (xs: [n]i32): [n + n + 1]i32 = xs ++ xs ++ [1]"
    print "entry main (xs0: []i32) ="
    for (i = 1; i <= n; i++) printf "  let xs%d = dup xs%d\n", i, i - 1
    printf "  in xs%d\n", n
  } else if (shape == "sizepoly") {
    print "entry main (n0: i64) ="
    for (i = 1; i <= n; i++) printf "  let n%d = n%d * n%d + 1\n", i, i - 1, i - 1
    printf "  in zip (iota n%d) (iota n%d)\n", n, n
  } else if (shape == "local") {
    print "entry main (n: i64) ="
    print "  let f0 (x: i64) = x * x + 1"
    for (i = 1; i <= n; i++) printf "  let f%d (x: i64) = f%d x + f%d (x + 1)\n", i, i - 1, i - 1
    printf "  in f%d n\n", n
  } else if (shape == "localtwice") {
    print "def twice f (x: i64): i64 = f (f x)"
    print "entry main (n: i64) ="
    print "  let f0 (x: i64) = x * n + 1"
    for (i = 1; i <= n; i++) printf "  let f%d (x: i64) = twice f%d x\n", i, i - 1
    printf "  in f%d n\n", n
  } else if (shape == "localsize") {
    print "entry main [n] (xs: [n]i64) (ys: [n]i64) ="
    print "  let f0 (z: [n]i64) = map2 (+) z ys"
    for (i = 1; i <= n; i++) printf "  let f%d (z: [n]i64) = f%d (f%d z)\n", i, i - 1, i - 1
    printf "  in f%d xs\n", n
  } else if (shape == "branches") {
    print "entry main (c: bool) (xs0: []i32) ="
    for (i = 1; i <= n; i++) printf "  let xs%d = if c && length xs%d > %d then xs%d ++ xs%d else xs%d[1:]\n", i, i - 1, i, i - 1, i - 1, i - 1
    printf "  in xs%d\n", n
  } else if (shape == "loops") {
    print "entry main (k: i64) (xs0: []i32) ="
    for (i = 1; i <= n; i++) printf "  let xs%d = loop ys = xs%d for i < k do if i %% 2 == 0 then ys ++ xs%d else filter (> %d) ys\n", i, i - 1, i - 1, i
    printf "  in xs%d\n", n
  } else if (shape == "maps") {
    print "entry main (xs0: []i32) ="
    for (i = 1; i <= n; i++) printf "  let xs%d = map (\\x -> let zs = map (+ x) xs%d in reduce (+) 0 zs + zs[0]) xs%d\n", i, i - 1, i - 1
    printf "  in xs%d\n", n
  } else if (shape == "untyped") {
    printf "def apply fun"; for (i = 1; i <= n; i++) printf " x%d", i
    printf " = fun"; for (i = 1; i <= n; i++) printf " x%d", i; print ""
    printf "entry main (xs: []i32) = map (\\x -> apply (\\"; for (i = 1; i <= n; i++) printf "a%d ", i
    printf "-> a1"; for (i = 2; i <= n; i++) printf " + a%d", i; printf ")"
    for (i = 1; i <= n; i++) printf " x"; print ") xs"
  } else if (shape == "compose") {
    printf "entry main (xs: []i32) = map ((+ 1)"; for (i = 2; i <= n; i++) printf " >-> (* %d)", i; print ") xs"
  } else if (shape == "pipe") {
    printf "entry main (xs: []i32) = xs"; for (i = 1; i <= n; i++) printf " |> map (+ %d)", i; print ""
  } else if (shape == "records") {
    print "entry main (x: i32) ="
    printf "  let r = {f0 = x"; for (i = 1; i <= n; i++) printf ", f%d = x + %d", i, i; print "}"
    for (i = 1; i <= n; i++) printf "  let r = r with f%d = r.f%d * 2\n", i, i - 1
    printf "  in r.f%d\n", n
  } else if (shape == "literal") {
    printf "entry main = [0i32"; for (i = 1; i <= n; i++) printf ", %di32", i; print "]"
  } else if (shape == "nested") {
    printf "entry main (x: i32) ="; for (i = 1; i <= n; i++) printf " if x > %d then %d else", i, i; print " 0"
  }
}'
}

# milliseconds FILE VERB...: of the quickest run on the file.
milliseconds() {
    file=$1
    shift
    for _ in $(seq "$runs"); do
        # A run ends with a message that input is missing; nothing else may fail.
        { time timeout 120 "$fun" "$@" "$file" < /dev/null > /dev/null 2>&1 || { [ $? -eq 1 ] && [ "$1" = run ]; } ||
            echo "refused or too slow"; } 2>&1
    done | awk '/slow/ { failed = 1; next } { t = 1000 * ($1 + $2); if (least == "" || t < least) least = t } END { print failed ? 1e9 : least }'
}

[ $# -gt 0 ] || set -- functions:500 lines:2500 sum:2000 next:400 sizes:400 sizefuns:100 calls:400 sizepoly:200 sizegrow:40 sizesum:100 \
    branches:200 loops:100 maps:200 untyped:100 compose:200 pipe:400 records:200 literal:20000 nested:400 local:100 localtwice:100 localsize:100
printf '%-10s %6s |%21s  |%21s  |%21s\n' shape n 'check at n, 2n, ratio' 'IMP at n, 2n, ratio' 'code at n, 2n, ratio'
for shape; do
    n=${shape#*:} shape=${shape%:*}
    generate "$shape" "$n" > "$dir/once.fut"
    generate "$shape" $((2 * n)) > "$dir/twice.fut"
    printf '%-10s %6d ' "$shape" "$n"
    for verb in check 'compile --emit imp' run; do
        # the words of the verb apart
        a=$(milliseconds "$dir/once.fut" $verb -w)
        b=$(milliseconds "$dir/twice.fut" $verb -w)
        awk -v a="$a" -v b="$b" 'BEGIN { printf "| %7.0f %7.0f %6.2f ", a, b, b / (a + 1e-9) }'
    done
    echo
done
