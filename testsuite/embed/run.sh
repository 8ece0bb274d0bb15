#!/usr/bin/env bash
# Libraries under load: 200 generated programs with AddressSanitizer, the C example and a program that calls every function with valgrind, eight threads on one context, memory
# over many rounds, and what a call costs. Takes minutes; what is missing is skipped, and said to be.
# usage: testsuite/embed/run.sh [SECONDS] [FUN]      (PYTHON may name a Python with NumPy)
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60} fun=$(realpath "${2:-target/release/fun}") python=${PYTHON:-python3} here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fun" compile -w --lib --python cli/tests/libraries/program.fut -o "$work/program"
cd "$work"
cc -O2 -Wall -Wextra -Werror -I. "$here/testsuite/embed/stress.c" ./libprogram.so -lpthread -lm -o stress
./stress "$seconds"
if command -v valgrind >/dev/null; then
  # code for this processor may have instructions that valgrind does not know
  export CFLAGS=-march=x86-64-v2
  watch() { FUN_NUM_THREADS=1 valgrind -q --error-exitcode=1 --leak-check=full --show-leak-kinds=definite "$@"; }
  for backend in c cranelift; do
    "$fun" compile -w --lib --backend "$backend" "$here/cli/tests/libraries/program.fut" -o program
    cc -g -I. "$here/cli/tests/libraries/use.c" ./program.so -lm -o use
    watch ./use
  done
  "$fun" compile -w --lib "$here/examples/embed/blur.fut" -o blur
  cc -g -I. "$here/examples/embed/c/main.c" ./blur.so -lm -o example
  watch ./example
  unset CFLAGS
else
  echo "skipped: no valgrind" >&2
fi
if "$python" -c 'import numpy' 2>/dev/null; then
  "$python" "$here/testsuite/embed/overhead.py" .
else
  echo "skipped: $python has no NumPy" >&2
fi
cd "$here"
FUN_LIBRARY_PROGRAMS=200 cargo test --release -p fun-testsuite --test c_backend libraries
