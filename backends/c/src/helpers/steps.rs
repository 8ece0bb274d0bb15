//! Elementary functions whose steps are written once, in `base`, as text: each step is a line. What no result needs is left out.
//!
//! They have no branches, so that compilers run them in vectors. Choices are made of bits: where several have one condition, GCC makes a branch of it.

use fun_base::prim::math::elementary::{self, Arithmetic, FIRST_ROOT, TABLE};
use fun_base::prim::{PrimType, UnOp};
use std::cell::RefCell;

/// The functions, by C's names or ours without the type.
const FUNCTIONS: [(&str, UnOp); 10] = [
    ("sinpi", UnOp::Sinpi),
    ("cospi", UnOp::Cospi),
    ("tanpi", UnOp::Tanpi),
    ("asinpi", UnOp::Asinpi),
    ("acospi", UnOp::Acospi),
    ("atanpi", UnOp::Atanpi),
    ("erf", UnOp::Erf),
    ("erfc", UnOp::Erfc),
    ("tgamma", UnOp::Gamma),
    ("lgamma", UnOp::Lgamma),
];

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<String> {
    if name == "chosen" {
        return Some(
            "FUN_INLINE double chosen(uint64_t holds, double x, double y) {\n    \
             const uint64_t other = f64_bits(y);\n    \
             return f64_of_bits(other ^ ((f64_bits(x) ^ other) & holds));\n}\n\n"
                .to_owned(),
        );
    }
    let (function, ty) = typed(name)?;
    let (_, op) = FUNCTIONS.iter().find(|(name, _)| *name == function)?;
    let steps = Steps::default();
    let x = steps.step("double", "x".to_owned(), &[]);
    let single = ty == PrimType::F32;
    let result = match single {
        true => elementary::widened_unary(&steps, *op, x)?,
        false => elementary::unary_f64(&steps, *op, x)?,
    };
    let (c, to) = if single { ("float", "(float)") } else { ("double", "") };
    let lines = steps.lines(result);
    let table = if lines.contains("roots[") { roots() } else { String::new() };
    Some(format!(
        "FUN_INLINE {c} {name}({c} x) {{\n{table}{lines}    return {to}{};\n}}\n\n",
        result.text("v")
    ))
}

/// The rows of the table that `lgamma` reads.
fn roots() -> String {
    let rows = &TABLE[FIRST_ROOT..];
    let row = |[a, b, c, d]: &[f64; 4]| format!("        {{{a:?}, {b:?}, {c:?}, {d:?}}},\n");
    let text: String = rows.iter().map(row).collect();
    format!("    static const double roots[{}][4] = {{\n{text}    }};\n", rows.len())
}

/// The function of ours for one of C, or for one of ours.
pub(super) fn of(function: &str) -> Option<String> {
    let known = |name: &str| FUNCTIONS.iter().any(|(own, _)| *own == name);
    match (typed(function), function.strip_suffix('f')) {
        (Some((name, _)), _) if known(name) => Some(function.to_owned()),
        _ if known(function) => Some(format!("{function}_f64")),
        (_, Some(name)) if known(name) => Some(format!("{name}_f32")),
        _ => None,
    }
}

/// A name and the type behind it.
fn typed(name: &str) -> Option<(&str, PrimType)> {
    let (name, suffix) = name.rsplit_once('_')?;
    match suffix {
        "f32" => Some((name, PrimType::F32)),
        "f64" => Some((name, PrimType::F64)),
        _ => None,
    }
}

/// A value of a step, or a constant.
#[derive(Clone, Copy)]
enum Term {
    Step(usize),
    Float(f64),
    Bits(u64),
}

impl Term {
    fn text(self, prefix: &str) -> String {
        match self {
            Term::Step(step) => format!("{prefix}{step}"),
            Term::Float(x) if x.is_nan() => "(double)NAN".to_owned(),
            Term::Float(x) if x.is_infinite() => {
                format!("{}(double)INFINITY", if x < 0.0 { "-" } else { "" })
            }
            Term::Float(x) => format!("{x:?}"),
            Term::Bits(n) => format!("{n}u"),
        }
    }
}

/// A line of text: a variable's type and value, and the steps that the value is of.
struct Step {
    ty: &'static str,
    value: String,
    of: Vec<usize>,
}

/// Arithmetic as lines.
#[derive(Default)]
struct Steps {
    steps: RefCell<Vec<Step>>,
}

impl Steps {
    fn step(&self, ty: &'static str, value: String, of: &[Term]) -> Term {
        let of = of.iter().filter_map(|term| if let Term::Step(step) = term { Some(*step) } else { None });
        let mut steps = self.steps.borrow_mut();
        steps.push(Step { ty, value, of: of.collect() });
        Term::Step(steps.len() - 1)
    }

