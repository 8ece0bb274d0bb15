#!/usr/bin/env bash
# Every program that says what comes out, on the machine's device: the cases that run, the memory suite, the examples, the benchmarks, and
# the folders that are named. What fails on the host too does not count. Where there is no device it says so. By OpenCL on a processor (PoCL) it
# takes hours, most of it in PoCL's compiler; POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable spares its optimiser, and hides what that does wrongly.
# usage: testsuite/device.sh [FUN] [FOLDER...]      (BACKEND: opencl when absent, or cuda; JOBS: how many files at once, all processors when absent;
#   SECONDS_A_FILE: 120 when absent; SECONDS_IN_ALL: after so many nothing more begins; OUTCOMES: a file for a line of each program as it is done.
#   FOLDERS: which of the project's, in this order; all when absent. Where OUTCOMES has lines already, programs with an outcome there are not
#   run again, but those that took too long are)
set -euo pipefail
fun=$(realpath "${1:-$(dirname "$0")/../target/release/fun}")
shift || true
named=()
for folder in "$@"; do named+=("$(realpath "$folder")"); done
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export backend=${BACKEND:-opencl} end=$(($(date +%s) + ${SECONDS_IN_ALL:-1000000}))
outcomes=$(realpath "${OUTCOMES:-$work/outcomes}")
touch "$outcomes"
# programs have the same names wherever this runs
cd "$work"
mkdir testsuite
ln -s "$root/testsuite/memory" testsuite/memory
ln -s "$root/examples" "$root/bench" .
# every program is compiled once and little is computed: compilers of hosts need not optimise, and nothing is kept
printf '#!/bin/sh\nexec %s "$@" -O0\n' "${CC:-$(command -v cc gcc clang | head -1)}" >cc
chmod +x cc
export FUN_KERNEL_CACHE=off CC=$work/cc XDG_CACHE_HOME=$work/caches
mkdir caches

echo 'entry main (x: i32): i32 = x' >probe.fut
if ! echo 1i32 | "$fun" run --backend "$backend" probe.fut >said 2>&1; then
  echo "no device was used by $backend, and nothing is claimed: $(head -1 said)"
  exit 0
fi

# Cases say in their first line what they run, and behind a line what comes out: that becomes a test behind the program, so that lines keep their
# numbers. The depth of calls is the host's matter.
cp -r "$root/testsuite/cases" cases
grep -rlE '^-- case: run' cases --include='*.fut' | while read -r case; do
  awk '
    FNR == 1 {
      entry = arguments = $0
      sub(/^-- case: run */, "", entry)
      sub(/ *\(.*/, "", entry)
      sub(/^[^(]*\(/, "", arguments)
      sub(/\) *$/, "", arguments)
    }
    /a device may report another/ { any = 1 }
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
        if (any) expected = "is false"
        print "-- error: " expected
      }
    }' "$case" >case
  mv case "$case"
done

# What a file comes to on the device, and on the host where it fails there: a line of outcome, seconds, name and why.
check() {
  local file=$1 said outcome why='' start=$SECONDS
  [ "$(date +%s)" -lt "$end" ] || return 0
  if said=$("$fun" test -c -w -v --backend "$backend" --concurrency 1 --time "$limit" --file-time "$limit" "$file" 2>&1); then
    outcome='passed'
    # what the compiler alone is asked is no matter of the device
    grep -E '^ok ' <<<"$said" | grep -qvE '^ok +[^:]*:[0-9]+: (compiles|error|warning|structure)(: |$)' || outcome='runs nothing'
  elif grep -qE '^FAIL .*(no result after|tests took longer than) [0-9.]+ s$' <<<"$said"; then
    outcome='took too long'
  elif ! "$fun" test -c -w --concurrency 1 --time "$limit" --file-time "$limit" "$file" >/dev/null 2>&1; then
    outcome='fails on the host too'
  else
    outcome='failed' why=$(grep -m1 -E '^FAIL|panicked' <<<"$said" | cut -c1-300)
  fi
  printf '%s\t%s\t%s\t%s\n' "$outcome" $((SECONDS - start)) "$file" "$why" >>"$outcomes"
}
export -f check
export fun outcomes limit=${SECONDS_A_FILE:-120}
# The last line of each file that is listed.
last() { awk -F '\t' 'NR == FNR { listed[$0]; next } $3 in listed { line[$3] = $0 } END { for (file in line) print line[file] }' files "$outcomes"; }
for folder in ${FOLDERS:-cases testsuite/memory examples bench/kernels bench/programs bench/memory bench/applications} "${named[@]}"; do
  grep -rlE '^-- ==' "$folder" --include='*.fut' | sort >files
  last | awk -F '\t' '$1 != "took too long" { print $3 }' >done
  { grep -vxFf done files || true; } | tr '\n' '\0' | xargs -0 -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'check "$1"' _ {}
  echo "$folder:"
  last | cut -f1 | sort | uniq -c
  missing=$(($(wc -l <files) - $(last | wc -l)))
  [ $missing -eq 0 ] || echo "   $missing were not run: time was up" | tee -a others
  last | grep -vE '^(passed|runs nothing)' | sort | tee -a others || true
done
# what took too long, or was not run, is not shown to hold
! grep -qE '^(failed|took too long|   [0-9]+ were not run)' others
