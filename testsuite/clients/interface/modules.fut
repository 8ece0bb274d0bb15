module m = { type pair = (i32, i32)  def add (p: pair) = p.0 + p.1 }
module type num = { type t val one: t val add: t -> t -> t }
module twice (n: num) = { type num = n.t def two : n.t = n.add n.one n.one }
module t = twice { type t = f32 def one = 1f32 def add (x: f32) y = x + y }
entry add (p: m.pair) : i32 = m.add p
entry two (x: i32) : t.num = t.two
entry with_array [n] (ps: [n]m.pair) : [n]i32 = map m.add ps
