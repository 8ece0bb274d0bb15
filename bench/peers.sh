#!/usr/bin/env bash
# The ten kernels, the twenty programs of bench/programs, or the seven of bench/memory: FUN by way of C and by the JIT, the C reference, and each peer
# of bench/peers and Futhark where they are installed, on the same data. All results of kernels are checked against those in f64 (kernels/truth.c), of
# the others against what FUN makes by way of C. Those of a row run alternately. Prints a markdown table of milliseconds.
# usage: [SET=kernels] [PYTHON=python3] [TIME=5] [THREADS="1 2"] [STATISTIC=median] bench/peers.sh [FUN [FUTHARK [KERNEL …]]]
#   SET: kernels, programs or memory; PYTHON: one that has NumPy and of JAX, Numba and Halide what shall run; TIME: seconds for each row and backend;
#   STATISTIC: median, or min on a machine that others use too; needs a C compiler and 1.5 GB for data
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}") futhark=${2:-futhark} python=${PYTHON:-python3}
set=${SET:-kernels} entry=main
. bench/memory/arguments.sh
case $set in
  kernels) kernels=(dot exp_sum matmul jacobi scan blur nw lu histogram triad) script=with ;;
  programs) script=programs; mapfile -t kernels < <(cd bench/programs && printf '%s\n' *.fut | sed 's/\.fut$//') ;;
  memory) kernels=(nw lud hotspot lbm option_pricing locvolcalib nn) script=memory entry=bench ;;
  *) echo "no set $set" >&2; exit 2 ;;
esac
[ $# -le 2 ] || kernels=("${@:3}")
statistic=${STATISTIC:-median}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NUMBA_CACHE_DIR=$work/numba PYTHONDONTWRITEBYTECODE=1
cc=${CC:-cc}
sources=("bench/$set/reference.c")
[ ! -f "bench/$set/more.c" ] || sources+=("bench/$set/more.c")
$cc -O3 -march=native -ffast-math -fopenmp -o "$work/reference" "${sources[@]}" -lm
[ "$set" != kernels ] || $cc -O3 -march=native -o "$work/truth" bench/kernels/truth.c -lm
command -v "$futhark" >/dev/null || { echo "futhark: skipped: not installed" >&2; futhark=; }
# What is asked for of a name in the output of `fun bench`.
figure() {
  awk -v name="$1" -v what="$statistic" '$1 == name && match($0, what " [0-9.]+ (ms|µs)") {
    split(substr($0, RSTART, RLENGTH), words, " ")
    printf "%.3f", words[3] == "ms" ? words[2] : words[2] / 1000
    exit }' "$2"
}
# The quotient of two times, or a dash.
of() { awk -v a="$1" -v b="$2" 'BEGIN { if (a > 0 && b > 0) printf "%.2f", a / b; else printf "–" }'; }
# The smallest of some results `NAME TIME` on standard input.
best() { sort -k 2 -g | head -n 1; }
# Writes the data of a kernel and what must come out: KERNEL.in and KERNEL.out. Those of a program are the first of its stanza: an entry point and
# its arguments, or types and numbers; those of memory/ are the numbers that scripts time `bench` with. That others compute the same as FUN says that
# both are right.
data() {
  local source=bench/$set/$1.fut stanza= what
  [ "$set" != kernels ] || { "$work/truth" "$1" "$work"; return; }
  if [ "$set" = memory ]; then
    what=$(arguments "$1")
  else
    stanza=$(grep -m 1 '^-- notest' "$source")
    what=${stanza#*\{ } what=${what% \}*}
  fi
  case $stanza in
    *' script '*) echo "${what#* }" | "$fun" run --entry "${what%% *}" --output binary "$source" >"$work/$1.in" ;;
    *) "$python" bench/peers/random_data.py "$what" >"$work/$1.in" ;;
  esac
  "$fun" run --backend c --entry "$entry" --input "$work/$1.in" --output binary "$source" >"$work/$1.out"
}
printf '| kernel | threads | C | best peer | FUN, C backend | C / FUN | peer / FUN | FUN, JIT | C / FUN | peer / FUN | all peers |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|\n'
for kernel in "${kernels[@]}"; do
  data "$kernel"
  # the program with these data alone
  {
    printf -- '-- ==\n-- entry: %s\n-- input @ %s.in output @ %s.out\n\n' "$entry" "$work/$kernel" "$work/$kernel"
    sed '/^--/d' "bench/$set/$kernel.fut"
  } >"$work/$kernel.fut"
  for threads in ${THREADS:-1 2}; do
    pin=()
    [ "$threads" != 1 ] || pin=(taskset -c 1)
    by_hand="$work/reference $kernel $work/$kernel.out"
    # of the kernels it draws the same data itself; those of memory/ have no data
    case $set in
      programs) by_hand+=" $work/$kernel.in" ;;
      memory) by_hand="$work/reference $kernel" ;;
    esac
    peers=(--vs "reference=$by_hand") names=(reference)
    if [ "$set" = memory ]; then
      OMP_NUM_THREADS=$threads "${pin[@]}" $by_hand result | "$python" bench/peers/check_printed.py "$kernel" "$work"
    else
      OMP_NUM_THREADS=$threads "${pin[@]}" $by_hand </dev/null
    fi
    for peer in numpy jax numba halide; do
      call="$python bench/peers/${script}_$peer.py $kernel $work"
      # one run without a line to answer: whether it is there, and right
      if OMP_NUM_THREADS=$threads "${pin[@]}" $call </dev/null 2>"$work/why"; then
        peers+=(--vs "$peer=$call") names+=("$peer")
      else
        echo "$kernel, $threads: $peer: $(tail -n 1 "$work/why")" >&2
      fi
    done
    if [ -n "$futhark" ]; then
      [ "$threads" != 1 ] || { peers+=(--vs "futhark-c=bench/kernels/futhark.sh $futhark c"); names+=(futhark-c); }
      peers+=(--vs "futhark-multicore=bench/kernels/futhark.sh $futhark multicore")
      names+=(futhark-multicore)
    fi
    with=("$fun" bench --entry "$entry" --threads "$threads" --time "${TIME:-5}" --tolerance 0.001)
    "${pin[@]}" "${with[@]}" --backend c "${peers[@]}" "$work/$kernel.fut" >"$work/c" || cat "$work/c" >&2
    # the C reference is timed with both, so that each has one to be compared with that ran in the same minute
    "${pin[@]}" "${with[@]}" --backend jit "${peers[@]:0:2}" "$work/$kernel.fut" >"$work/jit" || cat "$work/jit" >&2
    all=$(for name in "${names[@]:1}"; do echo "$name $(figure "$name:" "$work/c")"; done)
    read -r name time < <(echo "$all" | awk 'NF == 2' | best) || { name=– time=; }
    c=$(figure "$entry" "$work/c") jit=$(figure "$entry" "$work/jit") reference=$(figure reference: "$work/c")
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$kernel" "$threads" "${reference:-–}" "$name ${time}" \
      "${c:-–}" "$(of "$reference" "$c")" "$(of "$time" "$c")" "${jit:-–}" "$(of "$(figure reference: "$work/jit")" "$jit")" \
      "$(of "$time" "$jit")" "$(echo "$all" | awk '{ printf "%s%s", sep, $0; sep = ", " }')"
  done
  rm -f "$work/$kernel".*
done
