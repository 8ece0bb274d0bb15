-- case: run ( 3i64 )
def main (n: i64) = (loop s = 0 for i in 1...n do s * 10 + i, loop s = 0 for i in n..n-1..>0 do s * 10 + i)
-- ---
123i64
321i64
