#!/usr/bin/env bash
# Futhark's own clients on what FUN makes: a server driven by the Python packages futhark-server and futhark-data, and a library
# called by way of futhark-ffi. Needs a Python with these packages (a virtual environment will do: `python3 -m venv v && v/bin/pip install
# futhark-server futhark-data futhark-ffi setuptools`); those that are missing are skipped, and said to be. And a program in Rust on what
# futhark-bindgen makes of a library: where that is in PATH, or BINDGEN names it (`cargo install futhark-bindgen`). Where there is a futhark, or
# FUTHARK names one, headers, manifests and servers are compared with those that it makes.
# usage: testsuite/clients/run.sh [PYTHON] [FUN]
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-python3} fun=$(realpath "${2:-target/release/fun}") program=cli/tests/libraries/program.fut
[[ $python != */* ]] || python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
clients=$PWD/testsuite/clients
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if "$python" -c 'import futhark_server, futhark_data' 2>/dev/null; then
  "$fun" compile -w --server "$program" -o "$work/server"
  "$python" "$clients/server.py" "$work/server"
else
  echo "skipped: $python has no futhark-server and futhark-data" >&2
fi
if "$python" -c 'import futhark_ffi' 2>/dev/null; then
  "$fun" compile -w --lib "$program" -o "$work/program"
  cd "$work"
  # the flag that FUN's C relies on (docs/backends.md)
  CFLAGS=-fno-strict-aliasing "$python" -c 'from futhark_ffi.build import build; build("program", "program").compile()' >build.log
  "$python" "$clients/ffi.py"
else
  echo "skipped: $python has no futhark-ffi" >&2
fi
cd "$work"
futhark=${FUTHARK:-futhark}
if command -v "$futhark" >/dev/null && command -v "$python" >/dev/null; then
  mkdir compared
  "$python" "$clients/interface.py" "$fun" "$futhark" compared "$clients"/interface/*.fut
  "$python" "$clients/protocol.py" "$fun" "$futhark" compared
else
  echo "skipped: no futhark to compare with, or no Python" >&2
fi
bindgen=${BINDGEN:-futhark-bindgen}
if ! command -v "$bindgen" >/dev/null || ! command -v rustc >/dev/null; then
  echo "skipped: no futhark-bindgen, or no rustc" >&2
  exit 0
fi
# as futhark-bindgen calls a compiler: BACKEND -o OUTPUT --lib SOURCE
cat >compiler <<END
#!/bin/sh
exec "$fun" compile -w --lib --static "\$5" -o "\$3"
END
chmod +x compiler
cp "$clients/bindgen.fut" kernels.fut
"$bindgen" run --compiler "$work/compiler" kernels.fut kernels.rs
cp "$clients/bindgen.rs" main.rs
rustc -A warnings main.rs -C link-arg=kernels.a -C link-arg=-lm -o main
./main
