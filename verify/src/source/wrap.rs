//! Scalars by a detour that gives the same: through functions, records, sums, modules.

use super::code::{Code, nested};
use super::raise::{Raiser, prim_name};
use super::scalar::literal;
use super::style::{Dice, Feature};
use fun_base::prim::PrimType;

/// What is longer than this takes no detour: some detours write it twice.
const LONGEST: usize = 80;

impl Raiser<'_> {
    /// A scalar of this type, perhaps by a detour.
    pub(super) fn wrapped(&mut self, dice: &mut Dice, code: Code, t: PrimType) -> Code {
        let name = prim_name(t);
        let value = nested(&code.tail());
        if value.len() > LONGEST {
            return code;
        }
        if dice.takes(Feature::LocalFunctions, 3) {
            let f = self.own("f");
            return Code::open(match dice.below(5) {
                0 => format!("let {f} (): {name} = {value}\nin {f} ()"),
                1 => format!("let {f} = \\(_: bool) -> {value}\nin {f} true"),
                2 => format!("let {f} 'a (x: a): a = x\nin {f} {}", code.arg()),
                3 => format!("let {f} [k] (xs: [k]{name}) (i: i64): {name} = xs[i % k]\nin {f} [{value}] 3"),
                _ => format!("let {f} (x: {name}) (_: i32) = x\nlet g{f} = {f} {}\nin g{f} 1", code.arg()),
            });
        }
        if dice.takes(Feature::Polymorphism, 3) {
            return match dice.below(6) {
                0 => {
                    self.kit.needs("apply");
                    Code::call("apply", &[Code::open(format!("\\(x: {name}) -> x")), code])
                }
                1 => {
                    self.kit.needs("same");
                    Code::call("same", &[code])
                }
                2 => {
                    self.kit.needs("twice_const");
                    Code::call("first_of", &[code, Code::atom("(\\x -> x + 1i32)")])
                }
                3 => {
                    self.kit.needs("function");
                    self.kit.needs("called");
                    Code::call("called", &[Code::open(format!("\\_ -> {value}")), Code::atom("2")])
                }
                4 => {
                    self.kit.needs("sized_call");
                    let call = Code::call(
                        "sized_call",
                        &[Code::open(format!("\\n -> replicate n {}", code.arg())), Code::atom("2")],
                    );
                    Code::call("last", &[call])
                }
                _ => {
                    self.kit.needs("some_of");
                    let whole = Code::open(format!("[{value}, {value}] : some_of {name}"));
                    Code::call("head", &[whole])
                }
            };
        }
        if dice.takes(Feature::Records, 4) {
            let zero = literal(dice, t.zero()).text;
            return match dice.below(9) {
                7 => Code::open(format!("let v = {value}\nin {{v, w = true}}.v")),
                8 => {
                    self.kit.needs("pair");
                    Code::atom(format!("({{x = {value}, y = 1i64}} : pair {name} i64).x"))
                }
                0 => Code::open(format!("let r = {{v = {zero}, w = 1i32}}\nlet r.v = {value}\nin r.v")),
                1 => Code::atom(format!("({{v = {zero}, w = true}} with v = {}).v", code.operand())),
                2 => Code::call("(.v)", &[Code::atom(format!("{{v = {value}, w = true}}"))]),
                3 => Code::atom(format!("({value}, true).0")),
                4 => Code::operator(format!("{{a = {{b = {value}}}, c = ()}} |> (.a.b)")),
                5 => Code::open(format!("let {{v = x, w = _}} = {{v = {value}, w = true}}\nin x")),
                _ => Code::open(format!("let {{v, w = (_, ())}} = {{w = (1i8, ()), v = {value}}}\nin v")),
            };
        }
        if dice.takes(Feature::Sums, 4) {
            return match dice.below(5) {
                0 => {
                    self.kit.needs("option");
                    Code::open(format!(
                        "match (#some {} : option {name})\ncase #some x -> x\ncase #none -> {value}",
                        code.arg()
                    ))
                }
                1 => Code::open(format!(
                    "match (#left {} : #left {name} | #right i32 bool)\ncase #left x -> x\ncase #right _ _ -> {value}",
                    code.arg()
                )),
                2 => {
                    Code::open(format!("match (1i32, {value})\ncase (0, x) -> x\ncase (_, #[taken] x) -> x"))
                }
                3 => Code::open(format!(
                    "match {{k = -2i8, v = {value}}}\ncase {{k = -2, v}} -> v\ncase {{k = _, v = x}} -> x"
                )),
                _ => Code::open(format!("match ('a' : u8)\ncase 'b' -> {value}\ncase _ -> {value}")),
            };
        }
        if dice.takes(Feature::Modules, 3) {
            return match dice.below(4) {
                0 => {
                    self.kit.needs("limits");
                    Code::atom(format!("limits.({value})"))
                }
                1 => {
                    self.kit.needs("limits");
                    Code::open(format!("if limits.most > limits.inner.least then {value} else {value}"))
                }
                2 => {
                    self.kit.makes("local words", || {
                        "local module words = { def greet = \"hello\\n\"  def name = \"f\" }\nlocal open words".to_owned()
                    });
                    Code::open(format!("if length greet == 6 && name[0] == 'f' then {value} else {value}"))
                }
                _ => {
                    self.kit.makes("top constant", || "let no_unit: () = ()".to_owned());
                    Code::open(format!("match no_unit\ncase () -> {value}"))
                }
            };
        }
        if dice.takes(Feature::Loops, 2) {
            let zero = literal(dice, t.zero()).text;
            return Code::open(match dice.below(4) {
                0 => format!("loop x = {zero} for (_, y) in [(1i32, {value})] do y"),
                1 => format!("let x = {zero} in loop (x) for y in [{value}] do y"),
                2 => format!("loop (x: {name}) = {zero} for _i < 1u8 do {value}"),
                _ => format!("(loop (x, go) = ({zero}, true) while go do ({value}, false)).0"),
            });
        }
        if dice.takes(Feature::Attributes, 2) {
            return Code::open(match dice.below(4) {
                0 => format!("#[unsafe] {}", code.arg()),
                1 => format!("#[sequential] {}", code.arg()),
                2 => format!("#[some(nested, attribute(1))] {}", code.arg()),
                _ => format!("#[opaque] {}", code.arg()),
            });
        }
        if dice.takes(Feature::HigherOrder, 2) {
            return match dice.below(6) {
                0 => Code::call("id", &[code]),
                1 => Code::call("const", &[code, Code::atom("true")]),
                2 => Code::call("curry", &[Code::atom("(\\(x, _) -> x)"), code, Code::atom("()")]),
                3 => Code::call("(id >-> id)", &[code]),
                4 => Code::call("iterate", &[Code::atom("2"), Code::atom("id"), code]),
                _ => Code::operator(format!("(id <-< (\\x -> x)) <| {}", code.operand())),
            };
        }
        code
    }
}