    /// A step whose value has terms in the places of `$`.
    fn with(&self, ty: &'static str, pattern: &str, terms: &[Term]) -> Term {
        let mut parts = pattern.split('$');
        let mut value = parts.next().unwrap_or_default().to_owned();
        for (term, part) in terms.iter().zip(parts) {
            value += &term.text("v");
            value += part;
        }
        self.step(ty, value, terms)
    }

    fn number(&self, pattern: &str, terms: &[Term]) -> Term {
        self.with("double", pattern, terms)
    }

    fn integer(&self, pattern: &str, terms: &[Term]) -> Term {
        self.with("uint64_t", pattern, terms)
    }

    /// The lines that a result needs.
    fn lines(&self, result: Term) -> String {
        let steps = self.steps.borrow();
        let mut needed = vec![false; steps.len()];
        if let Term::Step(step) = result {
            needed[step] = true;
        }
        for (at, step) in steps.iter().enumerate().rev() {
            if needed[at] {
                step.of.iter().for_each(|of| needed[*of] = true);
            }
        }
        let line = |(at, step): (usize, &Step)| format!("    const {} v{at} = {};\n", step.ty, step.value);
        steps.iter().enumerate().filter(|(at, _)| needed[*at]).map(line).collect()
    }
}

impl Arithmetic for Steps {
    type Float = Term;
    type Bits = Term;
    type Mask = Term;

    fn float(&self, x: f64) -> Term {
        Term::Float(x)
    }
    fn bits(&self, n: u64) -> Term {
        Term::Bits(n)
    }
    fn add(&self, x: Term, y: Term) -> Term {
        self.number("$ + $", &[x, y])
    }
    fn sub(&self, x: Term, y: Term) -> Term {
        self.number("$ - $", &[x, y])
    }
    fn mul(&self, x: Term, y: Term) -> Term {
        self.number("$ * $", &[x, y])
    }
    fn div(&self, x: Term, y: Term) -> Term {
        self.number("$ / $", &[x, y])
    }
    fn fma(&self, x: Term, y: Term, z: Term) -> Term {
        self.number("fma($, $, $)", &[x, y, z])
    }
    fn neg(&self, x: Term) -> Term {
        self.number("-$", &[x])
    }
    fn abs(&self, x: Term) -> Term {
        self.number("fabs($)", &[x])
    }
    fn sqrt(&self, x: Term) -> Term {
        self.number("sqrt($)", &[x])
    }
    fn trunc(&self, x: Term) -> Term {
        self.number("trunc($)", &[x])
    }
    fn round(&self, x: Term) -> Term {
        self.number("rint($)", &[x])
    }
    fn copysign(&self, x: Term, y: Term) -> Term {
        self.number("copysign($, $)", &[x, y])
    }
    fn less(&self, x: Term, y: Term) -> Term {
        self.integer("-(uint64_t)($ < $)", &[x, y])
    }
    fn equal(&self, x: Term, y: Term) -> Term {
        self.integer("-(uint64_t)($ == $)", &[x, y])
    }
    fn both(&self, x: Term, y: Term) -> Term {
        self.integer("$ & $", &[x, y])
    }
    fn either(&self, x: Term, y: Term) -> Term {
        self.integer("$ | $", &[x, y])
    }
    fn not(&self, x: Term) -> Term {
        self.integer("~$", &[x])
    }
    fn choose(&self, holds: Term, x: Term, y: Term) -> Term {
        self.number("chosen($, $, $)", &[holds, x, y])
    }
    fn bits_of(&self, x: Term) -> Term {
        self.integer("f64_bits($)", &[x])
    }
    fn float_of(&self, n: Term) -> Term {
        self.number("f64_of_bits($)", &[n])
    }
    fn add_bits(&self, m: Term, n: Term) -> Term {
        self.integer("$ + $", &[m, n])
    }
    fn sub_bits(&self, m: Term, n: Term) -> Term {
        self.integer("$ - $", &[m, n])
    }
    fn and_bits(&self, m: Term, n: Term) -> Term {
        self.integer("$ & $", &[m, n])
    }
    fn xor_bits(&self, m: Term, n: Term) -> Term {
        self.integer("$ ^ $", &[m, n])
    }
    fn is_odd(&self, n: Term) -> Term {
        self.integer("-($ & 1)", &[n])
    }
    fn shift_left(&self, n: Term, by: u32) -> Term {
        self.integer("$ << $", &[n, Term::Bits(by.into())])
    }
    fn shift_right(&self, n: Term, by: u32) -> Term {
        self.integer("$ >> $", &[n, Term::Bits(by.into())])
    }
    fn float_of_small(&self, n: Term) -> Term {
        self.number("(double)$", &[n])
    }
    fn row(&self, number: Term) -> [Term; 4] {
        let first = Term::Bits(FIRST_ROOT as u64);
        [0, 1, 2, 3].map(|column| self.number("roots[$ - $][$]", &[number, first, Term::Bits(column)]))
    }
}
