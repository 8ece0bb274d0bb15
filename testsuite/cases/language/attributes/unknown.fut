-- case: run ( 3i32 )
#[something(a, 1, b(c))]
def main (x: i32) = #[nothing] (#[a(b)] x + #[c] 1)
-- ---
4i32
