#!/usr/bin/env bash
# What a machine's GPU makes of FUN, by CUDA: the ten kernels and a transpose timed on the device, at the sizes of the CPU's table and at sizes far
# beyond the device's cache, beside PyTorch (cuBLAS, CUB) and CuPy, where there are such, and beside what the card does at most; the seven memory
# programs with the passes on memory and without; compute-sanitizer on some; and every program that says what comes out (testsuite/device.sh).
# Writes markdown, in less than ten minutes. Where there is no GPU it says so.
# usage: bench/gpu.sh [FUN]      (without one it builds target/release/fun first, where there is cargo; PYTHON may name a Python; MINUTES, 9 when absent, is when nothing more begins; PARTS, of kernels, memory, sanitizer
# and tests, is what is done, in this order; MEMORY, which of the memory programs; CONFORMANCE names a folder more for the tests)
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ] && command -v cargo >/dev/null; then cargo build --release -p fun-cli; fi
fun=$(realpath "${1:-target/release/fun}") python=${PYTHON:-python3} parts=${PARTS:-kernels memory sanitizer tests}
end=$((SECONDS + 60 * ${MINUTES:-9}))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wants() { [[ " $parts " == *" $1 "* ]] && [ $SECONDS -lt $end ]; }

# NVRTC lies with CUDA's toolkit, or in a Python package.
for folder in /usr/local/cuda/lib64 /usr/local/cuda/targets/x86_64-linux/lib \
  $("$python" -c 'import glob, site; print(*(path for root in site.getsitepackages() for path in glob.glob(root + "/nvidia/*/lib")))' 2>/dev/null || true); do
  if compgen -G "$folder/libnvrtc.so*" >/dev/null; then export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder; fi
done
# (a sum of what is linear would need no device)
echo 'entry main (n: i64) = i64.sum (map (% 7) (iota n))' >"$work/probe.fut"
if ! echo 1000i64 | "$fun" run --backend cuda "$work/probe.fut" >"$work/said" 2>&1; then
  echo "no GPU was used, and nothing is claimed: $(head -1 "$work/said")"
  exit 0
fi
card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "a GPU without nvidia-smi")
echo "Card and driver: $card"

if wants kernels; then
  echo "## The ten kernels and a transpose"
  cat >"$work/transpose.fut" <<'FUT'
-- ==
-- random input { [8192][8192]f32 }
entry main [n][m] (a: [n][m]f32): [m][n]f32 = map copy (transpose a)
FUT
  # The same programs with larger data: sizes of stanzas, in the order of gpu.py.
  mkdir "$work/usual" "$work/large"
  cp bench/kernels/*.fut "$work/transpose.fut" "$work/usual"
  for program in "$work"/usual/*.fut; do
    sed -E '/^-- (notest|random)/{s/\[[14]0000000\]/[100000000]/g;s/ 10000000i64/ 100000000i64/;s/\[1024\]/[4096]/g;s/\[4098\]/[16386]/g;s/\[8192\]/[16384]/g;s/1000i64 \[512\]\[512\]/100i64 [4096][4096]/}' \
      "$program" >"$work/large/$(basename "$program")"
  done
  # these take as long as they are without more to say
  rm "$work/large/nw.fut" "$work/large/lu.fut"
  for program in "$work"/usual/*.fut "$work"/large/*.fut; do
    [ $SECONDS -lt $end ] || { echo "no time left for $program"; continue; }
    FUN_DEVICE_TIMES=1 timeout 60 "$fun" bench --backend cuda --runs 3 "$program" >"${program%.fut}.host" 2>"${program%.fut}.times" || true
  done
  peak=$("$python" bench/gpu_peak.py 2>"$work/said") || echo "The card's peak was not measured: $(tail -1 "$work/said")"
  "$python" bench/gpu.py "$work" "$peak" || true
fi

if wants memory; then
  echo "## The seven memory programs, with the passes on memory and without (pipeline gpu-no-memory)"
  . bench/memory/arguments.sh
  # Milliseconds of the best of three runs (of one, where that takes long) of this program by this pipeline, those of its kernels in one more, which
  # takes longer as they are timed, and its peak in MiB.
  measured() {
    local best=- kernels=- peak=- start=$SECONDS
    for _ in 1 2 3; do
      [ $((SECONDS - start)) -lt 10 ] || break
      timeout 60 "$fun" run -w --backend cuda --pipeline "$2" -e bench -t "$work/us" "bench/memory/$1.fut" \
        <"$work/in" >"$work/$1.$2.out" 2>"$work/$1.$2.said" || { echo "- - -"; return; }
      best=$({ echo "$best"; awk '{ print $1 / 1000 }' "$work/us"; } | grep -v '^-$' | sort -n | head -1)
    done
    FUN_DEVICE_TIMES=1 timeout 60 "$fun" run -w --mem --backend cuda --pipeline "$2" -e bench "bench/memory/$1.fut" \
      <"$work/in" >/dev/null 2>"$work/$1.$2.said" || { echo "$best - -"; return; }
    # a name that comes again is of another run
    kernels=$(awk '/^kernel / { if ($2 in run) { delete run; sum = 0 } run[$2]; sum += $(NF - 1) } END { printf "%.2f", sum / 1000 }' "$work/$1.$2.said")
    peak=$(awk '$1 == "peak_bytes" { printf "%.1f", $2 / 1048576 }' "$work/$1.$2.said")
    echo "$best $kernels ${peak:--}"
  }
  printf '| program | arguments | ms | without | kernels, ms | without | peak MiB | without |\n|---|---|--:|--:|--:|--:|--:|--:|\n'
  for program in ${MEMORY:-nw lud hotspot lbm option_pricing nn locvolcalib}; do
    [ $SECONDS -lt $end ] || { echo "no time left for $program"; continue; }
    arguments "$program" >"$work/in"
    read -r ms kernels peak < <(measured "$program" gpu)
    read -r ms_without kernels_without peak_without < <(measured "$program" gpu-no-memory)
    echo "| \`$program\` | $(sed 's/i64//g' "$work/in") | $ms | $ms_without | $kernels | $kernels_without | $peak | $peak_without |"
    cmp -s "$work/$program.gpu.out" "$work/$program.gpu-no-memory.out" || echo "$program: other results without the passes"
  done
fi

if wants sanitizer; then
  echo "## compute-sanitizer"
  if command -v compute-sanitizer >/dev/null; then
    # the ten kernels, then the programs of the memory suite, those of a folder in one process
    for tool in memcheck racecheck; do
      for programs in bench/kernels/*.fut testsuite/memory/*; do
        [ $SECONDS -lt $end ] || { echo "no time left for $tool on $programs"; continue; }
        outcome=passed
        timeout 60 compute-sanitizer --target-processes all --tool $tool --error-exitcode 9 "$fun" test -c --backend cuda "$programs" \
          >"$work/sanitized" 2>&1 || outcome="exit status $?"
        echo "$tool on $programs: $outcome; $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/sanitized" | tail -1)"
      done
    done
  else
    echo "compute-sanitizer is not installed"
  fi
fi

if wants tests; then
  echo "## Test programs, results as stated or by the interpreter"
  BACKEND=cuda SECONDS_IN_ALL=$((end - SECONDS)) SECONDS_A_FILE=30 OUTCOMES=${OUTCOMES:-$work/outcomes} \
    testsuite/device.sh "$fun" ${CONFORMANCE:+"$CONFORMANCE"} || true
fi
