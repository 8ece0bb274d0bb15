//! Views: a typed pointer to the start of the block, an offset and strides. Offsets are added in the brackets of an access and not
//! to the pointer: accesses are inside of the block, while a view without cells may lie anywhere.

use super::exp::Text;
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::names;
use crate::types::constant;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, Space, WindowDim, few_cells};

/// A number that may be known now.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// Known.
    Const(i64),
    /// In a variable that does not change, an i64.
    Name(String),
}

/// One dimension of a view.
#[derive(Clone, Debug)]
pub(super) struct Dim {
    pub(super) stride: Number,
    pub(super) size: Number,
}

/// Where a view is; offset and strides in elements.
#[derive(Clone, Debug)]
pub(super) struct ViewPlace {
    pub(super) elem: PrimType,
    /// Its block.
    pub(super) block: Var,
    /// Where that is.
    pub(super) space: Space,
    pub(super) pointer: String,
    pub(super) offset: Number,
    /// Outermost first.
    pub(super) dims: Vec<Dim>,
}

impl ViewPlace {
    /// Whether the cells are those of the block from the first on, one after the other.
    pub(super) fn is_plain_vector(&self) -> bool {
        let one_dimension = matches!(self.dims.as_slice(), [Dim { stride: Number::Const(1), .. }]);
        one_dimension && matches!(self.offset, Number::Const(0))
    }
}

impl Number {
    /// The number in C.
    pub(super) fn text(&self) -> String {
        self.exp_text().text
    }

    /// The number as an operand.
    pub(super) fn operand(&self) -> String {
        self.exp_text().operand()
    }

    fn exp_text(&self) -> Text {
        match self {
            Number::Const(n) => {
                let (text, low) = constant(PrimValue::I64(*n));
                Text { atom: !low, ..Text::name(text) }
            }
            Number::Name(name) => Text::name(name.clone()),
        }
    }
}

impl Emitter<'_, '_> {
    pub(super) fn view(&self, var: Var) -> Emit<ViewPlace> {
        match self.lookup(var)? {
            Binding::View(view) => Ok(view.clone()),
            Binding::Fixed(_) | Binding::Mutable(_) => {
                Err(CompileError::new(format!("{var} is used as a view")))
            }
        }
    }

    /// A number in a variable called `name`, unless it has one or is known.
    fn number(&mut self, name: String, text: Text) -> Number {
        if text.name {
            return Number::Name(text.text);
        }
        self.lines.declare(&name, format!("const int64_t {name} = {};", text.text));
        Number::Name(name)
    }

    /// The value of a polynomial, which may be computed where no cell is and so wraps.
    fn poly(&mut self, name: String, poly: &Poly) -> Emit<Number> {
        if let Some(n) = poly.as_constant() {
            return Ok(Number::Const(n));
        }
        let mut sum: Option<Exp> = None;
        for (monomial, coefficient) in poly.terms() {
            let factor = (coefficient != 1 || monomial.is_empty()).then(|| Exp::i64(coefficient));
            let factors = factor.into_iter().chain(monomial.iter().map(|var| Exp::Var(*var)));
            let product = factors.reduce(|x, y| arithmetic(BinOp::Mul, x, y));
            sum = sum.into_iter().chain(product).reduce(|x, y| arithmetic(BinOp::Add, x, y));
        }
        match sum {
            None => Ok(Number::Const(0)),
            Some(sum) => {
                let text = self.exp(&sum)?;
                Ok(self.number(name, text))
            }
        }
    }

    fn exp_number(&mut self, name: String, exp: &Exp) -> Emit<Number> {
        match exp {
            Exp::Const(value) if value.as_i64().is_some() => Ok(Number::Const(value.bits() as i64)),
            _ => {
                let text = self.exp(exp)?;
                Ok(self.number(name, text))
            }
        }
    }

