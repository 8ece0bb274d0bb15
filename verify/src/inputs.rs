//! Random inputs for an entry point that satisfy its size types.
//!
//! Sizes that several parameters share get one value, from those that break programs: 0, 1, small, powers of two and their
//! neighbours, primes. Scalars and elements are mostly small, with extremes, NaN and infinities among them. The same seed gives the
//! same inputs.

use fun::ir::{Atom, BinderType, Function, Rep};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value};
use fun_passes::program::Program;
use imp::ir::{InterfaceSize, InterfaceValue};
use std::collections::BTreeMap;

/// Values that sizes are drawn from, the likelier ones more than once.
const SIZES: [i64; 16] = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17];

/// No argument has more elements than this.
const MOST_ELEMENTS: i64 = 4096;

/// A parameter as this module sees it. Sizes and the scalars that give them have a key in common.
enum Parameter {
    Scalar { ty: PrimType, key: Option<u64> },
    Array { elem: PrimType, shape: Vec<Size> },
}

enum Size {
    Key(u64),
    Const(i64),
}

/// Inputs for the entry point; empty when there is no such entry.
pub fn random_inputs(program: &Program, entry: &str, seed: u64) -> Vec<Value> {
    random_inputs_up_to(program, entry, seed, SIZES.into_iter().max().unwrap_or_default())
}

/// The same with sizes up to `largest`.
pub fn random_inputs_up_to(program: &Program, entry: &str, seed: u64, largest: i64) -> Vec<Value> {
    let parameters = match program {
        Program::Fun(program) => of_function(&program.functions, entry),
        Program::FunMem(program) => of_function(&program.functions, entry),
        Program::Imp(program) => of_procedure(program, entry),
    };
    let mut random = Random { rng: Rng::new(seed), largest };
    let mut sizes = BTreeMap::new();
    let shapes = parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Scalar { .. } => None,
        Parameter::Array { shape, .. } => Some(shape),
    });
    for shape in shapes {
        let mut elements = 1;
        for size in shape {
            match size {
                Size::Const(n) => elements *= n,
                Size::Key(key) => {
                    let n = *sizes.entry(*key).or_insert_with(|| random.size());
                    elements *= n.max(1);
                }
            }
        }
        if elements > MOST_ELEMENTS {
            sizes.values_mut().for_each(|n| *n = (*n).min(5));
        }
    }
    let value = |parameter: &Parameter| match parameter {
        Parameter::Scalar { key: Some(key), .. } if sizes.contains_key(key) => {
            Value::Prim(PrimValue::I64(sizes[key]))
        }
        Parameter::Scalar { ty, .. } => Value::Prim(random.scalar(*ty)),
        Parameter::Array { elem, shape } => {
            let shape: Vec<i64> = shape
                .iter()
                .map(|size| match size {
                    Size::Key(key) => sizes[key],
                    Size::Const(n) => *n,
                })
                .collect();
            let count = shape.iter().product::<i64>();
            let elements: Vec<PrimValue> = (0..count).map(|_| random.scalar(*elem)).collect();
            let data = ArrayData::from_prims(*elem, elements).expect("elements of the type asked for");
            Value::from(ArrayValue::new(shape, data).expect("as many elements as the shape has"))
        }
    };
    parameters.iter().map(value).collect()
}

fn of_function<R: Rep>(functions: &[Function<R>], entry: &str) -> Vec<Parameter> {
    let function = functions.iter().find(|function| function.entry && function.name.as_str() == entry);
    let params = function.map_or(&[][..], |function| &function.params);
    let explicit = params.iter().filter(|param| !param.implicit);
    let parameter = explicit.map(|param| {
        let ty = param.binder.ty.erased();
        if ty.rank() == 0 {
            let key = (ty.elem() == PrimType::I64).then_some(u64::from(param.binder.var.tag));
            return Parameter::Scalar { ty: ty.elem(), key };
        }
        let shape = ty.shape().iter().map(|size| match size {
            Atom::Var(var) => Size::Key(u64::from(var.tag)),
            Atom::Const(value) => Size::Const(value.as_i64().unwrap_or(0)),
        });
        Parameter::Array { elem: ty.elem(), shape: shape.collect() }
    });
    parameter.collect()
}

fn of_procedure(program: &imp::ir::Program, entry: &str) -> Vec<Parameter> {
    let procedure = program.procedures.iter().find(|procedure| procedure.name.as_str() == entry);
    let takes = procedure.and_then(|procedure| procedure.interface.as_ref()).map_or(&[][..], |i| &i.takes);
    let parameter = takes.iter().map(|value| match value {
        InterfaceValue::Scalar { at, ty } => {
            Parameter::Scalar { ty: *ty, key: (*ty == PrimType::I64).then_some(*at as u64) }
        }
        InterfaceValue::Array { elem, shape, .. } => {
            let shape = shape.iter().map(|size| match size {
                InterfaceSize::At(at) => Size::Key(*at as u64),
                InterfaceSize::Const(n) => Size::Const(*n),
            });
            Parameter::Array { elem: *elem, shape: shape.collect() }
        }
    });
    parameter.collect()
}

/// Choices of sizes and scalars.
struct Random {
    rng: Rng,
    largest: i64,
}

impl Random {
    fn size(&mut self) -> i64 {
        let size = self.rng.pick(&SIZES).copied().unwrap_or(0);
        if self.largest > 2 * size && !SIZES.contains(&self.largest) && self.rng.chance(50) {
            return self.rng.below(self.largest as usize + 1) as i64;
        }
        size.min(self.largest)
    }

    fn scalar(&mut self, ty: PrimType) -> PrimValue {
        let small = self.rng.below(17) as i64 - 4;
        if ty.is_float() {
            return match self.rng.below(24) {
                0 => PrimValue::from_bits(ty, self.rng.next_u64()),
                1 => of_f64(ty, f64::INFINITY),
                2 => of_f64(ty, f64::NAN),
                3 => of_f64(ty, -0.0),
                _ => of_f64(ty, small as f64 / 4.0 + self.rng.below(64) as f64 / 64.0),
            };
        }
        match self.rng.below(16) {
            0 => PrimValue::from_bits(ty, self.rng.next_u64()),
            1 => PrimValue::from_bits(ty, 1 << (ty.bits().max(1) - 1)), // the most negative, or the top bit
            _ if ty.is_unsigned() => ty.of_i64(small.abs()),
            _ => ty.of_i64(small),
        }
    }
}

fn of_f64(ty: PrimType, x: f64) -> PrimValue {
    fun_base::prim::eval_conv(ty, PrimValue::F64(x))
}
