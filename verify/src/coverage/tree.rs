//! What is in a program of FUN or FUNMEM, which share their tree.

use super::{Constructs, array_of, bin_class, convert_class, rank_of, un_class};
use fun::ir::{
    Atom, BinderType, Body, Combine, Dim, Exp, Fun, Function, Lambda, LoopForm, LoopParam, Mode, NoOp, Param,
    Program, Rep, Statement, Type,
};
use fun::visit::{Walk, walk_exp, walk_function, walk_lambda};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use funmem::ir::{Mem, MemOp, MemType, Space};
use std::collections::{BTreeMap, BTreeSet};

/// What the two representations say that the other does not.
pub(super) trait Counted: Rep {
    /// Where an array lies.
    fn place(ty: &Self::Type) -> Option<(Var, &Lmad)>;
    /// The space of a block.
    fn space(ty: &Self::Type) -> Option<Space>;
    /// Counts an operation of the representation.
    fn count_op(op: &Self::Op, counter: &mut Counter<Self>);
}

impl Counted for Fun {
    fn place(_: &Type) -> Option<(Var, &Lmad)> {
        None
    }

    fn space(_: &Type) -> Option<Space> {
        None
    }

    fn count_op(op: &NoOp, _: &mut Counter<Fun>) {
        match *op {}
    }
}

impl Counted for Mem {
    fn place(ty: &MemType) -> Option<(Var, &Lmad)> {
        match ty {
            MemType::Array { mem, lmad, .. } => Some((*mem, lmad)),
            MemType::Prim(_) | MemType::Mem(_) => None,
        }
    }

    fn space(ty: &MemType) -> Option<Space> {
        match ty {
            MemType::Mem(space) => Some(*space),
            MemType::Prim(_) | MemType::Array { .. } => None,
        }
    }

    fn count_op(op: &MemOp, counter: &mut Counter<Mem>) {
        match op {
            MemOp::Alloc { space, shape, elem: _ } => {
                counter.note("alloc");
                counter.note_if(shape.len() > 1, "alloc of several factors");
                counter.note_if(
                    shape.iter().all(|factor| factor.as_const().is_some()),
                    "alloc of a constant size",
                );
                counter.note_if(counter.is_in(Around::Loop), "alloc in loop");
                counter.note_if(counter.is_in(Around::Kernel), "alloc in kernel");
                counter.note_if(counter.is_in(Around::Branch), "alloc in branch");
                match space {
                    Space::Default => {}
                    Space::Stack => counter.note("space stack"),
                    Space::Device => counter.note("space device"),
                    Space::Shared => counter.note("space shared"),
                    Space::Named(_) => counter.note("space with a name"),
                }
            }
        }
    }
}

/// What is around the code at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Kernel,
    Soac,
    Loop,
    Branch,
    /// The function of a derivative.
    Derived,
}

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Parameter,
    LoopParameter,
    /// Bound to a slice, a permutation and the like.
    Derivation,
    /// A size among the results of a call.
    ImplicitResult,
    Computed,
}

pub(super) struct Counter<R: Counted> {
    found: Constructs,
    around: Vec<Around>,
    /// The function at hand.
    function: Option<Symbol>,
    /// Which results of earlier functions are implicit.
    implicit: BTreeMap<Symbol, Vec<bool>>,
    origins: BTreeMap<Var, Origin>,
    /// The places of arrays.
    places: BTreeMap<Var, (Var, Lmad)>,
    /// The types of fresh arrays in each block.
    fresh_in: BTreeMap<Var, Vec<PrimType>>,
    /// Ranks of arrays.
    ranks: BTreeMap<Var, usize>,
    /// Variables known to be constants.
    constants: BTreeMap<Var, i64>,
    representation: std::marker::PhantomData<R>,
}

/// The constructs in a program.
pub(super) fn constructs<R: Counted>(program: &Program<R>) -> Constructs {
    let mut counter: Counter<R> = Counter {
        found: Constructs::new(),
        around: Vec::new(),
        function: None,
        implicit: BTreeMap::new(),
        origins: BTreeMap::new(),
        places: BTreeMap::new(),
        fresh_in: BTreeMap::new(),
        ranks: BTreeMap::new(),
        constants: BTreeMap::new(),
        representation: std::marker::PhantomData,
    };
    counter.note_if(program.functions.len() > 1, "several functions");
    program.functions.iter().for_each(|function| counter.function(function));
    counter.found
}

