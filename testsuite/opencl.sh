#!/usr/bin/env bash
# Every program that says what comes out, on the machine's OpenCL device: the cases that run, the memory suite, the examples, the benchmarks, and
# the folders that are named. What fails on the host too does not count. Where there is no device it says so. On a processor (PoCL) it takes an
# hour or more, most of it in PoCL's compiler; POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable spares its optimiser, and hides what that does wrongly.
# usage: testsuite/opencl.sh [FUN] [FOLDER...]      (JOBS: how many files at once, all processors when absent; SECONDS_A_FILE: 120 when absent)
set -euo pipefail
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}")
shift || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# every kernel is compiled once and little is computed
export FUN_KERNEL_CACHE=off CFLAGS=${CFLAGS:--O0}

echo 'entry main (x: i32): i32 = x' >"$work/probe.fut"
if ! echo 1i32 | "$fun" run --backend opencl "$work/probe.fut" >"$work/said" 2>&1; then
  echo "no OpenCL device was used, and nothing is claimed: $(head -1 "$work/said")"
  exit 0
fi

# Cases say in their first line what they run, and behind a line what comes out: that becomes a test behind the program, so that lines keep their
# numbers. The depth of calls is the host's matter.
cp -r testsuite/cases "$work/cases"
grep -rlE '^-- case: run' "$work/cases" --include='*.fut' | while read -r case; do
  awk '
    FNR == 1 {
      entry = arguments = $0
      sub(/^-- case: run */, "", entry)
      sub(/ *\(.*/, "", entry)
      sub(/^[^(]*\(/, "", arguments)
      sub(/\) *$/, "", arguments)
    }
    expects { sub(/^-- ?/, ""); expected = expected (expected == "" ? "" : "\n") $0; next }
    /^-- ---$/ { expects = 1; next }
    { print }
    END {
      if (expected ~ /^too many calls/) exit
      print "\n-- ==\n-- entry: " (entry == "" ? "main" : entry) "\n-- input {" arguments "}"
      if (expected ~ /^(-?[0-9]|\[|true|false|empty|-?nan|-?inf|-?f(16|32|64)\.)/) {
        gsub(/\n/, "\n-- ", expected)
        print "-- output {\n-- " expected "\n-- }"
      } else {
        # the function is another one where calls are put in place, and the file has a longer name
        sub(/\n.*/, "", expected)
        sub(/ in [a-z_0-9]+$/, "", expected)
        gsub(/[][\\.^$*+?(){}|]/, "\\\\&", expected)
        sub(/ at /, " at .*", expected)
        print "-- error: " expected
      }
    }' "$case" >"$work/case"
  mv "$work/case" "$case"
done

# What a file comes to on the device, and on the host where it fails there.
check() {
  local file=$1 said
  said=$("$fun" test -c -w --backend opencl --concurrency 1 --time "$limit" --file-time "$limit" "$file" 2>&1) && { echo "passed"; return; }
  if ! "$fun" test -c -w --concurrency 1 --time "$limit" --file-time "$limit" "$file" >"$work/host.$$" 2>&1; then
    echo "fails on the host too: $file"
  else
    echo "failed $file: $(grep -m1 -E '^FAIL|panicked' <<<"$said" | cut -c1-300)"
  fi
  rm -f "$work/host.$$"
}
export -f check
export fun work limit=${SECONDS_A_FILE:-120}
for folder in "$work/cases" testsuite/memory examples bench/kernels bench/programs bench/memory bench/applications "$@"; do
  grep -rlE '^-- ==' "$folder" --include='*.fut' | sort | tr '\n' '\0' |
    xargs -0 -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'check "$1"' _ {} >"$work/outcomes"
  echo "${folder#"$work/"}:"
  sed -E 's/^(failed|fails on the host too).*/\1/' "$work/outcomes" | sort | uniq -c
  grep -vx passed "$work/outcomes" | sed "s|$work/||g" | sort | tee -a "$work/others" || true
done
! grep -q '^failed' "$work/others"
