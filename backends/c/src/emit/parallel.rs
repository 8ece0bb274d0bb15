//! Parallel loops: a function for the iterations from one to another, which threads of the pool call with parts of the loop. What it uses
//! of the procedure around it are its parameters, and a structure from which threads take them.

use super::declaration;
use super::reads::takes_short_vectors;
use super::statement::takes_long;
use super::view::Number;
use super::{Binding, Emit, Emitter, Parallel};
use crate::names;
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::cost::{MEMORY, UNKNOWN_COUNT, constant_count, statement_cost};
use imp::ir::{Exp, ImpType, Space, Statement, StatementKind};
use imp::plain::is_plain;
use std::collections::{BTreeMap, HashMap};

/// Operators in the count of a loop that is worth a forecast.
const FORECAST_OPERATORS: usize = 64;

/// Iterations of plain bodies that compilers put in one vector, more or less.
const LANES: f64 = 8.0;

/// The cost of an iteration whose body costs `cost`, where iterations are independent.
fn in_lanes(cost: String, body: &[Statement]) -> String {
    match cost.parse::<f64>() {
        _ if !is_plain(body) => cost,
        Ok(known) => format!("{:?}", known / LANES),
        Err(_) => format!("({cost}) / {LANES:?}"),
    }
}

/// Half of a count.
fn middle(count: &Exp) -> Exp {
    Exp::Bin(BinOp::Shr, PrimType::I64, Box::new(count.clone()), Box::new(Exp::i64(1)))
}

/// The text of a cost as a number, if it is known while the program is compiled.
fn known(cost: &str) -> Option<f64> {
    cost.parse().ok()
}

/// What is known of statements that have not run yet.
#[derive(Default)]
struct Forecast {
    /// The values of variables.
    values: HashMap<Var, Exp>,
    /// Whether loops run so often as nobody knows.
    guessed: bool,
}

