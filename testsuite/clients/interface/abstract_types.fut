module type counter = { type t val new: i32 -> t val add: t -> i32 -> t val get: t -> i32 }
module counter : counter = { type t = {value: i32, steps: i32} def new x = {value = x, steps = 0} def add (t: t) x = {value = t.value + x, steps = t.steps + 1} def get (t: t) = t.value }
type state = counter.t
entry new (x: i32) : state = counter.new x
entry add (s: state) (x: i32) : state = counter.add s x
entry get (s: state) : i32 = counter.get s
entry all [n] (s: [n]state) : [n]i32 = map counter.get s
entry anonymous (x: i32) : counter.t = counter.new x
