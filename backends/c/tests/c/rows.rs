//! Loops that read neighbours, which run as vectors of rows: each gives the bits that the interpreter gives, at all sizes around those of vectors and
//! wherever rows begin.

use crate::common::{compiler_at, program};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::rng::Rng;
use fun_base::run::Limits;
use fun_base::value::{ArrayValue, Value};
use fun_c::{RunControl, c_text, compile};

const TYPES: [PrimType; 6] =
    [PrimType::F32, PrimType::F64, PrimType::I32, PrimType::U32, PrimType::I64, PrimType::U64];
/// Rows that a loop may read, and columns.
const ROWS: usize = 3;
const COLUMNS: usize = 6;

/// Writes the body of a loop.
struct Body {
    rng: Rng,
    ty: PrimType,
    /// How far apart the cells are that are read.
    columns: usize,
    /// Numbers the next variable.
    next: usize,
    numbers: Vec<String>,
    text: String,
}

impl Body {
    /// An index that is `var` and a constant, which may be computed before.
    fn index(&mut self, var: &str, most: usize) -> String {
        // often the same row
        let by = if most == ROWS && self.rng.chance(60) { 1 } else { self.rng.below(most) };
        let sum = match self.rng.below(3) {
            0 if by == 0 => var.to_owned(),
            _ if by == 0 => format!("add.i64({var}, 0i64)"),
            0 | 1 => format!("add.i64({var}, {by}i64)"),
            _ => format!("sub.i64({var}, -{by}i64)"),
        };
        if self.rng.chance(50) {
            return sum;
        }
        self.next += 1;
        let name = format!("x_#{}", self.next);
        self.text += &format!("let {name}: i64 = {sum}\n");
        name
    }

    fn read(&mut self) -> String {
        match self.rng.below(12) {
            0 => "Y_#9[0i64, 1i64]".to_owned(),
            // the cell that is written
            1 => "R_#10[add.i64(i_#11, 1i64), add.i64(j_#12, 2i64)]".to_owned(),
            2 => {
                let column = self.index("j_#12", self.columns);
                format!("Y_#9[min.i64(i_#11, 1i64), {column}]")
            }
            n => {
                let (row, column) = (self.index("i_#11", ROWS), self.index("j_#12", self.columns));
                format!("{}[{row}, {column}]", if n < 9 { "X_#8" } else { "Y_#9" })
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let ty = self.ty;
        if depth == 0 {
            return match self.rng.below(8) {
                0 => "c_#4".to_owned(),
                1 if ty.is_float() => format!("-1.5{ty}"),
                1 => format!("3{ty}"),
                2 if !self.numbers.is_empty() => self.numbers[self.rng.below(self.numbers.len())].clone(),
                _ => self.read(),
            };
        }
        let (x, y) = (self.number(depth - 1), self.number(self.rng.clone().below(depth)));
        let op = match self.rng.below(9) {
            0 => return format!("neg.{ty}({x})"),
            1 if ty.is_float() => {
                let condition = self.condition(&x, &y);
                return format!("select({condition}, {y}, {x})");
            }
            1..=3 => "mul",
            4 => "sub",
            5 if ty.is_float() => ["div", "min", "max"][self.rng.below(3)],
            5 => ["and", "or", "xor"][self.rng.below(3)],
            _ => "add",
        };
        format!("{op}.{ty}({x}, {y})")
    }

    fn condition(&mut self, x: &str, y: &str) -> String {
        let ty = self.ty;
        let op = ["eq", "ne", "lt", "le", "gt", "ge"][self.rng.below(6)];
        let first = format!("{op}.{ty}({x}, {y})");
        match self.rng.below(4) {
            0 => format!("not.bool({first})"),
            1 => format!("and.bool({first}, lt.{ty}({y}, c_#4))"),
            2 => format!("or.bool({first}, eq.{ty}({x}, {x}))"),
            _ => first,
        }
    }

    /// Statements that compute a number and where it is written.
    fn statements(&mut self) {
        for _ in 0..self.rng.below(4) {
            let (value, ty) = (self.number(2), self.ty);
            self.next += 1;
            let name = format!("x_#{}", self.next);
            let mutable = self.rng.chance(30);
            self.text += &format!("{} {name}: {ty} = {value}\n", if mutable { "var" } else { "let" });
            if mutable {
                let more = self.number(2);
                self.text += &format!("{name} := add.{ty}({name}, {more})\n");
            }
            self.numbers.push(name);
        }
        let (first, second, ty) = (self.number(3), self.number(2), self.ty);
        let value = self.numbers.iter().fold(first, |sum, number| format!("add.{ty}({sum}, {number})"));
        let two = self.rng.chance(30).then(|| self.index("j_#12", self.columns));
        if let Some(column) = &two {
            self.text += &format!("let x_#18: {ty} = {second}\nlet x_#19: {ty} = {value}\n");
            self.text += &format!("R_#10[i_#11, {column}] := x_#18\n");
        }
        let value = if two.is_some() { "x_#19" } else { &value };
        self.text += &format!("R_#10[add.i64(i_#11, 1i64), add.i64(j_#12, 2i64)] := {value}\n");
    }
}

/// A loop over rows, in which one over columns reads neighbours, with the type of its cells and how many columns it does not write.
struct Procedure {
    ty: PrimType,
    columns: usize,
    text: String,
}

impl Procedure {
    fn new(number: usize, seed: u64) -> Procedure {
        let mut rng = Rng::new(seed);
        let ty = TYPES[number % TYPES.len()];
        // now and then neighbours are too far apart for vectors
        let columns = if rng.chance(10) { 20 } else { COLUMNS };
        let mut body = Body { rng, ty, columns, next: 20, numbers: Vec::new(), text: String::new() };
        body.statements();
        let text = format!(
            "entry proc p{number}(h_#1: i64, w_#2: i64, n_#3: i64, c_#4: {ty}, xs_#5: mem, ys_#6: mem): (i64, i64, mem)
            takes ({ty}[@0][@1]@4, {ty}[@0][@1]@5, i64@2, {ty}@3) gives ({ty}[@0][@1]@2) {{
            alloc rs_#7: {ty}[h_#1][w_#2]
            view X_#8: {ty} @ xs_#5 -> 0 + {{(h_#1 : w_#2)(w_#2 : 1)}}
            view Y_#9: {ty} @ ys_#6 -> 0 + {{(h_#1 : w_#2)(w_#2 : 1)}}
            view R_#10: {ty} @ rs_#7 -> 0 + {{(h_#1 : w_#2)(w_#2 : 1)}}
            copy R_#10 <- Y_#9
            for i_#11: i64 < sub.i64(h_#1, {}i64) seq {{ for j_#12: i64 < n_#3 simd {{
            {} }} }}
            return (h_#1, w_#2, rs_#7) }}\n",
            ROWS - 1,
            body.text,
        );
        Procedure { ty, columns, text: tagged(&text, 1000 * number as u64) }
    }
}

/// The text with `base` added to the tags of variables: those of a program are all different.
fn tagged(text: &str, base: u64) -> String {
    let mut parts = text.split("_#");
    let mut tagged = parts.next().unwrap().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let tag: u64 = part[..digits].parse().unwrap();
        tagged += &format!("_{}{}", base + tag, &part[digits..]);
    }
    tagged
}