impl<'p> Emitter<'_, 'p> {
    /// The iterations of `body`, by threads if that pays.
    pub(super) fn parallel_loop(&mut self, var: Var, bound: &Exp, end: &str, body: &'p [Statement]) -> Emit {
        // the middle iteration is typical of triangular loops as well; the loop's own count is not cut further
        let mut forecast = Forecast::default();
        forecast.values.insert(var, middle(bound));
        self.env.remove(&var);
        let cost = in_lanes(self.cost(&mut forecast, body)?, body);
        let known = self.names_in_scope();
        self.env.insert(var, Binding::Fixed(ImpType::Prim(PrimType::I64)));

        let around = std::mem::take(&mut self.lines);
        self.shown = None;
        self.depth += 1;
        self.parallel = Some(Parallel { stops: false });
        let name = names::variable(var);
        // the first line is the head, which is known at the end
        self.lines.open(String::new());
        self.show_source();
        self.independent_loop(body, |emitter| {
            emitter.lines.open(format!("for (int64_t {name} = from; {name} < to; {name}++) {{"));
            if takes_long(bound, body, true) {
                emitter.poll();
            }
            emitter.body(body)?;
            emitter.lines.close("}");
            Ok(())
        })?;
        self.lines.close("}");
        self.depth -= 1;
        let stops = self.parallel.take().is_some_and(|parallel| parallel.stops);
        self.shown = None;
        let (text, used) = std::mem::replace(&mut self.lines, around).finish();
        let captured: Vec<(&String, &String)> =
            known.iter().filter(|(name, _)| used.contains(*name)).collect();

        let function = self.unit.names.name(self.procedure) + "_loop";
        let function = self.unit.names.another(&function);
        self.loops.push_str(&functions(
            &function,
            &captured,
            &text,
            used.contains("context"),
            takes_short_vectors(body),
        ));
        let arguments: Vec<&str> = captured.iter().map(|(name, _)| name.as_str()).collect();
        self.lines.push(format!("const double {name}_work = FUN_WORK({end}, {cost});"));
        let (pays, parallel) = match forecast.guessed {
            false => ("FUN_PAYS", "fun_parallel"),
            true => ("FUN_MAY_PAY", "fun_parallel_if_it_pays"),
        };
        self.lines.open(format!("if ({pays}({name}_work)) {{"));
        let mut place = "NULL";
        if !captured.is_empty() {
            place = "&captured";
            let values = arguments.join(", ");
            self.lines.push(format!("const struct {function}_captured captured = {{{values}}};"));
        }
        self.lines.push(format!("{parallel}(context, {end}, {name}_work, {function}_part_fun, {place});"));
        self.lines.next_block("} else {");
        let arguments = [&["context"], arguments.as_slice(), &["0", end]].concat().join(", ");
        self.lines.push(format!("{function}_fun({arguments});"));
        self.lines.close("}");
        if stops {
            self.poll();
        }
        Ok(())
    }

    /// The C variables that are declared so far, with declarations as parameters.
    fn names_in_scope(&self) -> BTreeMap<String, String> {
        let mut known = BTreeMap::new();
        let bindings: BTreeMap<&Var, &Binding> = self.env.iter().collect();
        for (var, binding) in bindings {
            match binding {
                Binding::Fixed(ty) | Binding::Mutable(ty) => {
                    let name = names::variable(*var);
                    // what is on the stack is an array where it is declared
                    let ty = if let ImpType::Mem(_) = ty { ImpType::Mem(Space::Default) } else { *ty };
                    known.insert(name.clone(), declaration(ty, &name));
                }
                Binding::View(place) => {
                    known.insert(place.pointer.clone(), format!("{} *{}", c_type(place.elem), place.pointer));
                    let numbers = place.dims.iter().flat_map(|dim| [&dim.stride, &dim.size]);
                    for number in numbers.chain([&place.offset]) {
                        if let Number::Name(name) = number {
                            known.entry(name.clone()).or_insert_with(|| format!("int64_t {name}"));
                        }
                    }
                }
            }
        }
        known
    }

    /// The cost of statements, as an expression; the counts of loops are used where they can be computed before the statements run.
    fn cost(&mut self, forecast: &mut Forecast, body: &'p [Statement]) -> Emit<String> {
        let mut constant = 0.0;
        let mut terms = Vec::new();
        for statement in body {
            let (var, bound, kind, inner) = match &statement.kind {
                StatementKind::For { var, ty: _, bound, kind, body } => (*var, bound, *kind, body),
                StatementKind::If { condition: _, then, otherwise } => {
                    let (then, otherwise) = (self.cost(forecast, then)?, self.cost(forecast, otherwise)?);
                    match (known(&then), known(&otherwise)) {
                        (Some(then), Some(otherwise)) => constant += then.max(otherwise),
                        _ => terms.push(format!("fun_most({then}, {otherwise})")),
                    }
                    continue;
                }
                StatementKind::While { condition: _, body } => {
                    forecast.guessed = true;
                    let step = self.cost(forecast, body)?;
                    terms.push(format!("{UNKNOWN_COUNT:?} * ({step} + {MEMORY:?})"));
                    continue;
                }
                kind => {
                    if let StatementKind::Let { var, ty: _, value } = kind {
                        forecast.values.insert(*var, value.clone());
                    }
                    let callees = &self.unit.callees;
                    let estimate =
                        statement_cost(kind, &|callee| callees.get(&callee).map(|callee| callee.cost));
                    forecast.guessed |= estimate.guessed;
                    constant += estimate.cost;
                    continue;
                }
            };
            let count = match constant_count(bound) {
                Some(n) => Err(n),
                None => match self.forecast(forecast, bound, FORECAST_OPERATORS) {
                    Some(count) => {
                        forecast.values.insert(var, middle(&count));
                        Ok(count)
                    }
                    None => {
                        forecast.guessed = true;
                        Err(UNKNOWN_COUNT)
                    }
                },
            };
            let cost = self.cost(forecast, inner)?;
            let mut step = match known(&cost) {
                Some(cost) => format!("{:?}", cost + MEMORY),
                None => format!("{cost} + {MEMORY:?}"),
            };
            if kind.is_parallel() {
                step = in_lanes(step, inner);
            }
            match (count, known(&step)) {
                (Err(n), Some(step)) => constant += n * step,
                (Err(n), None) => terms.push(format!("{n:?} * ({step})")),
                (Ok(count), known) => {
                    let count = self.exp(&count)?;
                    let step = if known.is_some() { step } else { format!("({step})") };
                    terms.push(format!("(double){} * {step}", count.operand()));
                }
            }
        }
        if constant != 0.0 || terms.is_empty() {
            terms.push(format!("{constant:?}"));
        }
        Ok(terms.join(" + "))
    }

    /// The value that an integer expression will have, where operators that can't fail give it from what is known here.
    fn forecast(&self, forecast: &Forecast, exp: &Exp, operators: usize) -> Option<Exp> {
        let part = |exp: &Exp, of: usize| Some(Box::new(self.forecast(forecast, exp, operators / of)?));
        match exp {
            Exp::Const(_) => Some(exp.clone()),
            Exp::Var(var) => match (self.env.get(var), forecast.values.get(var)) {
                (Some(Binding::Fixed(ImpType::Prim(ty)) | Binding::Mutable(ImpType::Prim(ty))), _) => {
                    (!ty.is_float()).then(|| exp.clone())
                }
                (_, Some(value)) => self.forecast(forecast, value, operators),
                (_, None) => None,
            },
            Exp::Bin(op, ty, x, y) if operators > 0 && !op.can_fail(*ty) && !ty.is_float() => {
                Some(Exp::Bin(*op, *ty, part(x, 2)?, part(y, 2)?))
            }
            Exp::Convert { to, from, value } if operators > 0 && to.is_int() && from.is_int() => {
                Some(Exp::Convert { to: *to, from: *from, value: part(value, 2)? })
            }
            Exp::Select(condition, x, y) if operators > 0 => {
                Some(Exp::Select(part(condition, 4)?, part(x, 4)?, part(y, 4)?))
            }
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Select(..)
            | Exp::Read { .. }
            | Exp::Threads
            | Exp::Param { .. } => None,
        }
    }
}