    /// Declares `var` as the view `lmad` of a block.
    pub(super) fn declare_view(&mut self, var: Var, elem: PrimType, mem: Var, lmad: &Lmad) -> Emit {
        let block = self.use_variable(mem)?;
        let space = self.space_of(mem)?;
        let pointer = names::variable(var);
        if elem != PrimType::Unit {
            let ty = format!("{}{}", self.qualifier(space)?, self.cell_type(elem));
            self.lines.declare(&pointer, format!("{ty} *const {pointer} = ({ty} *){block};"));
        }
        let offset = self.poly(format!("{pointer}_offset"), &lmad.offset)?;
        let mut dims = Vec::with_capacity(lmad.dims.len());
        for (k, dim) in lmad.dims.iter().enumerate() {
            // a thread has its own cells alone
            let is_thread = k == 0 && space == Space::Register && self.dialect().is_some();
            let stride = if is_thread {
                Number::Const(0)
            } else {
                self.poly(format!("{pointer}_stride{k}"), &dim.stride)?
            };
            let size = self.poly(format!("{pointer}_size{k}"), &dim.size)?;
            dims.push(Dim { stride, size });
        }
        self.env.insert(var, Binding::View(ViewPlace { elem, block: mem, space, pointer, offset, dims }));
        Ok(())
    }

    /// Declares `var` as a part of a view.
    pub(super) fn declare_window(&mut self, var: Var, view: Var, parts: &[WindowDim]) -> Emit {
        let view = self.view(view)?;
        check_rank(&view, parts.len())?;
        let name = names::variable(var);
        let mut offset = view.offset.clone();
        let mut dims = Vec::with_capacity(parts.len());
        for (k, (part, dim)) in parts.iter().zip(&view.dims).enumerate() {
            let index = match part {
                WindowDim::Fix(index) => index,
                WindowDim::Range { offset, count, stride } => {
                    let step = self.exp_number(format!("{name}_step{k}"), stride)?;
                    let stride =
                        self.arithmetic(BinOp::Mul, format!("{name}_stride{k}"), &step, &dim.stride)?;
                    let size = self.exp_number(format!("{name}_size{k}"), count)?;
                    dims.push(Dim { stride, size });
                    offset
                }
            };
            let index = self.exp_number(format!("{name}_from{k}"), index)?;
            let step = self.arithmetic(BinOp::Mul, format!("{name}_skip{k}"), &index, &dim.stride)?;
            offset = self.arithmetic(BinOp::Add, format!("{name}_offset{k}"), &offset, &step)?;
        }
        let mut place = ViewPlace { offset, dims, ..view };
        if self.chosen_rows.contains(&var) && self.kernel.is_none() && !self.on_device(place.space) {
            self.point_to_row(&name, &mut place);
        }
        self.env.insert(var, Binding::View(place));
        Ok(())
    }

    /// A pointer to where a view begins, unless that is where its block does.
    fn point_to_row(&mut self, name: &str, place: &mut ViewPlace) {
        let Number::Name(offset) = &place.offset else { return };
        if place.elem == PrimType::Unit {
            return;
        }
        let (ty, block) = (self.cell_type(place.elem), &place.pointer);
        let row = format!("fun_row({block}, (uint64_t){offset} * {})", place.elem.bytes());
        self.lines.declare(name, format!("{ty} *const {name} = ({ty} *){row};"));
        place.pointer = name.to_owned();
        place.offset = Number::Const(0);
    }

    /// A sum or product, wrapping.
    fn arithmetic(&mut self, op: BinOp, name: String, x: &Number, y: &Number) -> Emit<Number> {
        let number = match (op, x, y) {
            (BinOp::Add, Number::Const(x), Number::Const(y)) => Number::Const(x.wrapping_add(*y)),
            (BinOp::Mul, Number::Const(x), Number::Const(y)) => Number::Const(x.wrapping_mul(*y)),
            (BinOp::Add, Number::Const(0), n) | (BinOp::Add, n, Number::Const(0)) => n.clone(),
            (BinOp::Mul, Number::Const(1), n) | (BinOp::Mul, n, Number::Const(1)) => n.clone(),
            (BinOp::Mul, Number::Const(0), _) | (BinOp::Mul, _, Number::Const(0)) => Number::Const(0),
            _ => {
                let (x, y) = (x.exp_text(), y.exp_text());
                let text = self.binary(op, PrimType::I64, &x, &y, None, false)?;
                self.number(name, text)
            }
        };
        Ok(number)
    }