/// A number of a type, now and then one of which floats have few.
fn number(rng: &mut Rng, ty: PrimType) -> PrimValue {
    let bits = rng.next_u64();
    let rare = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0];
    let float = match rng.below(4 * rare.len()) {
        k if k < rare.len() => rare[k],
        _ => (bits % 1000) as f64 / 8.0 - 50.0,
    };
    match ty {
        PrimType::F32 => PrimValue::F32(float as f32),
        PrimType::F64 => PrimValue::F64(float),
        _ => PrimValue::from_bits(ty, if ty.bits() == 32 { bits >> 32 } else { bits }),
    }
}

fn matrix(rng: &mut Rng, ty: PrimType, rows: usize, columns: usize) -> Value {
    let cells: Vec<PrimValue> = (0..rows * columns).map(|_| number(rng, ty)).collect();
    let data = ArrayValue::from_prims(ty, cells).unwrap().data;
    ArrayValue::new(vec![rows as i64, columns as i64], data).unwrap().into()
}

/// Compares code at a level and the interpreter on programs from seeds; how many of the loops run as vectors of rows.
fn agree(level: u8, seed: u64, procedures: usize, sizes: impl Iterator<Item = usize> + Clone) -> usize {
    let procedures: Vec<Procedure> =
        (0..procedures).map(|k| Procedure::new(k, seed * 1000 + k as u64)).collect();
    let text: String = procedures.iter().map(|procedure| procedure.text.as_str()).collect();
    let program = program(&text);
    let compiled = compile(&program, &compiler_at(level).unwrap()).unwrap();
    let mut rng = Rng::new(seed);
    for (k, Procedure { ty, columns, text }) in procedures.iter().enumerate() {
        for size in sizes.clone() {
            // widths are those of the rows and a little more, so that rows begin anywhere in a vector
            let (rows, width) = (ROWS + rng.below(3), size + columns + rng.below(4));
            let (xs, ys) = (matrix(&mut rng, *ty, rows, width), matrix(&mut rng, *ty, rows, width));
            let count = Value::Prim(PrimValue::I64(size as i64));
            let args = [xs, ys, count, Value::Prim(number(&mut rng, *ty))];
            let entry = format!("p{k}");
            let found = compiled.run(&entry, &args, &RunControl::new()).unwrap();
            let wanted = imp::interp::run(&program, &entry, &args, Limits::default()).unwrap();
            assert!(found[0].same(&wanted[0]), "{size} of {width}: {found:?}, not {wanted:?} of\n{text}");
        }
    }
    c_text(&program, &|_, _| None).unwrap().matches("#ifdef FUN_ROWS").count()
}

#[test]
fn vectors_of_rows_give_what_the_interpreter_gives() {
    if crate::common::skipped() {
        return;
    }
    let vectors = agree(1, 1, 48, (0..=70).step_by(7).chain([1, 8, 15, 16, 17, 31, 32, 33, 64]));
    assert!(vectors >= 24, "{vectors} of 48 loops");
}

#[test]
fn deep_expressions_become_vectors() {
    let read = |by: i64| format!("X_1[add.i64(j_2, {by}i64)]");
    let sum = (0..100).fold(read(0), |sum, k| format!("add.f32({sum}, {})", read(k % 3)));
    let program = program(&format!(
        "entry proc main(n_3: i64, xs_4: mem): (i64, mem) takes (f32[@0]@1) gives (f32[@0]@1) {{
        view X_1: f32 @ xs_4 -> 0 + {{(n_3 : 1)}}
        alloc rs_5: f32[n_3]
        view R_6: f32 @ rs_5 -> 0 + {{(n_3 : 1)}}
        copy R_6 <- X_1
        for j_2: i64 < sub.i64(n_3, 2i64) simd {{ R_6[j_2] := {sum} }}
        return (n_3, rs_5) }}"
    ));
    assert!(c_text(&program, &|_, _| None).unwrap().contains("#ifdef FUN_ROWS"));
}

#[test]
#[ignore = "takes minutes"]
fn many_vectors_of_rows_give_what_the_interpreter_gives() {
    if crate::common::skipped() {
        return;
    }
    for seed in 2..12 {
        agree(3, seed, 96, 0..=100);
    }
}
