-- case: run ( )
-- A constant of a module that is a function, in a program whose array constants are copied where they are used.
module mo = { def op = (i64.+) }
module words = { def name = "f" }
def helper0 [n] [m] (x: [n][m]bool) (c: bool): [n][m]bool =
  let (_, _) = loop (a, b) = (false, 0) while a do (words.name[0] == 'f' && c, mo.op 0 b)
  in x
def helper1 (): ?[n].[n][n]bool =
  let r: [2][2]bool = replicate 2 (replicate 2 true)
  let y: [2][2]bool = helper0 r false
  in y
entry main: ?[n].[n][n]bool =
  let [n] (y: [n][n]bool) = helper1 ()
  let [k] (z: [k][k]bool) = helper1 ()
  let v = replicate k false
  let u: [k][k]bool = loop w = z for i < k do loop w = w for j < k do w with [i,j] = v[j]
  in y
-- ---
[[true, true], [true, true]]
