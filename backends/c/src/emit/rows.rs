//! Loops that read neighbours, written as vectors: of each row one vector is loaded for as many iterations, and what lies a little before or behind is made of
//! it and those beside it.
//!
//! ```text
//! for j < m - 2 simd { b[i, j + 1] := 0.25f32 * (a[i, j] + a[i, j + 2] + a[i - 1, j + 1] + a[i + 1, j + 1]) }
//! ```
//! What compilers make of it loads a vector for each cell that is read, and all but one of them lie in two lines of the cache: a thousand steps of
//! Jacobi's method on 512 by 512 f32 took 39 ms so, and take 29 as vectors of rows (Zen 4; 42 and 30 where a row is no multiple of a line).
//! With vectors of 32 bytes nothing is gained, as two loads take as long as the two shuffles that a neighbour takes there, so this is for AVX-512 alone
//! (`FUN_ROWS` in `runtime/rows.c`); elsewhere the loop stands as ever, behind `#else`.
//!
//! Why the results are the same: each lane has the operators of its iteration, in their order. No iteration touches a cell that another one writes (I6), and each
//! reads before it writes; so it does not matter how long before an iteration a cell that it reads is loaded, nor that others are stored in between.
//! Other iterations of a loop around may write what lies between cells of this one, but such lanes are for nobody. Only cells are loaded that some iteration of
//! the loop reads, or that lie between these; at the ends by a mask.

mod plan;

use super::exp::{DEEPEST, Text};
use super::operator::{float_symbol, infix};
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::names;
use crate::types::short;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use plan::{Kind, Plan};

/// Iterations of one vector.
struct Group<'a> {
    plan: &'a Plan,
    /// What counts iterations in C, and what is no iteration any more.
    counter: &'a str,
    end: &'a str,
    /// Whether all lanes are iterations of the loop.
    whole: bool,
}

/// A constant that is added.
fn added(n: i64) -> String {
    match n {
        0 => String::new(),
        1.. => format!(" + {n}"),
        _ => format!(" - {}", n.unsigned_abs()),
    }
}

