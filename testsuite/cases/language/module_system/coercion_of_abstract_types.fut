-- case: run ( 2i64 3i64 )
-- Size coercion: sizes of abstract types are compared with those of what they stand for.
module pm (P: { type vec [n] val mk : (n: i64) -> vec [n] }) = {
  def resized (n: i64) (x: i64) = P.mk x :> P.vec [n]
}
module m = pm { type vec [n] = [n]i32 def mk (n: i64) = replicate n 1i32 }
def main (n: i64) (x: i64) = m.resized n (x - 1)
-- ---
[1i32, 1i32]