    /// The place of a cell in the block. Where indices were computed as unsigned numbers, sums and products are unsigned too: GCC does not
    /// see that neighbours lie next to each other where both kinds meet, and gathers them one by one. What wraps around in between
    /// comes back, as the cell is inside of the block.
    pub(super) fn address(&mut self, view: &ViewPlace, indices: &[Exp]) -> Emit<Text> {
        check_rank(view, indices.len())?;
        let wrapped =
            |index: &Exp| wraps(index) || matches!(index, Exp::Var(var) if self.wrapped.contains(var));
        let cast = if indices.iter().any(wrapped) { "(uint64_t)" } else { "" };
        let mut constant_part = 0i64;
        let mut terms: Vec<Text> = Vec::new();
        match &view.offset {
            Number::Const(n) => constant_part = *n,
            Number::Name(name) => terms.push(Text::name(name.clone())),
        }
        for (index, dim) in indices.iter().zip(&view.dims) {
            let known = if let Exp::Const(value) = index { value.as_i64() } else { None };
            // evaluated even where it does not matter: it may fail
            let index = self.exp(index)?;
            match (known, &dim.stride) {
                (Some(0), _) | (_, Number::Const(0)) => {}
                (Some(index), Number::Const(stride)) => {
                    constant_part = constant_part.wrapping_add(index.wrapping_mul(*stride));
                }
                (Some(1), Number::Name(stride)) => terms.push(Text::name(stride.clone())),
                (_, Number::Const(1)) => terms.push(index),
                (_, stride) => {
                    let stride = stride.exp_text();
                    // said of a negative constant, too, lest a compiler warns of its sign
                    let negative = if matches!(dim.stride, Number::Const(..0)) { cast } else { "" };
                    let text = format!("{cast}{} * {negative}{}", index.operand(), stride.operand());
                    // binds tighter than the sum that it is put in
                    terms.push(Text::atom(text, &[&index, &stride]));
                }
            }
        }
        if constant_part != 0 || terms.is_empty() {
            let constant = Number::Const(constant_part).exp_text();
            let negative = !cast.is_empty() && constant_part < 0;
            let text = negative.then(|| Text::atom(format!("{cast}{}", constant.operand()), &[]));
            terms.push(text.unwrap_or(constant));
        }
        let [only] = terms.as_slice() else {
            let parts: Vec<&Text> = terms.iter().collect();
            let texts: Vec<String> = terms.iter().map(Text::operand).collect();
            let sum = texts.join(" + ");
            let first = if sum.starts_with(cast) { "" } else { cast };
            return Ok(Text::operator(format!("{first}{sum}"), &parts));
        };
        Ok(only.clone())
    }

    /// A cell, to be read or written.
    pub(super) fn cell(&mut self, view: &ViewPlace, indices: &[Exp]) -> Emit<Text> {
        let address = self.address(view, indices)?;
        Ok(Text::atom(format!("{}[{}]", self.cells(view)?, address.text), &[&address]))
    }

    /// The pointer to the first cell of a view's block: under a lock, that of cells which others write.
    pub(super) fn cells(&self, view: &ViewPlace) -> Emit<String> {
        if !self.is_locked() || !matches!(view.space, Space::Device | Space::Shared) {
            return Ok(view.pointer.clone());
        }
        let (qualifier, ty) = (self.qualifier(view.space)?, self.cell_type(view.elem));
        Ok(format!("((volatile {qualifier}{ty} *){})", view.pointer))
    }

