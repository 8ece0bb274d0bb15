//! Memory introduction: FUN in kernel form to FUNMEM (paper section 3.5).
//!
//! ```text
//! let (y_3: [m_1][n_0]f32) = permute (1,0) x_2
//! let (z_5: [n_0]i64) = iota.i64 n_0 0i64 1i64
//! ```
//! becomes
//! ```text
//! let (y_3: [m_1][n_0]f32 @ x_mem_6 -> 0 + {(m_1 : 1)(n_0 : m_1)}) = permute (1,0) x_2
//! let (z_mem_7: mem) = alloc [n_0] i64
//! let (z_5: [n_0]i64 @ z_mem_7 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//! ```
//!
//! - Fresh arrays get a block of their own and row-major order; derived arrays get the place computed from their operand's.
//! - A reshape that no LMAD expresses acts on a copy; so does an update of an array whose cells may coincide (a slice with a
//!   step that may be zero), and a value is copied before it overwrites part of its own block.
//! - Results of `if` come back with block, offset and strides, each only where the branches differ or mention inner variables.
//! - A loop parameter stays at the place of its initial value if the body only changes it in place. Every other one is
//!   row-major from offset 0 of a block that is a loop parameter too, or from an offset that is one if the next value is some
//!   rows of an array; what isn't so already is copied.
//! - Functions take consumed arrays, and entry points all arrays, row-major from offset 0 (the caller copies where needed), other
//!   arrays with offset and strides; they give arrays row-major in blocks of their own, copied unless they are so already. (An array that is
//!   several results of an entry point is given as often, in one block.) With *views*, entry points are like other functions.
//!
//! Requires F1–F9 in kernel form (F8). Ensures M1–M9. Cost: n log n in the size of the program.

mod context;
mod control;
mod loops;
mod statement;
mod survey;

use context::{Context, Passing, Place, Roots, meet};
use fun::ir::{Atom, Fun, Type};
use fun::visit::calls::calls_in;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Function, Param, Program, atom_poly};
use std::collections::{BTreeMap, BTreeSet};

/// Introduces memory into a program in kernel form.
pub fn run(program: fun::ir::Program) -> Program {
    introduce(program, false)
}

/// The same with entry points that take arrays anywhere.
pub fn run_with_views(program: fun::ir::Program) -> Program {
    introduce(program, true)
}

fn introduce(program: fun::ir::Program, views: bool) -> Program {
    let survey = survey::survey(&program);
    let mut context = Context::new(fun::visit::names::name_source(&program), survey);
    let called: BTreeSet<Symbol> =
        program.functions.iter().flat_map(|function| calls_in(function).into_keys()).collect();
    let functions = program.functions.into_iter().map(|function| {
        let is_called = called.contains(&function.name);
        context.function(function, views, is_called)
    });
    Program { functions: functions.collect() }
}

impl Context {
    fn function(&mut self, function: fun::ir::Function, views: bool, is_called: bool) -> Function {
        self.enter_function();
        let mut params = Vec::with_capacity(function.params.len());
        let mut signature = Vec::with_capacity(function.params.len());
        for param in function.params {
            let passing = match &param.binder.ty {
                Type::Prim(_) => Passing::Scalar,
                Type::Array { .. } if function.entry && !views || param.unique => Passing::RowMajor,
                Type::Array { .. } => Passing::Anywhere,
            };
            signature.push((passing, param.unique));
            self.param(param, passing, &mut params);
        }
        self.signatures.insert(function.name, signature);
        let (statements, results) = self.body(function.body);
        self.out = statements;
        let may_share = |at: usize| function.entry && !is_called && !function.results[at].unique;
        let results = self.function_results(results, &may_share);
        let body = Body { statements: std::mem::take(&mut self.out), results };
        let mut result_params = Vec::with_capacity(function.results.len());
        for result in function.results {
            self.param(result, Passing::RowMajor, &mut result_params);
        }
        Function {
            name: function.name,
            entry: function.entry,
            noinline: function.noinline,
            params,
            results: result_params,
            body,
        }
    }

    /// A parameter or result, preceded by what says where it lies.
    fn param(&mut self, param: fun::ir::Param<Fun>, passing: Passing, out: &mut Vec<Param>) {
        let implicit = |binder: Binder| Param { binder, implicit: true, unique: false };
        let var = param.binder.var;
        let binder = match param.binder.ty {
            Type::Prim(prim) => self.bind_prim(var, prim),
            Type::Array { shape, elem } => {
                let mem = self.mem_name(var);
                out.push(implicit(self.bind_mem(mem, Roots::unit(mem))));
                if param.unique {
                    self.consumable.insert(mem);
                }
                let place = match passing {
                    Passing::Scalar | Passing::RowMajor => Context::row_major(mem, &shape),
                    Passing::Anywhere => {
                        let lmad = self.unknown_lmad(var, &shape, &mut |binder| out.push(implicit(binder)));
                        Place { mem, lmad, injective: false }
                    }
                };
                self.bind_array(var, &shape, elem, place)
            }
        };
        out.push(Param { binder, implicit: param.implicit, unique: param.unique });
    }

    /// Variables for the offset and strides of an array.
    fn unknown_lmad(&mut self, array: Var, shape: &[Atom], bound: &mut dyn FnMut(Binder)) -> Lmad {
        let mut variable = |what: &str| {
            let var = self.names.fresh(format!("{}_{what}", array.text).as_str());
            bound(self.bind_prim(var, PrimType::I64));
            Poly::var(var)
        };
        let offset = variable("off");
        let dims = shape.iter().map(|size| LmadDim { size: atom_poly(*size), stride: variable("step") });
        Lmad { offset, dims: dims.collect() }
    }

    /// The results of a function, preceded by their blocks; copies what isn't row-major in a block of its own, or one that results which may
    /// share share with it, being the same array.
    fn function_results(&mut self, results: Vec<Atom>, may_share: &dyn Fn(usize) -> bool) -> Vec<Atom> {
        let mut given = Roots::new();
        let mut shared: BTreeMap<Atom, Var> = BTreeMap::new();
        let mut all = Vec::with_capacity(results.len());
        for (at, result) in results.into_iter().enumerate() {
            if let Some(array) = shared.get(&result).filter(|_| may_share(at)) {
                all.extend([Atom::Var(self.array_place(*array).mem), Atom::Var(*array)]);
                continue;
            }
            let array = result.as_var().and_then(|var| Some((var, self.place(var)?)));
            let Some((var, place)) = array else {
                all.push(result);
                continue;
            };
            let roots = self.roots_of(place.mem);
            let own = |root: &Var| self.allocated.contains_key(root) || self.consumable.contains(root);
            let fits = self.is_row_major(&place) && roots.iter().all(own) && !meet(&roots, &given);
            let var = if fits { var } else { self.copy(var) };
            let mem = self.array_place(var).mem;
            given.extend(self.roots_of(mem));
            if may_share(at) {
                shared.insert(result, var);
            }
            all.extend([Atom::Var(mem), Atom::Var(var)]);
        }
        all
    }
}