/// The function of a loop's iterations whose text behind the head is `body`, the structure of what it takes, and the function that
/// threads call.
fn functions(
    name: &str,
    captured: &[(&String, &String)],
    body: &str,
    uses_context: bool,
    short_vectors: bool,
) -> String {
    let mut text = String::new();
    let mut parameters = vec!["struct fun_context *context".to_owned()];
    let mut arguments = vec!["context".to_owned()];
    if !captured.is_empty() {
        text += &format!("struct {name}_captured {{\n");
        for (variable, declaration) in captured {
            text += &format!("    {declaration};\n");
            parameters.push((*declaration).clone());
            arguments.push(format!("all->{variable}"));
        }
        text += "};\n\n";
    }
    for bound in ["from", "to"] {
        parameters.push(format!("int64_t {bound}"));
        arguments.push(bound.to_owned());
    }
    let unused = if uses_context { "" } else { "    (void)context;\n" };
    let body = body.strip_prefix('\n').unwrap_or(body);
    let vectors = if short_vectors { "FUN_SHORT_VECTORS " } else { "" };
    text += &format!("{vectors}static void {name}_fun({}) {{\n{unused}{body}\n", parameters.join(", "));
    text += &format!(
        "static void {name}_part_fun(struct fun_context *context, const void *captured, int64_t from, int64_t to) {{\n"
    );
    text += &match captured {
        [] => "    (void)captured;\n".to_owned(),
        _ => format!("    const struct {name}_captured *all = captured;\n"),
    };
    text + &format!("    {name}_fun({});\n}}\n\n", arguments.join(", "))
}
