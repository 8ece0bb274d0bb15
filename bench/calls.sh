#!/usr/bin/env bash
# What a call of a library costs: from C by both backends, beside Futhark's where that is installed, and from Python where it has NumPy.
# usage: bench/calls.sh [FUN] [FUTHARK]      (PYTHON may name a Python)
set -euo pipefail
cd "$(dirname "$0")"
fun=$(realpath "${1:-../target/release/fun}") futhark=${2:-futhark} python=${PYTHON:-python3} here=$PWD/calls
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir c machine_code futhark
"$fun" compile -w --lib "$here/calls.fut" -o c/calls
"$fun" compile -w --lib --backend cranelift "$here/calls.fut" -o machine_code/calls
kinds=(c machine_code)
if command -v "$futhark" >/dev/null; then
  "$futhark" c --library "$here/calls.fut" -o futhark/calls
  cc -O3 -w -shared -fPIC futhark/calls.c -o futhark/calls.so -lm -lpthread
  kinds+=(futhark)
fi
for kind in "${kinds[@]}"; do cc -O2 "-I$kind" "$here/calls.c" "./$kind/calls.so" -o "$kind/run" -lm; done
for _ in 1 2 3; do
  for kind in "${kinds[@]}"; do echo "$kind: $("./$kind/run")"; done
done
if "$python" -c 'import numpy' 2>/dev/null; then
  "$fun" compile -w --lib --python "$here/calls.fut" -o module
  "$python" -c '
import timeit, numpy as np, module
xs = np.ones(20)
for what, call in [("a number", lambda: module.number(1)), ("an array", lambda: module.array(xs[:10])), ("every second", lambda: module.array(xs[::2]))]:
    print(f"Python, {what}: {min(timeit.repeat(call, number=100, repeat=2000)) * 1e4:.2f} microseconds")'
fi