impl<R: Counted> Counter<R> {
    fn note(&mut self, name: &'static str) {
        self.found.insert(name);
    }

    fn note_if(&mut self, holds: bool, name: &'static str) {
        if holds {
            self.note(name);
        }
    }

    fn is_in(&self, what: Around) -> bool {
        self.around.contains(&what)
    }

    fn rank(&self, var: Var) -> usize {
        self.ranks.get(&var).copied().unwrap_or(0)
    }

    fn function(&mut self, function: &Function<R>) {
        let Function { name, entry: _, noinline, params, results, body: _ } = function;
        self.function = Some(*name);
        let is_array = |param: &Param<R>| param.binder.ty.erased().rank() > 0;
        let explicit = |params: &[Param<R>]| params.iter().filter(|param| !param.implicit).count();
        self.note_if(explicit(results) > 1, "several results");
        self.note_if(results.iter().any(is_array), "array result");
        self.note_if(results.iter().any(|result| result.unique), "result that aliases no parameter");
        self.note_if(params.iter().any(|param| param.unique), "consumed parameter");
        self.note_if(!function.entry && params.iter().any(is_array), "function taking arrays");
        self.note_if(*noinline, "function whose calls stay");
        self.note_if(explicit(params) == 0, "function without parameters");
        self.implicit.insert(*name, results.iter().map(|result| result.implicit).collect());
        let bound: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        for param in params {
            self.origins.insert(param.binder.var, Origin::Parameter);
            if let Some((mem, lmad)) = R::place(&param.binder.ty) {
                let mut anywhere = false;
                lmad.offset.for_each_var(&mut |var| anywhere |= bound.contains(&var));
                self.note_if(anywhere, "array anywhere as parameter");
                self.places.insert(param.binder.var, (mem, lmad.clone()));
            }
        }
        walk_function(self, function);
    }

    fn inside(&mut self, around: Around, walk: impl FnOnce(&mut Self)) {
        self.around.push(around);
        self.note_if(self.around.len() >= 3, "nested three deep");
        walk(self);
        self.around.pop();
    }

    /// An offset, count or stride.
    fn number(&self, atom: &Atom) -> Option<i64> {
        match atom {
            Atom::Const(value) => value.as_i64(),
            Atom::Var(var) => self.constants.get(var).copied(),
        }
    }

    fn strides(&self, dims: &[Dim]) -> Vec<i64> {
        let strides = |dim: &Dim| match dim {
            Dim::Fix(_) => Vec::new(),
            Dim::Range { stride, offset: _, count: _ } => vec![*stride],
            Dim::Flat { dims, offset: _ } => dims.iter().map(|dim| dim.stride).collect(),
        };
        dims.iter().flat_map(strides).filter_map(|stride| self.number(&stride)).collect()
    }

    fn changes(&mut self, array: Var) {
        let parallel = self.is_in(Around::Kernel) || self.is_in(Around::Soac);
        self.note_if(self.is_in(Around::Loop), "update in a loop");
        self.note_if(parallel, "update in parallel code");
        self.note_if(self.is_in(Around::Branch), "update in a branch");
        let is_param = self.origins.get(&array) == Some(&Origin::LoopParameter);
        self.note_if(is_param, "update of a loop's parameter");
    }

    fn derived(&mut self, array: Var) {
        let again = self.origins.get(&array) == Some(&Origin::Derivation);
        self.note_if(again, "several derivations of one array");
    }

    fn soac(&mut self) {
        self.note_if(self.is_in(Around::Soac), "SOAC in SOAC");
        self.note_if(self.is_in(Around::Loop), "SOAC in loop");
        self.note_if(self.is_in(Around::Branch), "SOAC in branch");
    }

    fn operator(&mut self, op: &Lambda<R>) {
        self.note_if(op.body.statements.len() > op.results.len(), "operator of several statements");
    }

