//! Functions over one array as loops: the same elements in the same order, one after the other.

use super::code::{Code, nested};
use super::raise::Raiser;
use super::scalar::literal;
use super::style::{Dice, Feature};
use fun::ir::{Atom, Type};
use fun_base::name::Var;

impl Raiser<'_> {
    /// A reduction from the first element to the last.
    pub(super) fn fold_in_order(&mut self, dice: &mut Dice, op: &Code, neutral: &Code, array: Var) -> Code {
        let array = self.var(array);
        if dice.coin() {
            return Code::call("foldl", &[op.clone(), neutral.clone(), array]);
        }
        let (f, sum, x) = (self.own("f"), self.own("s"), self.own("x"));
        let looped = match dice.coin() {
            true => format!("loop {sum} = {} for {x} in {} do {f} {sum} {x}", neutral.ascribed(), array.text),
            false => {
                let k = self.own("k");
                let (init, array) = (neutral.text.clone(), array.arg());
                let next = format!("({f} {sum} {array}[{k}], {k} + 1)");
                format!("(loop ({sum}, {k}) = ({init}, 0) while {k} < length {array} do {next}).0")
            }
        };
        Code::open(format!("let {f} = {}\nin {looped}", nested(&op.tail())))
    }

    /// A scatter: the writes whose index is inside, in order.
    pub(super) fn writes_in_order(&mut self, dice: &mut Dice, dest: Var, indices: Var, values: Var) -> Code {
        let (dest, indices, values) = (self.var(dest), self.var(indices), self.var(values));
        let (n, d, i, v) = (self.own("n"), self.own("d"), self.own("i"), self.own("v"));
        let (kept, written) = (d.clone(), format!("{d} with [{i}] = {v}"));
        let step = match dice.coin() {
            true => format!("if 0 <= {i} && {i} < {n} then {written} else {kept}"),
            false => format!("if {i} < 0 || {i} >= {n}\n  then {kept}\n  else let {d}[{i}] = {v} in {d}"),
        };
        let pairs = Code::call("zip", &[indices, values]).text;
        Code::open(format!(
            "let {n} = length {}\nin loop {d} = {} for ({i}, {v}) in {pairs} do\n  {step}",
            dest.arg(),
            dest.text
        ))
    }

    /// A histogram of scalars, one value after the other.
    pub(super) fn counts_in_order(&mut self, op: &Code, dest: Var, indices: Var, values: Var) -> Code {
        let (dest, indices, values) = (self.var(dest), self.var(indices), self.var(values));
        let (f, n, d, i, v) = (self.own("f"), self.own("n"), self.own("d"), self.own("i"), self.own("v"));
        let pairs = Code::call("zip", &[indices, values]).text;
        let step = format!("if 0 <= {i} && {i} < {n} then {d} with [{i}] = {f} {d}[{i}] {v} else {d}");
        Code::open(format!(
            "let {f} = {}\nlet {n} = length {}\nin loop {d} = {} for ({i}, {v}) in {pairs} do {step}",
            nested(&op.tail()),
            dest.arg(),
            dest.text
        ))
    }

    /// A map to scalars, written element by element.
    pub(super) fn map_in_order(
        &mut self,
        dice: &mut Dice,
        function: &Code,
        width: Atom,
        array: Var,
        result: &Type,
    ) -> Code {
        let (width, array) = (self.count(width), self.var(array));
        let (f, r, i) = (self.own("f"), self.own("r"), self.own("i"));
        let zero = literal(dice, result.elem().zero());
        let init = Code::call("replicate", &[width.clone(), zero]).text;
        let step = format!("{r} with [{i}] = {f} {}[{i}]", array.arg());
        let looped = format!("loop {r} = {init} for {i} < {} do {step}", width.operand());
        Code::open(format!("let {f} = {}\nin {looped}", nested(&function.tail())))
    }

    /// An array by a detour that gives it again, or something that shares its elements.
    pub(super) fn detour(&mut self, dice: &mut Dice, code: Code, ty: &Type) -> Code {
        if self.fresh || !dice.takes(Feature::Polymorphism, 12) {
            return code;
        }
        let (whole, value) = (self.ty(ty), nested(&code.tail()));
        let outer = self.count(ty.shape()[0]);
        match dice.below(16) {
            0 => Code::atom(format!("{{v = {value}, w = true}}.v")),
            1 => Code::atom(format!("({value}, 1i8).0")),
            2 => {
                self.kit.needs("same");
                Code::call("same", &[code])
            }
            3 => {
                self.kit.needs("apply");
                Code::call("apply", &[Code::open(format!("\\(x: {whole}) -> x")), code])
            }
            4 => Code::open(format!("let f (x: {whole}): {whole} = x\nin f {}", code.arg())),
            5 => Code::open(format!("let f [k] 'a (x: [k]a): [k]a = x\nin f {}", code.arg())),
            6 => Code::open(format!("match (#one {} : #one ({whole}))\ncase #one x -> x", code.arg())),
            7 => Code::open(format!("let {{v, w = _}} = {{v = {value}, w = 1i32}}\nin v")),
            8 => Code::call("id", &[code]),
            9 => Code::call("head", &[Code::atom(format!("[{value}]"))]),
            10 => Code::call(&format!("(\\(x: {whole}) -> x)"), &[code]),
            11 => {
                let pairs = Code::call("zip", &[code, Code::call("iota", &[outer])]);
                Code::call("map", &[Code::open("\\(x, _) -> x"), pairs])
            }
            12 => Code::call("reverse", &[Code::call("reverse", &[code])]),
            13 => Code::call("rotate", &[Code::atom("0"), code]),
            14 => Code::open(format!(
                "let with_many = \\(many: #few i32 | #many ({whole})) -> match many\n    case #many x -> x\n    case #few _ -> replicate {} {}\nin with_many (#many {})",
                outer.arg(),
                self.zeros(dice, &ty.peel(1)).arg(),
                code.arg()
            )),
            _ => Code::operator(format!("{} |> (id >-> id)", code.operand())),
        }
    }

    /// Zeros of a type.
    fn zeros(&mut self, dice: &mut Dice, ty: &Type) -> Code {
        let zero = literal(dice, ty.elem().zero());
        ty.shape().iter().rev().fold(zero, |code, size| {
            let count = self.count(*size);
            Code::call("replicate", &[count, code])
        })
    }

    /// The arrays of an array of tuples, each by a map.
    pub(super) fn projected(&mut self, dice: &mut Dice, code: &Code, count: usize) -> Code {
        let tuples = self.own("t");
        let names: Vec<String> = (0..count).map(|k| format!("x{k}")).collect();
        let part = |k: usize, by_field: bool| match by_field {
            true => format!("map (.{k}) {tuples}"),
            false => format!("map (\\({}) -> {}) {tuples}", names.join(", "), names[k]),
        };
        let parts: Vec<String> = (0..count).map(|k| part(k, dice.coin())).collect();
        Code::open(format!("let {tuples} = {}\nin ({})", nested(&code.text), parts.join(", ")))
    }
}
