#!/usr/bin/env bash
# Futhark's program for a kernel, as a peer of `fun bench --vs`: compiles FUN_PROGRAM, makes the input FUN_DATA (or reads the file of that
# name), and for each line on standard input runs FUN_ENTRY once and prints the microseconds. Uses OMP_NUM_THREADS threads.
# usage: bench/kernels/futhark.sh FUTHARK c|multicore
set -euo pipefail
futhark=$1 backend=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CFLAGS='-O3 -march=native' "$futhark" "$backend" -w --server "$FUN_PROGRAM" -o "$work/program" >&2
options=()
[ "$backend" = c ] || options=(--num-threads="${OMP_NUM_THREADS:-2}")
coproc server { exec "$work/program" "${options[@]}"; }
time= lines=0 said=()
# Waits for the end of an answer; remembers the time that it names, its lines and their number.
answer() {
  local line
  lines=0 said=()
  while read -r line <&"${server[0]}"; do
    case $line in
      '%%% OK') return ;;
      'runtime: '*) time=${line#runtime: } ;;
      '%%% FAILURE') echo "futhark: failed" >&2; exit 1 ;;
    esac
    lines=$((lines + 1))
    said+=("$line")
  done
}
ask() {
  echo "$*" >&"${server[1]}"
  answer
}
answer
ask outputs "$FUN_ENTRY"
results=()
for ((k = 0; k < lines; k++)); do results+=("out$k"); done
read -ra words <<<"$FUN_DATA"
names=() restored=() consumed=
if [ -f "$FUN_DATA" ]; then
  # the types of the parameters, with a star where an argument is consumed
  ask inputs "$FUN_ENTRY"
  for ((k = 0; k < lines; k++)); do
    [[ ${said[k]} != \** ]] || consumed=yes
    restored+=("in$k" "${said[k]#\*}")
    names+=("in$k")
  done
  ask restore "$FUN_DATA" "${restored[@]}"
elif [[ ${words[0]} == *f32 || ${words[0]} == *[iu]32 || ${words[0]} == *i64 ]]; then
  generate=() list=()
  for ((k = 0; k < ${#words[@]}; k++)); do
    generate+=(-g "${words[k]}")
    list+=("in$k" "$(sed -E 's/\[[0-9]+\]/[]/g; s/^[0-9]+(i64|[iu]32|f32)$/\1/' <<<"${words[k]}")")
    names+=("in$k")
  done
  "$futhark" dataset -b "${generate[@]}" >"$work/data"
  ask restore "$work/data" "${list[@]}"
else
  "$futhark" dataset -b -g "${words[1]}" >"$work/data"
  ask restore "$work/data" size i64
  ask outputs "${words[0]}"
  for ((k = 0; k < lines; k++)); do names+=("in$k"); done
  ask call "${words[0]}" "${names[@]}" size
fi
while read -r _; do
  # an entry point may consume its argument
  if [ -n "$consumed" ]; then
    ask free "${names[@]}"
    ask restore "$FUN_DATA" "${restored[@]}"
  elif [ "$FUN_PROGRAM" != "${FUN_PROGRAM%lu.fut}" ]; then
    ask free "${names[@]}"
    ask call "${words[0]}" "${names[@]}" size
  fi
  ask call "$FUN_ENTRY" "${results[@]}" "${names[@]}"
  called=$time
  ask free "${results[@]}"
  echo "$called"
done
