#!/usr/bin/env bash
# Builds the wheel of the Python package funarray, installs it in a virtual environment of its own and runs its tests. Needs Python 3.11 and a
# way to install maturin and NumPy; where that is missing it is skipped, and said to be.
# usage: testsuite/embed/funarray.sh      (PYTHON may name a Python; CARGO_TARGET_DIR where to build, target/ when absent; PROFILE a profile of
# Cargo, release when absent)
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "skipped: $python is no Python 3.11 that makes virtual environments" >&2
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
own=$work/venv/bin
if ! "$own/pip" install -q maturin numpy 2>"$work/pip.log"; then
  echo "skipped: maturin and NumPy can't be installed: $(tail -1 "$work/pip.log")" >&2
  exit 0
fi
if ! cargo fetch -q --manifest-path embed/python/Cargo.toml 2>"$work/cargo.log"; then
  echo "skipped: the crates for Python's modules can't be had: $(tail -1 "$work/cargo.log")" >&2
  exit 0
fi
"$own/maturin" build -q --profile "${PROFILE:-release}" --manifest-path embed/python/Cargo.toml -i "$own/python" -o "$work"
"$own/pip" install -q --no-deps "$work"/funarray-*.whl
cd "$work"
"$own/python" "$OLDPWD/embed/python/tests/test_funarray.py"