    fn kernel(&mut self, space: &[(Var, Atom)], combine: &Combine<R>, body: &Body<R>) {
        self.note("kernel");
        self.note_if(space.len() > 1, "kernel of several dimensions");
        self.note_if(self.is_in(Around::Kernel), "kernel in kernel");
        self.note_if(self.is_in(Around::Loop), "kernel in loop");
        self.note_if(self.is_in(Around::Branch), "kernel in branch");
        let (several, inner) = (body.results.len() > 1, space.len() > 1);
        match combine {
            Combine::Map => {
                self.note_if(several, "kernel giving several results");
                let arrays = body.statements.iter().flat_map(|statement| &statement.pattern);
                let mut arrays = arrays.filter(|binder| binder.ty.erased().rank() > 0);
                let given = |binder: &fun::ir::Binder<R>| body.results.contains(&Atom::Var(binder.var));
                self.note_if(arrays.any(given), "kernel giving arrays");
            }
            Combine::Reduce { op, neutral: _, commutative } => {
                self.note(if *commutative { "kernel reduce_comm" } else { "kernel reduce" });
                self.note_if(several, "kernel reduce of several results");
                self.note_if(inner, "kernel reduce of an inner dimension");
                self.operator(op);
            }
            Combine::Scan { op, neutral: _, epilogue } => {
                self.note("kernel scan");
                self.note_if(epilogue.is_some(), "kernel scan with an epilogue");
                self.note_if(several, "kernel scan of several results");
                self.note_if(inner, "kernel scan of an inner dimension");
                self.operator(op);
            }
            Combine::Hist { op, neutral: _, dests } => {
                self.note("kernel hist");
                self.note_if(dests.len() > 1, "kernel hist of several results");
                self.operator(op);
                dests.iter().for_each(|dest| self.changes(*dest));
            }
            Combine::Scatter { dests } => {
                self.note("kernel scatter");
                self.note_if(dests.iter().any(|dest| self.rank(*dest) > 1), "kernel scatter of rows");
                dests.iter().for_each(|dest| self.changes(*dest));
            }
        }
    }

    fn looped(&mut self, params: &[LoopParam<R>], form: &LoopForm) {
        match form {
            LoopForm::For { ty, var: _, bound: _ } => {
                self.note("for loop");
                self.note_if(*ty != PrimType::I64, "for loop with a narrow counter");
            }
            LoopForm::While(_) => self.note("while loop"),
        }
        self.note_if(self.is_in(Around::Loop), "loop in loop");
        self.note_if(self.is_in(Around::Branch), "loop in branch");
        self.note_if(self.is_in(Around::Kernel), "loop in kernel");
        self.note_if(self.is_in(Around::Soac), "loop in SOAC");
        let arrays = params.iter().filter(|param| param.binder.ty.erased().rank() > 0).count();
        let values = params.iter().filter(|param| R::space(&param.binder.ty).is_none()).count();
        self.note_if(values > 1, "loop carrying several values");
        self.note_if(arrays > 0, "loop carrying arrays");
        self.note_if(arrays > 1, "loop carrying several arrays");
        let own: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        let mentions = |param: &LoopParam<R>| {
            let ty = param.binder.ty.erased();
            ty.shape().iter().any(|size| size.as_var().is_some_and(|var| own.contains(&var)))
        };
        self.note_if(params.iter().any(mentions), "loop whose arrays change size");
    }

    /// What the loop's body does with its blocks.
    fn loop_results(&mut self, params: &[LoopParam<R>], body: &Body<R>) {
        let blocks: Vec<(usize, Var)> = params
            .iter()
            .enumerate()
            .filter(|(_, param)| R::space(&param.binder.ty).is_some())
            .map(|(i, param)| (i, param.binder.var))
            .collect();
        let swapped = blocks.iter().any(|(i, var)| {
            let given = body.results.get(*i).and_then(|atom| atom.as_var());
            given.is_some_and(|given| given != *var && blocks.iter().any(|(_, other)| *other == given))
        });
        self.note_if(swapped, "two blocks swapped by a loop");
    }

