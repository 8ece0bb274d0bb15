"""Compares numbers on standard input, as the C of memory/ prints them, with KERNEL.out of a folder.

usage: check_printed.py KERNEL FOLDER < NUMBERS
"""

import sys

from common import np, values, wrong

kernel, folder = sys.argv[1:]
for line, right in zip(sys.stdin, values(f"{folder}/{kernel}.out"), strict=True):
    difference = wrong(kernel, np.asarray(float(line)), right)
    if difference:
        sys.exit(f"{kernel}: C: {difference}")
