//! Coverage: which constructs of a language a program has, so that what generators draw can be measured.
//!
//! The trees are walked with matches that name every variant: a construct that is added to a language must be counted before
//! this compiles. [`ALL`] lists what is counted.

mod imp;
mod names;
#[cfg(test)]
mod tests;
mod tree;

pub use names::{ALL, Group};

use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_passes::program::{Program, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Names of constructs.
pub type Constructs = BTreeSet<&'static str>;

/// The constructs that are in a program, by their names in [`ALL`].
pub fn constructs(program: &Program) -> Constructs {
    match program {
        Program::Fun(program) => tree::constructs(program),
        Program::FunMem(program) => tree::constructs(program),
        Program::Imp(program) => imp::constructs(program),
    }
}

/// What is counted in programs of a language.
pub fn groups(stage: Stage) -> &'static [&'static Group] {
    ALL.iter().find(|(of, _)| *of == stage).map_or(&[], |(_, groups)| groups)
}

/// How many programs of one language have each construct.
#[derive(Clone, Debug)]
pub struct Coverage {
    stage: Stage,
    programs: u64,
    counts: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Of no programs.
    pub fn new(stage: Stage) -> Coverage {
        Coverage { stage, programs: 0, counts: BTreeMap::new() }
    }

    /// Counts what is in one more program of the language.
    pub fn add(&mut self, program: &Program) {
        self.programs += 1;
        for name in constructs(program) {
            *self.counts.entry(name).or_default() += 1;
        }
    }

    /// Adds what was counted elsewhere, of the same language.
    pub fn merge(&mut self, other: &Coverage) {
        self.programs += other.programs;
        for (name, count) in &other.counts {
            *self.counts.entry(name).or_default() += count;
        }
    }

    /// How many programs were counted.
    pub fn programs(&self) -> u64 {
        self.programs
    }

    /// How many programs have the construct of this name.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// The percentage of programs with the construct of this name.
    pub fn percent(&self, name: &str) -> f64 {
        100.0 * self.count(name) as f64 / self.programs.max(1) as f64
    }

    /// The constructs in fewer than so many percent of the programs, rarest first.
    pub fn below(&self, percent: f64) -> Vec<(&'static str, f64)> {
        let names = groups(self.stage).iter().flat_map(|group| group.names);
        let all = names.map(|name| (*name, self.percent(name)));
        let mut rare: Vec<_> = all.filter(|(_, found)| *found < percent).collect();
        rare.sort_by(|a, b| a.1.total_cmp(&b.1));
        rare
    }
}

/// One line for each group: its constructs and the percentage of programs with each.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for group in groups(self.stage) {
            write!(f, "{}:", group.about)?;
            for (i, name) in group.names.iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                write!(f, "{comma} {name} {:.1}", self.percent(name))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// What kind of operator it is.
fn bin_class(op: BinOp, ty: PrimType) -> &'static str {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => "sum or product",
        BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem if ty.is_float() => "float division",
        BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => "integer division",
        BinOp::Pow => "power",
        BinOp::Min | BinOp::Max => "minimum or maximum",
        BinOp::And | BinOp::Or | BinOp::Xor if ty == PrimType::Bool => "logical connective",
        BinOp::And | BinOp::Or | BinOp::Xor => "bitwise operator",
        BinOp::Shl | BinOp::Shr | BinOp::ShrLogical => "shift",
        BinOp::MulHi => "high half of a product",
        BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => {
            "function of two floats"
        }
        BinOp::Eq | BinOp::Ne => "equality",
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => "order",
    }
}

/// What kind of operator it is.
fn un_class(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "negation",
        UnOp::Not => "complement",
        UnOp::Abs | UnOp::Sgn => "absolute value or sign",
        UnOp::Popc | UnOp::Clz | UnOp::Ctz => "count of bits",
        UnOp::Sqrt | UnOp::Cbrt | UnOp::Rsqrt => "root",
        UnOp::Exp
        | UnOp::Exp2
        | UnOp::Exp10
        | UnOp::Expm1
        | UnOp::Log
        | UnOp::Log2
        | UnOp::Log10
        | UnOp::Log1p => "exponential or logarithm",
        UnOp::Sin
        | UnOp::Cos
        | UnOp::Tan
        | UnOp::Asin
        | UnOp::Acos
        | UnOp::Atan
        | UnOp::Sinpi
        | UnOp::Cospi
        | UnOp::Tanpi
        | UnOp::Asinpi
        | UnOp::Acospi
        | UnOp::Atanpi => "trigonometric function",
        UnOp::Sinh | UnOp::Cosh | UnOp::Tanh | UnOp::Asinh | UnOp::Acosh | UnOp::Atanh => {
            "hyperbolic function"
        }
        UnOp::Erf | UnOp::Erfc | UnOp::Gamma | UnOp::Lgamma => "error or gamma function",
        UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => "rounding",
        UnOp::IsNan | UnOp::IsInf | UnOp::SignBit => "test of a float",
        UnOp::ToBits | UnOp::FromBits => "bits of a float",
    }
}

/// What kind of conversion it is.
fn convert_class(to: PrimType, from: PrimType) -> &'static str {
    match (from, to) {
        (PrimType::Bool, _) => "convert from bool",
        (_, PrimType::Bool) => "convert to bool",
        _ => match (from.is_float(), to.is_float()) {
            (false, false) => "convert integers",
            (false, true) => "convert integer to float",
            (true, false) => "convert float to integer",
            (true, true) => "convert floats",
        },
    }
}

/// Arrays of this type; there are none of units.
fn array_of(ty: PrimType) -> &'static str {
    match ty {
        PrimType::I8 => "[]i8",
        PrimType::I16 => "[]i16",
        PrimType::I32 => "[]i32",
        PrimType::I64 => "[]i64",
        PrimType::U8 => "[]u8",
        PrimType::U16 => "[]u16",
        PrimType::U32 => "[]u32",
        PrimType::U64 => "[]u64",
        PrimType::F16 => "[]f16",
        PrimType::F32 => "[]f32",
        PrimType::F64 => "[]f64",
        PrimType::Bool => "[]bool",
        PrimType::Unit => "[]unit",
    }
}

/// Arrays of this rank.
fn rank_of(rank: usize) -> &'static str {
    match rank {
        0 | 1 => "rank 1",
        2 => "rank 2",
        3 => "rank 3",
        _ => "rank 4 or more",
    }
}
