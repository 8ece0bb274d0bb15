//! Generated programs: valid by construction, in layouts that memory introduction never chooses. Every fresh array gets a random
//! injective LMAD in a block with gaps; arrays are derived, consumed and rebuilt in kernels in all ways that need no loop and no
//! call. (Programs of all constructs come from `fun::gen` by memory introduction.)
//!
//! A program is determined by a seed and a size, and is right for every input. Smaller sizes of one seed give its beginning.

mod place;
mod shrink;
mod statement;

use crate::ir::{Binder, Body, Exp, Function, MemType, Param, Program, Statement};
use fun::ir::Atom;
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::rng::Rng;
use fun_base::value::{ArrayValue, Value};
use fun_index::lmad::Lmad;
use quickcheck::{Arbitrary, Gen};

/// A program with the entry point `main`, and arguments for it.
#[derive(Clone, Debug)]
pub struct GenProgram {
    /// The program.
    pub program: Program,
    /// Arguments.
    pub inputs: Vec<Value>,
    /// Where shrinking goes on.
    next: usize,
}

/// The program of a seed with about `size` statements.
pub fn generate(seed: u64, size: usize) -> GenProgram {
    let mut maker = Maker {
        rng: Rng::new(seed),
        names: NameSource::default(),
        arrays: Vec::new(),
        scalars: vec![Atom::i64(3)],
        statements: Vec::new(),
        groups: 0,
        counters: Vec::new(),
    };
    let rows = maker.rng.below(4);
    let (params, size_var) = maker.params();
    for _ in 0..size {
        maker.statement();
    }
    let (results, atoms) = maker.results();
    let body = Body { statements: maker.statements, results: atoms };
    let function = Function { name: Symbol::new("main"), entry: true, params, results, body };
    let inputs = inputs(&function, size_var, rows);
    GenProgram { program: Program { functions: vec![function] }, inputs, next: 0 }
}

/// Arguments where the symbolic size is `rows`.
fn inputs(function: &Function, size_var: Var, rows: usize) -> Vec<Value> {
    let mut inputs = Vec::new();
    for (k, param) in function.params.iter().filter(|param| !param.implicit).enumerate() {
        let MemType::Array { shape, elem, .. } = &param.binder.ty else { continue };
        let size = |atom: &Atom| match atom {
            Atom::Var(var) if *var == size_var => rows as i64,
            Atom::Var(_) => 0,
            Atom::Const(value) => value.as_i64().unwrap_or(0),
        };
        let shape: Vec<i64> = shape.iter().map(size).collect();
        let count: i64 = shape.iter().product();
        let cells = (0..count).map(|i| elem.of_i64((i * 7 + k as i64 * 3) % 11));
        let data = fun_base::value::ArrayData::from_prims(*elem, cells);
        let data = data.expect("invariant: cells of one type");
        let array = ArrayValue::new(shape, data).expect("invariant: as many cells as the shape says");
        inputs.push(Value::from(array));
    }
    inputs
}

/// An array that may be used.
#[derive(Clone)]
struct Known {
    var: Var,
    shape: Vec<Atom>,
    elem: PrimType,
    mem: Var,
    lmad: Lmad,
    /// Arrays of one group share cells.
    group: usize,
    /// Whether it may be consumed.
    owned: bool,
}

/// A program under construction.
struct Maker {
    rng: Rng,
    names: NameSource,
    arrays: Vec<Known>,
    /// i64 atoms in scope.
    scalars: Vec<Atom>,
    /// Of the body under construction.
    statements: Vec<Statement>,
    groups: usize,
    /// Counters of the kernels around and their bounds.
    counters: Vec<(Var, Atom)>,
}

impl Maker {
    fn emit(&mut self, pattern: Vec<Binder>, exp: Exp) {
        self.statements.push(Statement { pattern, exp, loc: None });
    }

    /// A statement with one scalar result.
    fn scalar(&mut self, text: &str, ty: PrimType, exp: Exp) -> Atom {
        let var = self.names.fresh(text);
        self.emit(vec![Binder { var, ty: MemType::Prim(ty) }], exp);
        Atom::Var(var)
    }

    fn params(&mut self) -> (Vec<Param>, Var) {
        let size_var = self.names.fresh("n");
        let implicit = |binder| Param { binder, implicit: true, unique: false };
        let mut params = vec![implicit(Binder { var: size_var, ty: MemType::Prim(PrimType::I64) })];
        let n = Atom::Var(size_var);
        let elems = [PrimType::I64, PrimType::I32, PrimType::U8, PrimType::F32];
        for (shape, unique) in [(vec![n, Atom::i64(3)], false), (vec![Atom::i64(4)], true), (vec![n], true)] {
            let elem = elems[self.rng.below(elems.len())];
            let (var, mem) = (self.names.fresh("a"), self.names.fresh("a_mem"));
            params.push(implicit(Binder { var: mem, ty: MemType::Mem(crate::ir::Space::Default) }));
            let lmad = place::row_major(&shape);
            let ty = MemType::Array { shape: shape.clone(), elem, mem, lmad: lmad.clone() };
            params.push(Param { binder: Binder { var, ty }, implicit: false, unique });
            let group = self.group();
            self.arrays.push(Known { var, shape, elem, mem, lmad, group, owned: unique });
        }
        self.scalars.push(n);
        (params, size_var)
    }

    fn group(&mut self) -> usize {
        self.groups += 1;
        self.groups
    }

    /// Copies of two arrays, row-major, and a scalar.
    fn results(&mut self) -> (Vec<Param>, Vec<Atom>) {
        let (mut params, mut atoms) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let Some(array) = self.pick(|_| true) else { continue };
            let lmad = place::row_major(&array.shape);
            let mem = self.alloc("r_mem", array.shape.clone(), array.elem);
            let copy = self.fresh_at(&array.shape, array.elem, mem, lmad.clone(), Exp::Copy(array.var));
            atoms.extend([Atom::Var(mem), Atom::Var(copy.var)]);
            let (var, mem) = (self.names.fresh("r"), self.names.fresh("r_mem"));
            let block = Binder { var: mem, ty: MemType::Mem(crate::ir::Space::Default) };
            params.push(Param { binder: block, implicit: true, unique: false });
            let ty = MemType::Array { shape: array.shape, elem: array.elem, mem, lmad };
            params.push(Param { binder: Binder { var, ty }, implicit: false, unique: false });
        }
        if let Some(atom) = self.scalars.last() {
            atoms.push(*atom);
            let binder = Binder { var: self.names.fresh("x"), ty: MemType::Prim(PrimType::I64) };
            params.push(Param { binder, implicit: false, unique: false });
        }
        (params, atoms)
    }

    /// An array that fits, if there is one.
    fn pick(&mut self, fits: impl Fn(&Known) -> bool) -> Option<Known> {
        let fitting: Vec<&Known> = self.arrays.iter().filter(|array| fits(array)).collect();
        self.rng.pick(&fitting).map(|array| (*array).clone())
    }
}

impl Arbitrary for GenProgram {
    fn arbitrary(g: &mut Gen) -> GenProgram {
        generate(u64::arbitrary(g), usize::arbitrary(g) % (g.size() / 4 + 2))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = GenProgram>> {
        shrink::shrink(self)
    }
}

#[cfg(test)]
mod tests;
