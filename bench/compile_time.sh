#!/bin/sh
# What the passes on memory cost of the compile time, as two markdown tables: programs, and generated chains of statements of
# rising length with the exponent of growth.
#
# usage: bench/compile_time.sh [FUN [RUNS [LENGTH ...]]]
set -eu
cd "$(dirname "$0")/.."
fun=${1:-target/release/fun}
runs=${2:-5}
[ $# -le 2 ] && lengths="10 30 100 300 1000 2000" || { shift 2; lengths=$*; }
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT

# timed COMMAND FILE: "total memory check worst" in milliseconds; `worst` is the costliest pass on memory. Of each pass the quickest
# run counts, so other work on the machine does little harm.
timed() {
  for run in $(seq "$runs"); do
    # Compiled by `fun run` for want of input; what is printed to standard output is not timed.
    "$fun" $1 --time-passes "$2" < /dev/null 2>&1 > /dev/null || true
    echo end
  done | awk '
    $1 == "end" { count = k; k = 0; next }
    $NF != "ms" || $1 == "total" { next }
    {
      is_pass = $4 == "check"
      k++; name[k] = is_pass ? $1 : ""
      of_pass = is_pass ? $2 : $(NF - 1); of_check = is_pass ? $5 : 0
      if (!(k in pass) || of_pass < pass[k]) pass[k] = of_pass
      if (!(k in check) || of_check < check[k]) check[k] = of_check
    }
    END {
      for (k = 1; k <= count; k++) {
        total += pass[k] + check[k]
        if (name[k] == "introduce-memory") { on = 1; checks += check[k]; continue }
        if (name[k] == "lower-to-imp") on = 0
        if (on || name[k] == "hoist-blocks") {
          memory += pass[k]; checks += check[k]
          if (pass[k] > most) { most = pass[k]; worst = name[k] }
        }
      }
      print total, memory, checks, worst, most
    }'
}

echo "| program | compile, ms | memory passes, ms | share | costliest | their checks, ms |"
echo "|---|---|---|---|---|---|"
for file in bench/memory/*.fut examples/*.fut; do
  timed run "$file" | awk -v name="$file" '{ printf "| %s | %.1f | %.1f | %.0f %% | %s, %.1f | %.1f |\n", name, $1, $2, 100 * $2 / $1, $4, $5, $3 }'
done

# chain SHAPE N: a program of n statements, each of which uses the one before.
chain() {
awk -v shape=$1 -v n=$2 'BEGIN {
  if (shape == "maps") {
    print "entry main [n] (a0: [n]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = scan (+) %d a%d\n", i, i, i - 1
  } else if (shape == "updates") {
    print "entry main [n] (a0: *[n][8]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = a%d with [%d] = map (+ %d) (iota 8)\n", i, i - 1, i, i
  } else if (shape == "concats") {
    print "entry main [n] (a0: [n]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = map (+ %d) (iota %d ++ [%d])\n", i, i, i % 7 + 1, i
    printf "  in a0"; for (i = 1; i <= n; i += 10) printf " ++ a%d", i; print ""
  } else if (shape == "loops") {
    print "entry main [n] (a0: [n]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = loop x = a%d for k < 3 do map (\\y -> y * k + %d) x\n", i, i - 1, i
  } else if (shape == "branches") {
    print "entry main [n] (a0: [n]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = if n > %d then map (+ %d) a%d else a%d\n", i, i, i, i - 1, i - 1
  } else if (shape == "slices") {
    print "entry main [n] (a0: [n]i64) ="
    for (i = 1; i <= n; i++) printf "  let a%d = scan (+) %d a%d[0:n]\n", i, i, i - 1
  }
  if (shape != "concats") printf "  in a%d\n", n
}'
}

echo
echo "| chain | n | compile to IMP, ms | memory passes, ms | a statement, ms | growth from the row above: n to the power of | costliest |"
echo "|---|---|---|---|---|---|---|"
for shape in maps updates concats loops branches slices; do
  before=
  for n in $lengths; do
    chain $shape "$n" > "$dir/$shape.fut"
    now="$n $(timed dev "$dir/$shape.fut")"
    echo "$before $now" | awk -v shape=$shape -v first="${before:+no}" '
      { k = first == "" ? 0 : 6; n = $(1 + k); memory = $(3 + k)
        growth = k ? sprintf("%.2f", log(memory / $3) / log(n / $1)) : ""
        printf "| %s | %d | %.1f | %.2f | %.3f | %s | %s, %.1f |\n", shape, n, $(2 + k), memory, memory / n, growth, $(5 + k), $(6 + k) }'
    before=$now
  done
done
