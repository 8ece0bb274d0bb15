-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let rs = map (\x -> {p = {q = x, r = -x}}) xs in (map (.p.q) rs, map (.p) rs |> map (.r))
-- ---
[1i32, 2i32]
[-1i32, -2i32]
