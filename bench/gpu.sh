#!/usr/bin/env bash
# What a machine's GPU makes of FUN, by CUDA: the test programs, compute-sanitizer on some, and the ten kernels and a transpose timed on the
# device beside PyTorch (cuBLAS, CUB) and CuPy, where there are such, and beside what the card does at most; the seven memory programs with the passes
# on memory and without. Writes markdown, in less than ten minutes. Where there is no GPU it says so.
# usage: bench/gpu.sh [FUN]      (PYTHON may name a Python; MINUTES, 9 when absent, is when nothing more begins)
set -euo pipefail
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}") python=${PYTHON:-python3}
end=$((SECONDS + 60 * ${MINUTES:-9}))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

echo "## Test programs, results as stated or by the interpreter"
for folder in examples testsuite/memory bench/memory bench/kernels bench/programs; do
  [ $SECONDS -lt $end ] || { echo "no time left for $folder"; continue; }
  timeout $((end - SECONDS)) "$fun" test -c --backend cuda --time 30 --file-time 60 "$folder" >"$work/tests" 2>&1 || true
  grep -E '^(FAILED|FAIL|fail)' "$work/tests" | head -20 || true
  echo "$folder: $(tail -1 "$work/tests")"
done
if [ -n "${CONFORMANCE:-}" ] && [ $SECONDS -lt $end ]; then
  timeout 180 "$fun" test -c --backend cuda --time 10 --file-time 20 "$CONFORMANCE" >"$work/tests" 2>&1 || true
  echo "conformance: $(tail -1 "$work/tests")"
fi

if command -v compute-sanitizer >/dev/null && [ $SECONDS -lt $end ]; then
  echo "## compute-sanitizer"
  for tool in memcheck racecheck; do
    for kernel in scan histogram dot; do
      grep -E '^-- nobench input' -A1 "bench/kernels/$kernel.fut" >/dev/null || continue
      outcome=passed
      timeout 60 compute-sanitizer --tool $tool --error-exitcode 9 "$fun" test -c --in-process --backend cuda "bench/kernels/$kernel.fut" \
        >"$work/sanitized" 2>&1 || outcome="exit status $?"
      echo "$tool on $kernel: $outcome; $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/sanitized" | tail -1)"
    done
  done
else
  echo "compute-sanitizer is not installed"
fi

echo "## The ten kernels and a transpose"
cat >"$work/transpose.fut" <<'FUT'
-- ==
-- random input { [8192][8192]f32 }
entry main [n][m] (a: [n][m]f32): [m][n]f32 = map copy (transpose a)
FUT
for program in bench/kernels/*.fut "$work/transpose.fut"; do
  [ $SECONDS -lt $end ] || { echo "no time left for $program"; continue; }
  name=$(basename "$program" .fut)
  FUN_DEVICE_TIMES=1 timeout 90 "$fun" bench --backend cuda --runs 3 "$program" >"$work/$name.host" 2>"$work/$name.times" || true
done
peak=$("$python" bench/gpu_peak.py 2>"$work/said") || echo "The card's peak was not measured: $(tail -1 "$work/said")"
"$python" bench/gpu.py "$work" "$peak"

echo "## The seven memory programs, with the passes on memory and without (pipeline gpu-no-memory)"
. bench/memory/arguments.sh
# Milliseconds of the best of three runs of this program by this pipeline, those of its kernels in the last one, and its peak in MiB.
measured() {
  local best=- kernels=- peak=-
  for _ in 1 2 3; do
    FUN_DEVICE_TIMES=1 timeout 60 "$fun" run -w --mem --backend cuda --pipeline "$2" -e bench -t "$work/us" "bench/memory/$1.fut" \
      <"$work/in" >"$work/$1.$2.out" 2>"$work/$1.$2.said" || { echo "- - -"; return; }
    best=$({ echo "$best"; awk '{ print $1 / 1000 }' "$work/us"; } | grep -v '^-$' | sort -n | head -1)
  done
  # a name that comes again is of another run
  kernels=$(awk '/^kernel / { if ($2 in run) { delete run; sum = 0 } run[$2]; sum += $(NF - 1) } END { printf "%.2f", sum / 1000 }' "$work/$1.$2.said")
  peak=$(awk '$1 == "peak_bytes" { printf "%.1f", $2 / 1048576 }' "$work/$1.$2.said")
  echo "$best $kernels ${peak:--}"
}
printf '| program | arguments | ms | without | kernels, ms | without | peak MiB | without |\n|---|---|--:|--:|--:|--:|--:|--:|\n'
for program in nw lud hotspot lbm option_pricing locvolcalib nn; do
  [ $SECONDS -lt $end ] || { echo "no time left for $program"; continue; }
  arguments "$program" >"$work/in"
  read -r ms kernels peak < <(measured "$program" gpu)
  read -r ms_without kernels_without peak_without < <(measured "$program" gpu-no-memory)
  echo "| \`$program\` | $(sed 's/i64//g' "$work/in") | $ms | $ms_without | $kernels | $kernels_without | $peak | $peak_without |"
  cmp -s "$work/$program.gpu.out" "$work/$program.gpu-no-memory.out" || echo "$program: other results without the passes"
done