impl<'p> Emitter<'_, 'p> {
    /// Emits the loop up to `end` as vectors, if a plan says how, in front of what it is without them; `false` if there is no plan.
    pub(super) fn vectors_of_rows(&mut self, counter: Var, end: &str, body: &'p [Statement]) -> Emit<bool> {
        let Some(plan) = self.plan_of_rows(counter, body)? else { return Ok(false) };
        let name = names::variable(counter);
        let lanes = plan.lanes();
        self.lines.push("#ifdef FUN_ROWS");
        self.lines.open(format!("if ({end} > 0) {{"));
        for statement in body {
            if matches!(&statement.kind, StatementKind::Let { var, .. } if plan.before.contains(var)) {
                self.body(std::slice::from_ref(statement))?;
            }
        }
        for (k, row) in plan.rows.iter().enumerate() {
            self.place_of_row(&format!("{name}_row{k}"), row.view, &row.outer, row.least)?;
        }
        for (k, to) in plan.writes.iter().enumerate() {
            self.place_of_row(&format!("{name}_to{k}"), to.view, &to.outer, to.distance)?;
        }
        let to = self.view(plan.writes[0].view)?.pointer;
        self.lines.push(format!("int64_t {name} = fun_before({to}, {name}_to0, {});", plan.bytes));
        let ends = Group { plan: &plan, counter: &name, end, whole: false };
        // how far the last cell that a group loads lies behind the first one that it writes
        let mut reach = lanes;
        for (k, row) in plan.rows.iter().enumerate().filter(|(_, row)| row.has_neighbours()) {
            let (least, greatest) = plan.around(row);
            if least < 0 {
                let load = self.load(&ends, k, -lanes)?;
                self.lines.push(format!("fun_words {name}_row{k}_before = {load};"));
            }
            if greatest > 0 {
                let load = self.load(&ends, k, 0)?;
                self.lines.push(format!("fun_words {name}_row{k}_here = {load};"));
            }
            reach = reach.max(if greatest > 0 { 2 * lanes } else { lanes } - greatest);
        }
        self.lines.open(format!("while ({name} < {end}) {{"));
        self.lines.open(format!("for (; {name} >= 0 && {name} + {reach} <= {end}; {name} += {lanes}) {{"));
        self.group(&Group { whole: true, ..ends }, body)?;
        self.lines.close("}");
        self.lines.open(format!("if ({name} < {end}) {{"));
        self.group(&ends, body)?;
        self.lines.push(format!("{name} += {lanes};"));
        self.lines.close("}");
        self.lines.close("}");
        self.lines.close("}");
        self.lines.push("#else");
        Ok(true)
    }

    /// Declares where the cell lies that the first iteration touches, in its block.
    fn place_of_row(&mut self, name: &str, view: Var, outer: &[Exp], distance: i64) -> Emit {
        let indices: Vec<Exp> = outer.iter().cloned().chain([Exp::i64(distance)]).collect();
        let view = self.view(view)?;
        let at = self.address(&view, &indices)?.text;
        self.lines.push(format!("const int64_t {name} = {at};"));
        Ok(())
    }

    /// The vector of a row that begins so many iterations behind the counter.
    fn load(&self, group: &Group<'_>, row: usize, at: i64) -> Emit<String> {
        let Group { plan, counter, end, whole } = group;
        let (bytes, pointer) = (plan.bytes, self.view(plan.rows[row].view)?.pointer);
        let (least, greatest) = plan.around(&plan.rows[row]);
        let several = plan.rows[row].has_neighbours();
        let cell = match several {
            true => format!("{counter}_row{row} + {counter}{}", added(at - least)),
            false => format!("{counter}_row{row} + {counter}"),
        };
        Ok(match (whole, several) {
            (true, _) => format!("fun_row_load({pointer}, {cell}, {bytes})"),
            (false, false) => format!("fun_row_load_some({pointer}, {cell}, {bytes}, {counter}_lanes)"),
            (false, true) => {
                let (at, last) = (added(at), added(greatest));
                let within = format!("fun_within({counter}{at}, {least}, {end}{last}, {bytes})");
                format!("fun_row_load_some({pointer}, {cell}, {bytes}, {within})")
            }
        })
    }

    /// The iterations of a vector, from the counter on.
    fn group(&mut self, group: &Group<'_>, body: &'p [Statement]) -> Emit {
        let Group { plan, counter, end, whole } = group;
        let neighbours = || plan.rows.iter().enumerate().filter(|(_, row)| row.has_neighbours());
        if !whole {
            let lanes = format!("fun_within({counter}, 0, {end}, {})", plan.bytes);
            self.lines.push(format!("const uint16_t {counter}_lanes = {lanes};"));
        }
        for (k, row) in neighbours() {
            let (name, at) = if plan.around(row).1 > 0 { ("next", plan.lanes()) } else { ("here", 0) };
            let load = self.load(group, k, at)?;
            self.lines.push(format!("const fun_words {counter}_row{k}_{name} = {load};"));
        }
        let mut written = 0;
        for statement in body {
            self.loc = statement.loc;
            let declared = statement.kind.declares();
            if declared.is_some_and(|var| !plan.needed.contains(&var) || plan.before.contains(&var)) {
                continue;
            }
            match &statement.kind {
                StatementKind::Let { var, ty, value } if plan.kind(value) != Some(Kind::Same) => {
                    self.show_source();
                    let value = self.vector(group, value)?.text;
                    let (name, vector) = (names::variable(*var), vector_type(*ty, plan.bytes));
                    self.lines.declare(&name, format!("const {vector} {name} = {value};"));
                    self.env.insert(*var, Binding::Fixed(ImpType::Prim(*ty)));
                }
                StatementKind::Declare { var, ty: ImpType::Prim(ty), value } => {
                    self.show_source();
                    let value = match value {
                        Some(value) => self.full_vector(group, value, *ty)?.text,
                        None => "{0}".to_owned(),
                    };
                    let (name, vector) = (names::variable(*var), vector_type(*ty, plan.bytes));
                    self.lines.declare_mutable(&name, format!("{vector} {name} = {value};"));
                    self.env.insert(*var, Binding::Mutable(ImpType::Prim(*ty)));
                }
                StatementKind::Assign { var, value } if plan.needed.contains(var) => {
                    self.show_source();
                    let Binding::Mutable(ImpType::Prim(ty)) = *self.lookup(*var)? else {
                        return Err(CompileError::new(format!(
                            "{var} is assigned but not declared by var here"
                        )));
                    };
                    let value = self.full_vector(group, value, ty)?.text;
                    self.assign(*var, &value)?;
                }
                StatementKind::Assign { .. } => {}
                StatementKind::Write { view, value, .. } => {
                    self.show_source();
                    let view = self.view(*view)?;
                    let value = self.full_vector(group, value, view.elem)?;
                    let cell = format!("{}, {counter}_to{written} + {counter}, {}", view.pointer, plan.bytes);
                    let value = format!("(fun_words){}", value.operand());
                    self.lines.push(match whole {
                        true => format!("fun_row_store({cell}, {value});"),
                        false => format!("fun_row_store_some({cell}, {value}, {counter}_lanes);"),
                    });
                    written += 1;
                }
                _ => self.body(std::slice::from_ref(statement))?,
            }
        }
        for (k, row) in neighbours() {
            let row_name = format!("{counter}_row{k}");
            let (least, greatest) = plan.around(row);
            if least < 0 {
                self.lines.push(format!("{row_name}_before = {row_name}_here;"));
            }
            if greatest > 0 {
                self.lines.push(format!("{row_name}_here = {row_name}_next;"));
            }
        }
        Ok(())
    }

    /// An expression as a vector, or as a scalar where all iterations compute the same.
    fn vector(&mut self, group: &Group<'_>, exp: &Exp) -> Emit<Text> {
        let plan = group.plan;
        if plan.kind(exp) == Some(Kind::Same) {
            return self.exp(exp);
        }
        let text = match exp {
            Exp::Var(var) => Text { name: false, ..Text::name(self.use_variable(*var)?) },
            Exp::Read { .. } => self.cells_of_row(group, exp)?,
            Exp::Bin(op @ (BinOp::Min | BinOp::Max), ty, x, y) => {
                let operands = [self.full_vector(group, x, *ty)?, self.full_vector(group, y, *ty)?];
                let (op, [x, y]) = (if *op == BinOp::Min { "min" } else { "max" }, &operands);
                Text::atom(format!("fun_{op}_{}s({}, {})", short(*ty), x.text, y.text), &[x, y])
            }
            Exp::Bin(op, ty, x, y) => {
                let symbol = symbol(*op).ok_or_else(|| CompileError::new("an operator without vectors"))?;
                let (x, y) = (self.operand(group, x, *ty)?, self.operand(group, y, *ty)?);
                infix(symbol, &x, &y)
            }
            Exp::Un(op, _, x) => {
                let (sign, x) = (if *op == UnOp::Neg { "-" } else { "~" }, self.vector(group, x)?);
                Text::operator(format!("{sign}{}", x.operand()), &[&x])
            }
            Exp::Select(condition, x, y) => {
                let ty =
                    plan.number_type(exp).ok_or_else(|| CompileError::new("a choice without vectors"))?;
                let condition = self.vector(group, condition)?;
                let (x, y) = (self.full_vector(group, x, ty)?, self.full_vector(group, y, ty)?);
                let all = [&condition, &x, &y];
                let words = all.map(|vector| format!("(fun_words){}", vector.operand())).join(", ");
                Text::atom(format!("({})fun_select({words})", vector_type(ty, plan.bytes)), &all)
            }
            _ => return Err(CompileError::new("an expression without vectors")),
        };
        if text.depth <= DEEPEST {
            return Ok(text);
        }
        let ty = plan.number_type(exp).unwrap_or(PrimType::Bool);
        let name = self.temporary();
        let vector = vector_type(ty, plan.bytes);
        self.lines.declare(&name, format!("const {vector} {name} = {};", text.text));
        Ok(Text::name(name))
    }

    /// An expression as an operand that may be a scalar: vectors of integers are without sign, and so is what is combined with them.
    fn operand(&mut self, group: &Group<'_>, exp: &Exp, ty: PrimType) -> Emit<Text> {
        let text = self.vector(group, exp)?;
        let is_signed = group.plan.kind(exp) == Some(Kind::Same) && ty.is_signed();
        Ok(if is_signed { self.cast(ty.unsigned_of_width(), &text) } else { text })
    }

    /// An expression as a vector of numbers.
    fn full_vector(&mut self, group: &Group<'_>, exp: &Exp, ty: PrimType) -> Emit<Text> {
        let text = self.vector(group, exp)?;
        if group.plan.kind(exp) != Some(Kind::Same) {
            return Ok(text);
        }
        let vector = vector_type(ty, group.plan.bytes).trim_start_matches("fun_");
        Ok(Text::atom(format!("fun_all_{vector}({})", text.text), &[&text]))
    }

    /// The cells of a row that iterations of a vector read.
    fn cells_of_row(&mut self, group: &Group<'_>, exp: &Exp) -> Emit<Text> {
        let Group { plan, counter, .. } = group;
        let Some((row, distance)) = plan.row_of(exp) else {
            return Err(CompileError::new("a cell of no row"));
        };
        let (name, words) = (format!("{counter}_row{row}"), plan.bytes / 4);
        let words = match (plan.rows[row].has_neighbours(), distance - plan.origin()) {
            (false, _) => self.load(group, row, 0)?,
            (true, 0) => format!("{name}_here"),
            (true, near @ 1..) => format!("fun_between({name}_here, {name}_next, {})", near * words),
            (true, near) => {
                format!("fun_between({name}_before, {name}_here, {})", (near + plan.lanes()) * words)
            }
        };
        Ok(Text::atom(format!("({}){words}", vector_type(plan.rows[row].elem, plan.bytes)), &[]))
    }
}

/// The type in C of vectors of a type; those of truth values are as wide as the cells.
fn vector_type(ty: PrimType, bytes: i64) -> &'static str {
    match (ty, bytes) {
        (PrimType::F32, _) => "fun_f32s",
        (PrimType::F64, _) => "fun_f64s",
        (PrimType::Bool, 4) => "fun_i32s",
        (PrimType::Bool, _) => "fun_i64s",
        (_, 4) => "fun_u32s",
        _ => "fun_u64s",
    }
}

/// An operator that C has on vectors.
fn symbol(op: BinOp) -> Option<&'static str> {
    match op {
        BinOp::And => Some("&"),
        BinOp::Or => Some("|"),
        BinOp::Xor => Some("^"),
        _ => float_symbol(op),
    }
}
