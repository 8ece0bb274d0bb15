//! Doubles that lie in groups, of which GCC 12 makes wrong vectors of 512 bits.
//!
//! `y[6 * i + k] = x[6 * i + 5 - k]` for all `k < 6` has wrong cells in every fourth group there, and so have other permutations in groups of 6, 9 and 24: two vectors
//! of eight doubles are permuted into one by a wrong pattern. Vectors of 256 bits are right. Not seen with other sizes than multiples of 3, nor with 3,
//! nor with other types. Arrays of doubles with rows of such a size have the shorter vectors, and programs that compute places in flat arrays from
//! one of the three sizes; not all that multiply by multiples of 3, as `memory/option_pricing` takes 1.3 times as long in them.

use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, Program, StatementKind};
use imp::visit::for_each_statement;

/// The longest groups that are looked at: those of 96 are cells of 32 lanes, of which each vector has some.
const LONGEST: i64 = 48;

/// Those that were seen.
const SEEN: [i64; 3] = [6, 9, 24];

/// What lets GCC make no longer vectors of a program.
pub(crate) const SHORTER_VECTORS: &str = "#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__)\n\
    /* GCC 12 permutes groups of 6, 9, … doubles wrongly in longer vectors. */\n\
    #pragma GCC target(\"prefer-vector-width=256\")\n\
    #endif\n";

/// Whether a program may access doubles in such groups.
pub(crate) fn has_groups(program: &Program) -> bool {
    let is_group = |size: i64| size > 3 && size <= LONGEST && size % 3 == 0;
    let (mut doubles, mut groups) = (false, false);
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { elem: PrimType::F64, lmad, .. } = &statement.kind {
                doubles = true;
                let mut strides = lmad.dims.iter().filter_map(|dim| dim.stride.as_constant());
                groups |= strides.any(|stride| is_group(stride.saturating_abs()));
            }
            statement.kind.for_each_exp(&mut |exp| groups |= multiplies(exp));
        });
    }
    doubles && groups
}

/// Whether an index may be a multiple of a size that was seen.
fn multiplies(exp: &Exp) -> bool {
    let constant = |exp: &Exp| if let Exp::Const(value) = exp { value.as_i64() } else { None };
    if let Exp::Bin(BinOp::Mul, PrimType::I64, x, y) = exp
        && [x, y].into_iter().filter_map(|factor| constant(factor)).any(|factor| SEEN.contains(&factor))
    {
        return true;
    }
    let mut found = false;
    exp.for_each_child(&mut |child| found |= multiplies(child));
    found
}
