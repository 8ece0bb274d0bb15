//! Expressions with one result: scalars, and what makes, selects from, changes and rearranges arrays.

use super::code::{Code, list, nested};
use super::raise::{Raiser, prim_name};
use super::scalar::bare;
use super::statement::Value;
use super::style::{Dice, Feature};
use fun::ir::{Atom, Binder, Dim, Exp, FlatDim, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl<'p> Raiser<'p> {
    /// An expression with one result; `None` for those that may have several.
    pub(super) fn value(&mut self, dice: &mut Dice, exp: &'p Exp, binder: &Binder) -> Option<Value> {
        let ty = &binder.ty;
        let value = self.plain_value(dice, exp, ty)?;
        let detours = value.exact && ty.rank() > 0 && !matches!(exp, Exp::Update { .. });
        Some(if detours { Value::exact(self.detour(dice, value.code, ty)) } else { value })
    }

    fn plain_value(&mut self, dice: &mut Dice, exp: &'p Exp, ty: &Type) -> Option<Value> {
        Some(match exp {
            Exp::Atom(atom) => Value::exact(self.atom(dice, *atom)),
            Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => {
                let code = self.scalar(dice, exp)?;
                Value::exact(self.wrapped(dice, code, ty.elem()))
            }
            Exp::Index { array, indices } => {
                let code = self.element(dice, *array, indices);
                Value::exact(self.wrapped(dice, code, ty.elem()))
            }
            Exp::Slice { array, dims } => Value::sized(self.slice(dice, *array, dims)),
            Exp::Update { array, dims, value } => Value::exact(self.update(dice, *array, dims, *value)),
            Exp::Iota { count, start, step, elem } => self.iota(dice, *count, *start, *step, *elem),
            Exp::Replicate { shape, value } => {
                let value = self.atom(dice, *value);
                Value::exact(self.replicated(dice, shape, value, ty))
            }
            Exp::Scratch { shape, elem } => {
                let zero = super::scalar::literal(dice, elem.zero());
                Value::exact(self.replicated(dice, shape, zero, ty))
            }
            Exp::ArrayLiteral { elems, .. } => {
                let elems: Vec<Code> = elems.iter().map(|elem| self.atom(dice, *elem)).collect();
                let code = Code::atom(format!("[{}]", list(&elems)));
                if elems.is_empty() {
                    Value::exact(Code::ascription(format!("[] : {}", self.ty(ty))))
                } else {
                    Value::exact(code)
                }
            }
            Exp::Concat { arrays, .. } => self.concat(dice, arrays),
            Exp::Copy(array) => Value::exact(self.copy(dice, *array, ty)),
            Exp::Permute { perm, array } => Value::exact(self.permute(dice, perm, *array)),
            Exp::Reshape { shape, array } => Value::sized(self.reshape(dice, shape, *array)),
            Exp::Reverse { dim, array } => self.reverse(dice, *dim, *array, ty.rank()),
            Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Kernel { .. }
            | Exp::Derive { .. } => return None,
            Exp::Op(op) => match *op {},
        })
    }

    /// `xs[i, j]`.
    pub(super) fn element(&mut self, dice: &mut Dice, array: Var, indices: &[Atom]) -> Code {
        let indices: Vec<Code> = indices.iter().map(|index| self.index(dice, *index)).collect();
        let array = self.var(array);
        let inside = indices.iter().map(Code::ascribed).collect::<Vec<_>>().join(", ");
        match (dice.form(Feature::Slices, 8), &indices[..]) {
            (1 | 2, _) => {
                let brackets =
                    indices.iter().map(|index| format!("[{}]", index.ascribed())).collect::<String>();
                Code::atom(format!("{}{brackets}", array.arg()))
            }
            (3, _) => Code::call(&format!("(.[{}])", inside), &[array]),
            (4, [first]) if first.text == "0" => Code::call("head", &[array]),
            (5, _) => Code::operator(format!("{} |> (.[{}])", array.operand(), inside)),
            _ => Code::atom(format!("{}[{}]", array.arg(), inside)),
        }
    }

    /// What stands in the brackets for the dimensions; `None` where the source has no such slice.
    fn brackets(&mut self, dice: &mut Dice, dims: &[Dim], sizes: &[Atom]) -> Option<String> {
        let mut parts = Vec::new();
        for (dim, size) in dims.iter().zip(sizes) {
            parts.push(match dim {
                Dim::Fix(index) => self.index(dice, *index).ascribed(),
                Dim::Range { offset, count, stride } => self.range(dice, *offset, *count, *stride, *size)?,
                Dim::Flat { .. } => return None,
            });
        }
        // Dimensions taken whole at the end may be left out.
        let whole = |dim: &Dim, size: &Atom| matches!(dim, Dim::Range { offset, count, stride } if is_whole(*offset, *count, *stride, *size));
        if dice.takes(Feature::Slices, 60) {
            while parts.len() > 1 && whole(&dims[parts.len() - 1], &sizes[parts.len() - 1]) {
                parts.pop();
            }
        }
        Some(parts.join(", "))
    }

    fn range(
        &mut self,
        dice: &mut Dice,
        offset: Atom,
        count: Atom,
        stride: Atom,
        size: Atom,
    ) -> Option<String> {
        let stride = stride.as_const()?.as_i64().filter(|stride| *stride != 0)?;
        let form = dice.form(Feature::Slices, 3);
        if form > 0 && is_whole(offset, count, Atom::i64(stride), size) {
            return Some(if form == 1 { ":".to_owned() } else { "::1".to_owned() });
        }
        let subtracts = |a: Atom, b: Atom| {
            let definition = offset.as_var().and_then(|var| self.definitions.get(&var));
            matches!(definition, Some(Exp::Bin(BinOp::Sub, PrimType::I64, x, y)) if *x == a && *y == b)
        };
        if form > 0 && stride == -1 && count == size && subtracts(size, Atom::i64(1)) {
            return Some("::-1".to_owned());
        }
        if form > 0 && stride == 1 && subtracts(size, count) {
            return Some(format!("{}:", self.index(dice, offset).ascribed()));
        }
        if form > 0 && stride == 1 && offset == Atom::i64(0) {
            return Some(format!(":{}", self.index(dice, count).ascribed()));
        }
        let (from, count) = (self.index(dice, offset), self.index(dice, count));
        if stride == 1 {
            return Some(format!("{}:{} + {}", from.ascribed(), from.operand(), count.operand()));
        }
        let step = bare(stride);
        let to = format!("{} + {} * {}", from.operand(), count.operand(), step.operand());
        Some(format!("{}:{to}:{}", from.ascribed(), step.text))
    }

    /// The index of an element of a part, in the array.
    fn inside(&mut self, dice: &mut Dice, dims: &[Dim], counters: &[String]) -> String {
        let mut counters = counters.iter();
        let mut parts = Vec::new();
        for dim in dims {
            parts.push(match dim {
                Dim::Fix(index) => self.index(dice, *index).ascribed(),
                Dim::Range { offset, stride, .. } => {
                    let (offset, stride) = (self.index(dice, *offset), self.index(dice, *stride));
                    let counter = counters.next().map_or("0", |counter| counter.as_str());
                    format!("{} + {counter} * {}", offset.operand(), stride.operand())
                }
                Dim::Flat { offset, dims } => {
                    let mut at = self.index(dice, *offset).operand();
                    for dim in dims {
                        let stride = self.index(dice, dim.stride);
                        let counter = counters.next().map_or("0", |counter| counter.as_str());
                        at = format!("{at} + {counter} * {}", stride.operand());
                    }
                    at
                }
            });
        }
        parts.join(", ")
    }

    fn slice(&mut self, dice: &mut Dice, array: Var, dims: &[Dim]) -> Code {
        let sizes = self.type_of(array.into()).shape().to_vec();
        let source = self.var(array);
        if let [Dim::Range { offset, count, stride }] = dims
            && *stride == Atom::i64(1)
        {
            match dice.form(Feature::Prelude, 4) {
                1 if *offset == Atom::i64(0) => {
                    let count = self.index(dice, *count);
                    return Code::call("take", &[count, source]);
                }
                2 => {
                    let (offset, count) = (self.index(dice, *offset), self.index(dice, *count));
                    let rest = Code::call("drop", &[offset, source]);
                    return Code::operator(format!("{} |> take {}", rest.text, count.arg()));
                }
                _ => {}
            }
        }
        if let Some(brackets) = self.brackets(dice, dims, &sizes) {
            return match dice.form(Feature::Slices, 8) {
                // What a section gives may be what its indices were computed with.
                1 if !self.fresh => Code::call(&format!("(.[{brackets}])"), &[source]),
                _ => Code::atom(format!("{}[{brackets}]", source.arg())),
            };
        }
        if let Some((offset, flat)) = flat(dims, &sizes)
            && dice.takes(Feature::Prelude, 70)
        {
            let mut args = vec![source, self.index(dice, offset)];
            for dim in flat {
                args.extend([self.count(dim.count), self.index(dice, dim.stride)]);
            }
            return Code::call(&format!("intrinsics.flat_index_{}d", flat.len()), &args);
        }
        let counts: Vec<Atom> = fun::types::dims_shape(dims);
        let counters: Vec<String> = counts.iter().map(|_| self.own("k")).collect();
        let element = format!("{}[{}]", source.arg(), self.inside(dice, dims, &counters));
        self.tabulated(dice, &counters, &counts, Code::atom(element))
    }

    /// An array of an expression of its indices.
    fn tabulated(&mut self, dice: &mut Dice, counters: &[String], counts: &[Atom], element: Code) -> Code {
        let counts: Vec<Code> = counts.iter().map(|count| self.count(*count)).collect();
        if let (2 | 3, true) = (counts.len(), dice.takes(Feature::Prelude, 40)) {
            let function = Code::open(format!("\\{} -> {}", counters.join(" "), element.text));
            let mut args = counts.clone();
            args.push(function);
            return Code::call(&format!("tabulate_{}d", counts.len()), &args);
        }
        let mut code = element;
        for (counter, count) in counters.iter().zip(&counts).rev() {
            let function = Code::open(format!("\\{counter} -> {}", nested(&code.text)));
            code = if dice.takes(Feature::Prelude, 40) {
                Code::call("tabulate", &[count.clone(), function])
            } else {
                Code::call("map", &[function, Code::call("iota", std::slice::from_ref(count))])
            };
        }
        code
    }

    fn update(&mut self, dice: &mut Dice, array: Var, dims: &[Dim], value: Atom) -> Code {
        let sizes = self.type_of(array.into()).shape().to_vec();
        let (source, value) = (self.var(array), self.atom(dice, value));
        if let Some(brackets) = self.brackets(dice, dims, &sizes) {
            return match dice.form(Feature::LetWith, 3) {
                1 => Code::open(format!(
                    "let {}[{brackets}] = {}\nin {}",
                    source.text,
                    nested(&value.text),
                    source.text
                )),
                _ => Code::open(format!("{} with [{brackets}] = {}", source.arg(), nested(&value.operand()))),
            };
        }
        if let Some((offset, flat)) = flat(dims, &sizes)
            && dice.takes(Feature::Prelude, 70)
        {
            let mut args = vec![source, self.index(dice, offset)];
            args.extend(flat.iter().map(|dim| self.index(dice, dim.stride)));
            args.push(value);
            return Code::call(&format!("intrinsics.flat_update_{}d", flat.len()), &args);
        }
        // One element after the other.
        let counts: Vec<Atom> = fun::types::dims_shape(dims);
        let counters: Vec<String> = counts.iter().map(|_| self.own("k")).collect();
        let whole = self.own("w");
        let inside = self.inside(dice, dims, &counters);
        let mut code = format!("{whole} with [{inside}] = {}[{}]", value.arg(), counters.join(", "));
        for (k, (counter, count)) in counters.iter().zip(&counts).enumerate().rev() {
            let (count, init) =
                (self.index(dice, *count), if k == 0 { source.text.clone() } else { whole.clone() });
            code =
                format!("loop {whole} = {init} for {counter} < {} do\n  {}", count.operand(), nested(&code));
        }
        Code::open(code)
    }

    fn iota(&mut self, dice: &mut Dice, count: Atom, start: Atom, step: Atom, elem: PrimType) -> Value {
        let plain = elem == PrimType::I64 && start == Atom::i64(0) && step == Atom::i64(1);
        let n = self.count(count);
        if let (true, Some(count @ 1..)) = (plain, count.as_const().and_then(|count| count.as_i64())) {
            let last = count - 1;
            match dice.form(Feature::Ranges, 8) {
                1 => return Value::sized(Code::operator(format!("0...{last}"))),
                2 => return Value::sized(Code::call("reverse", &[Code::operator(format!("{last}..>(-1)"))])),
                3 => {
                    let down = Code::operator(format!("{last}..{}..>(-1)", bare(last - 1).operand()));
                    return Value::sized(Code::call("reverse", &[down]));
                }
                _ => {}
            }
        }
        if plain {
            return match dice.form(Feature::Ranges, 6) {
                1 => Value::sized(Code::operator(format!("0..<{}", n.operand()))),
                2 => Value::sized(Code::operator(format!("0..1..<{}", n.operand()))),
                3 => Value::exact(Code::call("indices", &[Code::call("replicate", &[n, Code::atom("()")])])),
                4 => Value::exact(Code::call("tabulate", &[n, Code::atom("id")])),
                _ => Value::exact(Code::call("iota", &[n])),
            };
        }
        // A range of constants that does not wrap.
        let numbers = [count, start, step].map(|atom| atom.as_const().and_then(|value| value.as_int()));
        if let [Some(count), Some(start), Some(step)] = numbers
            && (1..1000).contains(&count)
            && step.unsigned_abs() < 100
            && step != 0
            && start.unsigned_abs() < 20
            && elem.bits() > 16
            && (elem.is_signed() || start >= 0 && start + step >= 0 && start + count * step > 0)
            && dice.takes(Feature::Ranges, 70)
        {
            let name = prim_name(elem);
            let number = |n: i128| if n < 0 { format!("(-{}{name})", -n) } else { format!("{n}{name}") };
            let second = number(start + step);
            let last = start + (count - 1) * step;
            let end = match (dice.coin(), step > 0) {
                (true, _) => format!("...{}", number(last)),
                (false, true) => format!("..<{}", number(last + 1)),
                (false, false) if last > 0 || elem.is_signed() => format!("..>{}", number(last - 1)),
                (false, false) => format!("...{}", number(last)),
            };
            return Value::sized(Code::operator(format!("{}..{second}{end}", number(start))));
        }
        let (start, step) = (self.atom(dice, start), self.atom(dice, step));
        let k = self.own("k");
        let element = format!("{} + {}.i64 {k} * {}", start.operand(), prim_name(elem), step.operand());
        let function = Code::open(format!("\\{k} -> {element}"));
        Value::exact(Code::call("map", &[function, Code::call("iota", &[n])]))
    }

    fn replicated(&mut self, dice: &mut Dice, shape: &[Atom], value: Code, ty: &Type) -> Code {
        if dice.takes(Feature::Prelude, 8) {
            let depth = shape.len();
            let mut value = value;
            for _ in 0..depth {
                value = Code::call("rep", &[value]);
            }
            return Code::ascription(format!("{} : {}", value.text, self.ty(ty)));
        }
        let mut code = value;
        for size in shape.iter().rev() {
            let count = self.count(*size);
            code = match dice.form(Feature::HigherOrder, 10) {
                1 => Code::call("map", &[Code::call("const", &[code]), Code::call("iota", &[count])]),
                2 => Code::call("tabulate", &[count, Code::open(format!("\\_ -> {}", code.text))]),
                _ => Code::call("replicate", &[count, code]),
            };
        }
        code
    }

    fn concat(&mut self, dice: &mut Dice, arrays: &[Var]) -> Value {
        let parts: Vec<Code> = arrays.iter().map(|array| self.var(*array)).collect();
        match &parts[..] {
            [one] => Value::sized(Code::call("copy", std::slice::from_ref(one))),
            [a, b] if dice.takes(Feature::Prelude, 30) => {
                Value::sized(Code::call("concat", &[a.clone(), b.clone()]))
            }
            _ => {
                let texts: Vec<String> = parts.iter().map(Code::operand).collect();
                Value::sized(Code::operator(texts.join(" ++ ")))
            }
        }
    }

    fn copy(&mut self, dice: &mut Dice, array: Var, ty: &Type) -> Code {
        let source = self.var(array);
        match dice.form(Feature::Prelude, 8) {
            1 => Code::call("manifest", &[source]),
            2 if ty.rank() == 1 => Code::call("map", &[Code::atom("id"), source]),
            3 if !self.fresh => Code::operator(format!("{} |> copy", source.operand())),
            4 => {
                let kept = Code::call("filter", &[Code::atom("(\\_ -> true)"), source]);
                Code::ascription(format!("{} :> {}", kept.text, self.ty(ty)))
            }
            // The result of a function without `*` may be its argument.
            5 if !self.fresh => Code::open(format!(
                "let (all, _) = partition (const true) {}\nin all :> {}",
                source.arg(),
                self.ty(ty)
            )),
            _ => Code::call("copy", &[source]),
        }
    }

    /// `map (map f)`, so many times.
    fn mapped(depth: usize, function: &str) -> String {
        (0..depth).fold(function.to_owned(), |function, k| {
            if k == 0 { format!("map {function}") } else { format!("map ({function})") }
        })
    }

    fn permute(&mut self, dice: &mut Dice, perm: &[usize], array: Var) -> Code {
        let source = self.var(array);
        // Exchanges of neighbours that sort the permutation, the other way round.
        let mut rest = perm.to_vec();
        let mut swaps = Vec::new();
        while let Some(k) = (1..rest.len()).find(|k| rest[*k - 1] > rest[*k]) {
            rest.swap(k - 1, k);
            swaps.push(k - 1);
        }
        let piped = dice.takes(Feature::Pipes, 30);
        let mut code = source;
        for depth in swaps.into_iter().rev() {
            let function = Self::mapped(depth, "transpose");
            code = if piped {
                Code::operator(format!("{} |> {function}", code.ascribed()))
            } else {
                Code::call(&function, &[code])
            };
        }
        code
    }

    fn reshape(&mut self, dice: &mut Dice, shape: &[Atom], array: Var) -> Code {
        let ty = self.type_of(array.into());
        let mut code = self.var(array);
        code = match ty.rank() {
            3 | 4 if dice.takes(Feature::Prelude, 60) => {
                Code::call(&format!("flatten_{}d", ty.rank()), &[code])
            }
            rank => (1..rank).fold(code, |code, _| Code::call("flatten", &[code])),
        };
        self.unflattened(dice, shape, &code, ty.elem())
    }

    /// A flat array in another shape.
    fn unflattened(&mut self, dice: &mut Dice, shape: &[Atom], flat: &Code, elem: PrimType) -> Code {
        if shape.len() < 2 {
            return flat.clone();
        }
        let product = |raiser: &Self, sizes: &[Atom]| {
            sizes.iter().map(|size| raiser.size(*size)).collect::<Vec<_>>().join(" * ")
        };
        let elem = prim_name(elem);
        if matches!(shape.len(), 3 | 4) && dice.takes(Feature::Prelude, 60) {
            let whole = product(self, shape);
            let flat = Code::open(format!("{} :> [{whole}]{elem}", flat.ascribed()));
            return Code::call(&format!("unflatten_{}d", shape.len()), &[flat]);
        }
        // From the inside: [a * b * c] to [a * b][c] to [a][b][c].
        let mut code = flat.clone();
        for k in (1..shape.len()).rev() {
            let inner: String = shape[k + 1..].iter().map(|size| format!("[{}]", self.size(*size))).collect();
            let outer = product(self, &shape[..=k]);
            code = Code::call(
                "unflatten",
                &[Code::open(format!("{} :> [{outer}]{inner}{elem}", code.ascribed()))],
            );
        }
        code
    }

    fn reverse(&mut self, dice: &mut Dice, dim: usize, array: Var, rank: usize) -> Value {
        let source = self.var(array);
        match dice.form(Feature::Slices, 3) {
            1 => {
                let parts: Vec<&str> = (0..=dim).map(|k| if k == dim { "::-1" } else { ":" }).collect();
                Value::sized(Code::atom(format!("{}[{}]", source.arg(), parts.join(", "))))
            }
            2 if rank > dim + 1 && dim == 0 && dice.takes(Feature::Pipes, 50) => {
                Value::exact(Code::operator(format!("{} |> reverse", source.operand())))
            }
            _ => Value::exact(Code::call(&Self::mapped(dim, "reverse"), &[source])),
        }
    }
}

fn is_whole(offset: Atom, count: Atom, stride: Atom, size: Atom) -> bool {
    offset == Atom::i64(0) && count == size && stride == Atom::i64(1)
}

/// Offset and dimensions where the first dimension becomes as many as the prelude has functions for, and the others stay whole.
fn flat<'d>(dims: &'d [Dim], sizes: &[Atom]) -> Option<(Atom, &'d [FlatDim])> {
    let (Dim::Flat { offset, dims: flat }, rest) = dims.split_first()? else { return None };
    let whole = |(dim, size): (&Dim, &Atom)| matches!(dim, Dim::Range { offset, count, stride } if is_whole(*offset, *count, *stride, *size));
    ((2..=4).contains(&flat.len()) && rest.iter().zip(&sizes[1..]).all(whole)).then_some((*offset, flat))
}
