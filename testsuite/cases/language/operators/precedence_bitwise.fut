-- case: run ( 6i32 3i32 )
-- Bitwise operators bind tighter than comparisons and looser than shifts, these looser than sums.
def main (a: i32) (b: i32) = (a & b == 2, a | 1 << b, 1 << a - b, a & b + 1, a ^ b & 1)
-- ---
true
14i32
8i32
4i32
1i32