    fn scalar_or_array(&mut self, ty: &Type) {
        match ty {
            Type::Prim(prim) => self.note(prim.name()),
            Type::Array { shape, elem } => {
                self.note(array_of(*elem));
                self.note(rank_of(shape.len()));
                for size in shape {
                    let name = match size {
                        Atom::Const(_) => "constant size",
                        Atom::Var(var) => match self.origins.get(var) {
                            Some(Origin::Parameter) => "size that is a parameter",
                            Some(Origin::ImplicitResult) => "size from an implicit result",
                            Some(Origin::LoopParameter | Origin::Derivation | Origin::Computed) | None => {
                                "size computed in the body"
                            }
                        },
                    };
                    self.note(name);
                }
            }
        }
    }

    /// What the results of an expression with bodies are made of.
    fn existentials(&mut self, statement: &Statement<R>, names: [&'static str; 4]) {
        let [size_name, block_name, offset_name, stride_name] = names;
        let bound: BTreeSet<Var> = statement.pattern.iter().map(|binder| binder.var).collect();
        for binder in &statement.pattern {
            let shape = binder.ty.erased();
            let is_own = |size: &Atom| size.as_var().is_some_and(|var| bound.contains(&var));
            self.note_if(shape.shape().iter().any(is_own), size_name);
            if let Some((mem, lmad)) = R::place(&binder.ty) {
                self.note_if(bound.contains(&mem), block_name);
                let mut found = false;
                lmad.offset.for_each_var(&mut |var| found |= bound.contains(&var));
                self.note_if(found, offset_name);
                let mut found = false;
                lmad.dims
                    .iter()
                    .for_each(|dim| dim.stride.for_each_var(&mut |var| found |= bound.contains(&var)));
                self.note_if(found, stride_name);
            }
        }
    }

    /// A new array in a place that somebody chose.
    fn fresh(&mut self, ty: &R::Type) {
        let Some((mem, lmad)) = R::place(ty) else { return };
        let elem = ty.erased().elem();
        let others = self.fresh_in.entry(mem).or_default();
        others.push(elem);
        let (several, mixed) = (others.len() > 1, others.iter().any(|other| *other != elem));
        self.note_if(several, "several arrays in one block");
        self.note_if(mixed, "element types mixed in a block");
        let row_major = Lmad::row_major(lmad.offset.clone(), &lmad.sizes());
        self.note_if(*lmad != row_major, "fresh array not in row-major order");
        self.note_if(lmad.offset.as_constant() != Some(0), "fresh array at an offset");
        let strides: Vec<Option<i64>> = lmad.dims.iter().map(|dim| dim.stride.as_constant()).collect();
        self.note_if(strides.iter().flatten().any(|stride| *stride < 0), "fresh array backwards");
        let steps = strides.iter().flatten().filter(|stride| stride.abs() == 1).count();
        self.note_if(steps == 0, "fresh array with gaps");
    }
}

impl<R: Counted> Walk<R> for Counter<R> {
    fn bind(&mut self, var: Var, ty: Option<&R::Type>) {
        self.origins.entry(var).or_insert(Origin::Computed);
        match ty {
            Some(ty) if R::space(ty).is_none() => {
                let ty = ty.erased();
                self.scalar_or_array(&ty);
                if ty.rank() > 0 {
                    self.ranks.insert(var, ty.rank());
                }
            }
            Some(_) | None => {}
        }
    }

    fn lambda(&mut self, lambda: &Lambda<R>) {
        walk_lambda(self, lambda);
    }

