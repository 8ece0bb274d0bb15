#!/usr/bin/env bash
# Futhark's own clients on what FUN makes: a server driven by the Python packages futhark-server and futhark-data. Needs Python with
# these packages (a virtual environment will do: `python3 -m venv v && v/bin/pip install futhark-server futhark-data`).
# usage: testsuite/clients/run.sh [PYTHON] [FUN]
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-python3} fun=$(realpath "${2:-target/release/fun}")
if ! "$python" -c 'import futhark_server, futhark_data' 2>/dev/null; then
  echo "skipped: $python has no futhark-server and futhark-data" >&2
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$fun" compile -w --server cli/tests/libraries/program.fut -o "$work/server"
"$python" testsuite/clients/server.py "$work/server"
