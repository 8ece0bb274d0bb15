#!/usr/bin/env bash
# The CUDA text of programs, compiled for two GPUs by NVRTC, without a GPU: a warning is a failure. What the kernels of the ten programs of
# bench/kernels use is compared with testsuite/cuda/kernels.txt, and must not grow; nothing may spill.
# usage: testsuite/cuda/compile.sh [FUN] [FOLDER...]      (BLESS=1 writes the table; NVRTC names a libnvrtc.so of the version below; without it
# one is installed by PYTHON's pip into a folder that goes when this ends, and where it can't be, this says so and does nothing)
set -euo pipefail
cd "$(dirname "$0")/../.."
fun=$(realpath "${1:-target/release/fun}") python=${PYTHON:-python3}
shift || true
folders=("$@")
[ $# -gt 0 ] || folders=(examples bench testsuite/cases testsuite/memory)
version=12.9.86 table=testsuite/cuda/kernels.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvrtc=${NVRTC:-}
if [ -z "$nvrtc" ]; then
  patience=$(command -v timeout >/dev/null && echo "timeout 300" || true)
  if ! $patience "$python" -m pip install -q --retries 1 --no-deps --target "$work/packages" "nvidia-cuda-nvrtc-cu12==$version" 2>"$work/log"; then
    echo "skipped: NVRTC can't be installed, so that no CUDA text was compiled: $(tail -1 "$work/log")" >&2
    exit 0
  fi
  nvrtc=$work/packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12
fi
export nvrtc

# The ten programs: each kernel with its registers, bytes of stack, bytes spilled and bytes shared.
mkdir "$work/kernels"
for program in bench/kernels/*.fut; do
  "$fun" compile -w --emit cuda "$program" -o "$work/kernels/$(basename "$program" .fut).cu"
done
"$python" testsuite/cuda/compile.py "$nvrtc" 80,90 "$work"/kernels/*.cu >"$work/rows"
{
  echo "# program kernel architecture registers stack spilled shared (NVRTC $version; written by testsuite/cuda/compile.sh)"
  cat "$work/rows"
} >"$work/table"
status=0
if [ -n "${BLESS:-}" ]; then cp "$work/table" "$table"; fi
awk '
  FNR == 1 { next }
  $6 > 0 && FNR != NR { print "spills: " $0; bad = 1 }
  NR == FNR { for (k = 4; k <= 7; k++) was[$1 " " $2 " " $3, k] = $k; known[$1 " " $2 " " $3]; next }
  { at = $1 " " $2 " " $3; now[at] }
  !(at in known) { print "not in the table: " $0; bad = 1; next }
  { for (k = 4; k <= 7; k++) if ($k > was[at, k]) { print "grew from " was[at, 4] " " was[at, 5] " " was[at, 6] " " was[at, 7] ": " $0; bad = 1; break } }
  END { for (at in known) if (!(at in now)) { print "no longer there: " at; bad = 1 } exit bad }
' "$table" "$work/table" >&2 || status=1
echo "$(grep -vc '^#' "$work/table") kernels of the ten programs measured"

# Every program that has kernels.
mkdir "$work/all"
emit() {
  local program=$1 name status=0
  name=$work/all/$(tr "/" "_" <<<"$program")
  # without what a case expects
  sed -E '/^((--|\/\/) )?---$/,$d' "$program" >"$name.${program##*.}"
  "$fun" compile -w --emit cuda "$name.${program##*.}" -o "$name.cu" 2>"$name.said" || status=$?
  rm "$name.${program##*.}"
  if [ $status -gt 1 ]; then echo "failed $program: status $status: $(head -3 "$name.said")"; fi
  if [ $status -ne 0 ] || ! grep -q "__global__ void .*(.*{" <(grep -v 'void name(' "$name.cu"); then rm -f "$name.cu"; fi
}
export -f emit
export fun work
find "${folders[@]}" \( -name '*.fut' -o -name '*.fun' -o -name '*.funmem' -o -name '*.imp' \) -print0 | sort -z |
  xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'emit "$1"' _ {} >"$work/outcomes"
if grep '^failed' "$work/outcomes" >&2; then status=1; fi
count=$(find "$work/all" -name '*.cu' | wc -l)
find "$work/all" -name '*.cu' -print0 | sort -z |
  xargs -0 -r -n 8 -P "${JOBS:-$(nproc)}" "$python" testsuite/cuda/compile.py "$nvrtc" 80,90 >"$work/kernels.log" || status=1
echo "$count programs compiled for sm_80 and sm_90, $(wc -l <"$work/kernels.log") kernels in all"
exit $status
