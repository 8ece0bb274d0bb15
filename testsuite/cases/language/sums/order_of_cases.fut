-- case: run ( 3i32 )
-- Reference, "match": the first case that matches is taken.
def name (x: i32) = match x case 1 -> 10 case 3 -> 30 case _ -> 0i32
def main (x: i32) = (name x, name 1, name (-1), match (x, true) case (3, false) -> 1i32 case (_, true) -> 2 case _ -> 3)
-- ---
30i32
10i32
0i32
2i32
