#!/usr/bin/env bash
# What other projects' packages make of FUN, and FUN's own package for Python: NumPy, Futhark's Python clients, futhark-bindgen and maturin are
# installed into a folder that goes when this ends, and then run testsuite/clients/run.sh, the tests of modules for Python
# (cli/tests/embed.rs) and testsuite/embed/funarray.sh. What can't be installed is skipped, and said to be.
# usage: testsuite/packages.sh [FUN]      (PYTHON may name a Python, PROFILE a profile of Cargo for what is built, dev when absent; fun is
# built where FUN is not given)
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3} fun=${1:-} profile=${PROFILE:-dev}
if [ -z "$fun" ]; then
  cargo build -q --profile "$profile" -p fun-cli
  fun=${CARGO_TARGET_DIR:-target}/${profile/dev/debug}/fun
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# what installs packages must not keep a machine without a network waiting
patience=$(command -v timeout >/dev/null && echo "timeout 300" || true)

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "skipped: $python is no Python 3.11 that makes virtual environments" >&2
elif ! "$python" -m venv "$work/venv" || ! $patience "$work/venv/bin/pip" install -q --retries 1 \
  futhark-data==1.0.3 futhark-server==1.0.1 futhark-ffi==0.16.0 'numpy<3' setuptools 2>"$work/log"; then
  echo "skipped: the packages for Python can't be installed: $(tail -1 "$work/log")" >&2
else
  python=$work/venv/bin/python
  PYTHON=$python cargo test -q --profile "$profile" -p fun-cli --test embed
  PYTHON=$python PROFILE=$profile testsuite/embed/funarray.sh
fi
if ! command -v "${BINDGEN:-futhark-bindgen}" >/dev/null; then
  if CARGO_TARGET_DIR=$work/build $patience cargo install -q --locked --root "$work" futhark-bindgen@0.2.8 2>"$work/log"; then
    export BINDGEN=$work/bin/futhark-bindgen
  else
    echo "futhark-bindgen can't be installed: $(tail -1 "$work/log")" >&2
  fi
fi
testsuite/clients/run.sh "$python" "$fun"