    fn statement(&mut self, statement: &Statement<R>) {
        if let (Exp::Atom(Atom::Const(value)), [binder]) = (&statement.exp, statement.pattern.as_slice())
            && let Some(number) = value.as_i64()
        {
            self.constants.insert(binder.var, number);
        }
        self.exp(&statement.exp);
        match &statement.exp {
            Exp::If { .. } => {
                let mut types = statement.pattern.iter().map(|binder| binder.ty.erased());
                self.note_if(types.any(|ty| ty.rank() > 0), "if giving arrays");
                self.existentials(
                    statement,
                    ["size from if", "block from if", "offset from if", "stride from if"],
                );
            }
            Exp::Loop { .. } => self.existentials(
                statement,
                ["size from loop", "block from loop", "offset from loop", "stride from loop"],
            ),
            Exp::Call { function, .. } => {
                self.existentials(
                    statement,
                    ["size from call", "block from call", "offset from call", "stride from call"],
                );
                let implicit = self.implicit.get(function).cloned().unwrap_or_default();
                for (binder, _) in statement.pattern.iter().zip(implicit).filter(|(_, implicit)| *implicit) {
                    self.origins.insert(binder.var, Origin::ImplicitResult);
                }
            }
            Exp::Slice { .. } | Exp::Permute { .. } | Exp::Reshape { .. } | Exp::Reverse { .. } => {
                for binder in &statement.pattern {
                    self.origins.insert(binder.var, Origin::Derivation);
                }
            }
            Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Kernel { combine: Combine::Map | Combine::Reduce { .. } | Combine::Scan { .. }, .. } => {
                statement.pattern.iter().for_each(|binder| self.fresh(&binder.ty));
            }
            Exp::Kernel { combine: Combine::Hist { .. } | Combine::Scatter { .. }, .. }
            | Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Update { .. }
            | Exp::Scratch { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Op(_) => {}
        }
        for binder in &statement.pattern {
            if let Some((mem, lmad)) = R::place(&binder.ty) {
                self.places.insert(binder.var, (mem, lmad.clone()));
            }
            self.bind(binder.var, Some(&binder.ty));
        }
    }

    fn exp(&mut self, exp: &Exp<R>) {
        match exp {
            Exp::Atom(_) => self.note("another name"),
            Exp::Bin(op, ty, _, _) => self.note(bin_class(*op, *ty)),
            Exp::Un(op, _, _) => self.note(un_class(*op)),
            Exp::Fma(..) => self.note("fma"),
            Exp::Convert { to, from, value: _ } => self.note(convert_class(*to, *from)),
            Exp::Index { .. } => self.note("index"),
            Exp::Slice { array, dims } => {
                self.note("slice");
                let strides = self.strides(dims);
                self.note_if(strides.iter().any(|stride| stride.abs() > 1), "slice with a stride");
                self.note_if(strides.iter().any(|stride| *stride < 0), "slice backwards");
                self.note_if(strides.contains(&0), "slice repeating an element");
                self.note_if(dims.iter().any(|dim| matches!(dim, Dim::Fix(_))), "slice fixing a dimension");
                self.note_if(dims.iter().any(|dim| matches!(dim, Dim::Flat { .. })), "flat slice");
                self.derived(*array);
            }
            Exp::Update { array, dims, value } => {
                let element = dims.iter().all(|dim| matches!(dim, Dim::Fix(_)));
                self.note(if element { "update of an element" } else { "update of a slice" });
                let strides = self.strides(dims);
                self.note_if(strides.iter().any(|stride| stride.abs() > 1), "update with a stride");
                self.note_if(strides.iter().any(|stride| *stride < 0), "update backwards");
                self.note_if(dims.iter().any(|dim| matches!(dim, Dim::Flat { .. })), "flat update");
                self.changes(*array);
                let place = |var: &Var| self.places.get(var).map(|(mem, _)| *mem);
                let block = value.as_var().as_ref().and_then(place);
                let there = block.is_some() && block == place(array);
                self.note_if(there, "update of what lies there");
            }
            Exp::Iota { .. } => self.note("iota"),
            Exp::Replicate { shape: _, value } => {
                let array = value.as_var().is_some_and(|var| self.rank(var) > 0);
                self.note(if array { "replicate of arrays" } else { "replicate of scalars" });
            }
            Exp::Scratch { .. } => self.note("scratch"),
            Exp::ArrayLiteral { row, elems: _ } => {
                self.note(if row.rank() > 0 { "literal of arrays" } else { "literal of scalars" });
            }
            Exp::Concat { size: _, arrays } => {
                self.note("concat");
                self.note_if(arrays.len() > 2, "concat of three or more");
            }
            Exp::Copy(_) => self.note("copy"),
            Exp::Permute { perm: _, array } => {
                self.note("permute");
                self.derived(*array);
            }
            Exp::Reshape { shape, array } => {
                self.note("reshape");
                let before = self.rank(*array);
                self.note_if(shape.len() < before, "reshape to fewer dimensions");
                self.note_if(shape.len() > before, "reshape to more dimensions");
                self.derived(*array);
            }
            Exp::Reverse { dim, array } => {
                self.note("reverse");
                self.note_if(*dim > 0, "reverse of an inner dimension");
                self.derived(*array);
            }
            Exp::If { condition: _, then, otherwise: _ } => {
                self.note("if");
                self.note_if(then.results.len() > 1, "if giving several results");
                self.note_if(self.is_in(Around::Branch), "if in if");
                self.note_if(self.is_in(Around::Loop), "if in loop");
                self.note_if(self.is_in(Around::Kernel), "if in kernel");
                self.note_if(self.is_in(Around::Soac), "if in SOAC");
                return self.inside(Around::Branch, |counter| walk_exp(counter, exp));
            }
            Exp::Loop { params, form, body } => {
                self.looped(params, form);
                self.loop_results(params, body);
                for param in params {
                    self.origins.insert(param.binder.var, Origin::LoopParameter);
                    if let Some((mem, lmad)) = R::place(&param.binder.ty) {
                        self.places.insert(param.binder.var, (mem, lmad.clone()));
                    }
                }
                return self.inside(Around::Loop, |counter| walk_exp(counter, exp));
            }
            Exp::Call { function, args: _ } => {
                self.note("call");
                self.note_if(Some(*function) == self.function, "recursive function");
                self.note_if(self.is_in(Around::Loop), "call in loop");
                self.note_if(self.is_in(Around::Branch), "call in branch");
                self.note_if(self.is_in(Around::Kernel), "call in kernel");
                self.note_if(self.is_in(Around::Soac), "call in SOAC");
            }
            Exp::Assert { .. } => self.note("assert"),
            Exp::Trace { pause, .. } => self.note(if *pause { "break" } else { "trace" }),
            Exp::Map { width: _, lambda, arrays } => {
                self.soac();
                self.note("map");
                self.note_if(arrays.is_empty(), "map over no array");
                self.note_if(arrays.len() > 1, "map over several arrays");
                self.note_if(lambda.results.iter().any(|ty| ty.rank() > 0), "map giving arrays");
                return self.inside(Around::Soac, |counter| walk_exp(counter, exp));
            }
            Exp::Reduce { op, arrays, commutative, width: _, neutral: _ } => {
                self.soac();
                self.note(if *commutative { "reduce_comm" } else { "reduce" });
                self.note_if(arrays.len() > 1, "reduce of several arrays");
                self.note_if(op.results.iter().any(|ty| ty.rank() > 0), "reduce of rows");
                self.operator(op);
                return self.inside(Around::Soac, |counter| walk_exp(counter, exp));
            }
            Exp::Scan { op, arrays, width: _, neutral: _ } => {
                self.soac();
                self.note("scan");
                self.note_if(arrays.len() > 1, "scan of several arrays");
                self.note_if(op.results.iter().any(|ty| ty.rank() > 0), "scan of rows");
                self.operator(op);
                return self.inside(Around::Soac, |counter| walk_exp(counter, exp));
            }
            Exp::Hist { op, dests, width: _, neutral: _, indices: _, values: _ } => {
                self.soac();
                self.note("hist");
                self.note_if(dests.len() > 1, "hist of several arrays");
                self.note_if(op.results.iter().any(|ty| ty.rank() > 0), "hist of rows");
                self.operator(op);
                dests.iter().for_each(|dest| self.changes(*dest));
                return self.inside(Around::Soac, |counter| walk_exp(counter, exp));
            }
            Exp::Scatter { dests, width: _, indices: _, values: _ } => {
                self.soac();
                self.note("scatter");
                self.note_if(dests.iter().any(|dest| self.rank(*dest) > 1), "scatter of rows");
                dests.iter().for_each(|dest| self.changes(*dest));
            }
            Exp::Kernel { space, combine, body } => {
                self.kernel(space, combine, body);
                return self.inside(Around::Kernel, |counter| walk_exp(counter, exp));
            }
            Exp::Derive { mode, function: _, args: _ } => {
                self.note(match mode {
                    Mode::Jvp { .. } => "jvp",
                    Mode::Vjp { .. } => "vjp",
                    Mode::Custom { .. } => "with_vjp",
                });
                return self.inside(Around::Derived, |counter| walk_exp(counter, exp));
            }
            Exp::Op(op) => R::count_op(op, self),
        }
        walk_exp(self, exp);
    }
}
