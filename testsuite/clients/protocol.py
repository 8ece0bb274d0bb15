"""Compares servers by FUN with those that Futhark makes of the same program: protocol.py FUN FUTHARK FOLDER.

Each command is given to both; the answers, and which commands fail, must be the same. The texts of failures are each one's own.
"""

import pathlib
import re
import subprocess
import sys

fun, futhark, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

PROGRAM = """
type point = {y: f32, x: f32}
type pair = (i32, [2]bool)
entry make (x: f32) (y: f32) : point = {x, y}
entry norm (p: point) : f32 = f32.sqrt (p.x * p.x + p.y * p.y)
entry turned [n][m] (xs: [n][m]i32) : [m][n]i32 = transpose xs
entry update [n] (xs: *[n]f64) (i: i64) : *[n]f64 = xs with [i] = 7
entry pair (x: i32) : pair = (x, [x > 0, x > 9])
entry checked (x: i64) : i64 = assert (x > 0) x
entry points [n] (ps: [n]point) : f32 = f32.sum (map (.x) ps)
"""

COMMANDS = """
inputs make
inputs update
inputs points
inputs nowhere
fields point
fields pair
fields i32
restore numbers x f32 y f32 m [][]i32 xs []f64 i i64 k i32
restore numbers x f32
restore nowhere z f32
call make p x y
call make p x y
call make q x m
call make q x nothing
call nowhere q x
project px p x
project py p y
project n x x
store out px py
new q point y x
new q point y x
new r point y
call norm n q
call norm n2 p
store out2 n n2
call turned t m
store out3 t m
restore out3 t2 [][]i32 m2 [][]i32
call update ys xs i
store out4 ys
call update zs ys k
call pair b k
project b0 b 0
project b1 b 1
store out5 b0 b1
store out6 b
restore out6 b2 pair
project b3 b2 1
store out7 b3
call checked c i
call checked d zero
restore minus minus i64
call checked d minus
store out8 d
rename px renamed
rename px again
rename renamed py
store out9 renamed
free renamed
free renamed
free p q
store out10 p
clear
pause_profiling
unpause_profiling
set_tuning_param nothing 3
tuning_param_class nothing
free
"""

OUTPUTS = [f"out{k}" for k in ("", *range(2, 10))]


def answers(server, place):
    """For each command, whether it fails, and the lines of its answer where it doesn't."""
    (place / "numbers").write_text("1.5f32 2f32 [[1,2,3],[4,5,6]] [1.0,2.0,3.0] 2i64 5i32")
    (place / "minus").write_text("-1i64")
    commands = [line for line in COMMANDS.splitlines() if line]
    text = "types\nentry_points\n" + "\n".join(commands) + "\n"
    done = subprocess.run([server.resolve()], input=text, capture_output=True, text=True, cwd=place)
    blocks = [block.splitlines() for block in done.stdout.split("%%% OK\n")][1:-1]
    found = []
    for command, lines in zip(["types", "entry_points", *commands], blocks, strict=True):
        failed = "%%% FAILURE" in lines
        lines = [re.sub(r"runtime: \d+", "runtime: ", line) for line in lines]
        found.append((command, failed, [] if failed else sorted(lines) if command in ("types", "entry_points") else lines))
    return found, {name: (place / name).read_bytes() for name in OUTPUTS}


(folder / "program.fut").write_text(PROGRAM)
made = []
for name, compiler in (("futhark", [futhark, "c", "--server"]), ("fun", [fun, "compile", "-w", "--server"])):
    place = folder / name
    place.mkdir()
    subprocess.run([*compiler, folder / "program.fut", "-o", place / "server"], check=True, capture_output=True)
    made.append(answers(place / "server", place))
(theirs, their_files), (ours, our_files) = made
wrong = [f"{theirs}: FUN: {ours}" for theirs, ours in zip(*(answer for answer, _ in made)) if theirs != ours]
wrong += [f"{name}: {our_files[name]} instead of {their_files[name]}" for name in OUTPUTS if our_files[name] != their_files[name]]
print(f"{len(theirs)} commands compared, {sum(failed for _, failed, _ in theirs)} that fail")
if wrong:
    sys.exit("\n".join(wrong))
