-- case: check
def main (x: i32) (t: #a (i32, bool) | #b) = match t case #a (1, _) -> x case #a (_, true) -> 2 case #b -> 3
-- ---
-- E0220 2:46 this `match` has no case for `#a (_, false)`
--   unmatched cases
