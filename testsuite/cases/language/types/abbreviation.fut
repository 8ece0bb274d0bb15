-- case: run ( 3i32 )
type number = i32
type pair = (number, number)
def swap (p: pair) : pair = (p.1, p.0)
def main (x: number) : pair = swap (x, x + 1)
-- ---
4i32
3i32