    /// Every element of `source` to the same index of `dest`.
    pub(super) fn copy(&mut self, dest: Var, source: Var) -> Emit {
        let (to, from) = (self.view(dest)?, self.view(source)?);
        check_rank(&to, from.dims.len())?;
        if to.elem == PrimType::Unit {
            return Ok(());
        }
        if self.kernel.is_some() {
            self.copy_in_kernel(&to, &from);
            return Ok(());
        }
        // where one side's size is known, it may be a constant
        let sizes: Vec<&Number> = to
            .dims
            .iter()
            .zip(&from.dims)
            .map(|(to, from)| if let Number::Const(_) = from.size { &from.size } else { &to.size })
            .collect();
        let remote = [&to, &from].map(|view| self.on_device(view.space));
        let known: Vec<Option<i64>> = sizes
            .iter()
            .map(|size| match size {
                Number::Const(size) => Some(*size),
                Number::Name(_) => None,
            })
            .collect();
        if let (Some(cells), [false, false]) = (few_cells(&known), remote) {
            return self.copy_cells(&to, &from, &cells);
        }
        let mut numbers = Vec::new();
        for (size, (to, from)) in sizes.into_iter().zip(to.dims.iter().zip(&from.dims)) {
            numbers.extend([size, &to.stride, &from.stride].map(|number| number.exp_text().text));
        }
        let dims = match numbers.len() {
            0 => "NULL".to_owned(),
            _ => format!("(const int64_t[]){{{}}}", numbers.join(", ")),
        };
        let (bytes, rank) = (to.elem.bytes(), to.dims.len());
        let (to_offset, from_offset) = (to.offset.exp_text().text, from.offset.exp_text().text);
        let (to, from) = (to.pointer, from.pointer);
        if let ([true, true], Some(kernels)) = (remote, &mut self.unit.kernels)
            && rank > 0
        {
            *kernels.copied.entry(u64::from(bytes)).or_default() |= rank > 1;
        }
        if remote != [false, false] {
            let [to_remote, from_remote] = remote;
            self.stop_if(&format!(
                "fun_device_copy(context, {bytes}, {to}, {to_remote}, {to_offset}, {from}, {from_remote}, {from_offset}, {rank}, \
                 {dims}) != 0"
            ));
            return Ok(());
        }
        self.lines.push(format!(
            "fun_copy(context, {bytes}, {to}, {to_offset}, {from}, {from_offset}, {rank}, {dims});"
        ));
        Ok(())
    }

    /// These cells, a row at a time where the cells of both sides lie side by side. (What was not written yet may be copied, so cells are moved
    /// as bytes.) What moves within a block may overlap itself: all is read first.
    fn copy_cells(&mut self, to: &ViewPlace, from: &ViewPlace, cells: &[Vec<i64>]) -> Emit {
        let side_by_side = [to, from]
            .iter()
            .all(|view| view.dims.last().is_none_or(|dim| matches!(dim.stride, Number::Const(1))));
        let row = |cell: &Vec<i64>| cell.split_last().map_or(Vec::new(), |(_, outer)| outer.to_vec());
        let rows: Vec<&[Vec<i64>]> =
            cells.chunk_by(|cell, next| side_by_side && row(cell) == row(next)).collect();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        let kept = (rows.len() > 1 && to.block == from.block).then(|| self.temporary());
        let mut at = 0;
        for cells in &rows {
            let indices: Vec<Exp> = cells[0].iter().map(|index| Exp::i64(*index)).collect();
            let (dest, source) = (self.cell(to, &indices)?.text, self.cell(from, &indices)?.text);
            let bytes = cells.len() as u64 * u64::from(to.elem.bytes());
            match &kept {
                Some(kept) => {
                    first.push(format!("memcpy({kept} + {at}, &{source}, {bytes});"));
                    then.push(format!("memcpy(&{dest}, {kept} + {at}, {bytes});"));
                }
                None => then.push(format!("memmove(&{dest}, &{source}, {bytes});")),
            }
            at += bytes;
        }
        if let Some(kept) = kept {
            self.lines.push(format!("unsigned char {kept}[{at}];"));
        }
        first.into_iter().chain(then).for_each(|line| self.lines.push(line));
        Ok(())
    }
}

fn arithmetic(op: BinOp, x: Exp, y: Exp) -> Exp {
    Exp::Bin(op, PrimType::I64, Box::new(x), Box::new(y))
}

/// Whether a number is computed as an unsigned one.
pub(super) fn wraps(exp: &Exp) -> bool {
    matches!(exp, Exp::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul, PrimType::I64, ..))
}

fn check_rank(view: &ViewPlace, rank: usize) -> Emit {
    if view.dims.len() == rank {
        return Ok(());
    }
    Err(CompileError::new(format!("a view of rank {} is used with {rank} indices", view.dims.len())))
}
