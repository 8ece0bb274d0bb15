"""Writes random values of some types in Futhark's binary format: floats between 0 and 1, integers of all sizes; and numbers as they are.

usage: random_data.py '[512][512]f32 [10]u8 7i64' > FILE
"""

import re
import sys

from common import TYPES, np

random = np.random.default_rng(1)
for word in sys.argv[1].split():
    sizes, number, name = re.fullmatch(r"((?:\[\d+\])*)(\d*)(\w+)", word).groups()
    shape = [int(size) for size in re.findall(r"\d+", sizes)]
    code = name.rjust(4).encode()
    kind = TYPES[code]
    if number:
        data = np.full(shape, int(number), kind)
    elif kind == np.float32:
        data = random.random(shape, kind)
    else:
        data = random.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, endpoint=True)
    sys.stdout.buffer.write(b"b\x02" + bytes([len(shape)]) + code + np.array(shape, np.int64).tobytes() + data.tobytes())
