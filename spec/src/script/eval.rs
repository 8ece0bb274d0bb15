//! Evaluation of FutharkScript.

use super::{Exp, Val};
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use fun_base::value::{ArrayData, ArrayValue, Value, ValueReader};
use fun_frontend::lower::{EntryInfo, Layout};

/// What a script can use.
pub(crate) trait Machine {
    /// An entry point.
    fn entry(&self, name: &str) -> Option<&EntryInfo>;
    /// Runs an entry point on the leaves of its arguments; gives those of its result.
    fn call(&self, name: &str, args: &[Value]) -> Result<Vec<Value>, RunError>;
    /// The contents of a file, decompressed.
    fn read(&self, name: &str) -> Result<Vec<u8>, String>;
}

/// Why a script has no value.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The script is wrong.
    Wrong(String),
    /// It asks for something that FUN does not have.
    Unsupported(String),
    /// An entry point stopped.
    Run(String, RunError),
}

type Evaluated = Result<Val, Stop>;

fn wrong<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Wrong(format!("in the script: {}", message.into())))
}

/// What an expression gives for parameters of these types. A tuple is the arguments one by one, unless it is the only one.
pub(crate) fn arguments(exp: &Exp, wanted: &[Layout], machine: &dyn Machine) -> Result<Vec<Value>, Stop> {
    let mut evaluator = Evaluator { machine, scope: Vec::new() };
    let args = match exp {
        // before they are put together, so that numbers can take the types that are wanted
        Exp::Tuple(parts) if wanted.len() == parts.len() => evaluator.exps(parts)?,
        _ => {
            let value = evaluator.exp(exp)?;
            if wanted.len() == 1 { vec![value] } else { value.components() }
        }
    };
    let text = |layouts: Vec<&Layout>| layouts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let given = text(args.iter().map(|arg| &arg.layout).collect());
    if args.len() == wanted.len() {
        let fitting = args.into_iter().zip(wanted).map(|(arg, wanted)| arg.fit(wanted).ok());
        if let Some(fitting) = fitting.collect::<Option<Vec<Val>>>() {
            return Ok(fitting.into_iter().flat_map(|arg| arg.leaves).collect());
        }
    }
    let wanted = text(wanted.iter().collect());
    wrong(format!("the entry point takes {wanted}, but this gives {given}"))
}

/// The value of an expression.
#[cfg(test)]
pub(crate) fn evaluate(exp: &Exp, machine: &dyn Machine) -> Evaluated {
    Evaluator { machine, scope: Vec::new() }.exp(exp)
}

struct Evaluator<'a> {
    machine: &'a dyn Machine,
    /// Variables, innermost last.
    scope: Vec<(String, Val)>,
}

impl Evaluator<'_> {
    fn exp(&mut self, exp: &Exp) -> Evaluated {
        match exp {
            Exp::Const(value) => Ok(of_value(value.clone())),
            Exp::Number(text, value) => Ok(Val { number: Some(text.clone()), ..of_value(value.clone()) }),
            Exp::Apply(name, args) => self.apply(name, args),
            Exp::Tuple(parts) => {
                let parts = self.exps(parts)?;
                let layout = Layout::tuple(parts.iter().map(|part| part.layout.clone()).collect());
                Ok(Val::new(layout, parts.into_iter().flat_map(|part| part.leaves).collect()))
            }
            Exp::Record(fields) => self.record(fields),
            Exp::Array(elements) => array(&self.exps(elements)?),
            Exp::Field(of, field) => {
                let of = self.exp(of)?;
                project(&of, field)
            }
            Exp::Index(of, indices) => {
                let mut value = self.exp(of)?;
                for index in indices {
                    let index = self.exp(index)?;
                    let [Value::Prim(index)] = index.leaves.as_slice() else {
                        return wrong(format!("an index is {}", index.layout));
                    };
                    let Some(index) = index.as_int() else { return wrong(format!("{index} is no index")) };
                    value = element(&value, index)?;
                }
                Ok(value)
            }
            Exp::Let(names, value, body) => {
                let value = self.exp(value)?;
                let parts = if let [_] = names.as_slice() { vec![value] } else { value.components() };
                if parts.len() != names.len() {
                    return wrong(format!("{} names for {} components", names.len(), parts.len()));
                }
                let before = self.scope.len();
                self.scope.extend(names.iter().cloned().zip(parts));
                let result = self.exp(body);
                self.scope.truncate(before);
                result
            }
        }
    }

    fn exps(&mut self, exps: &[Exp]) -> Result<Vec<Val>, Stop> {
        exps.iter().map(|exp| self.exp(exp)).collect()
    }

    /// A record, with its fields in the order that the compiler gives them.
    fn record(&mut self, fields: &[(String, Exp)]) -> Evaluated {
        let mut parts = Vec::new();
        for (name, exp) in fields {
            if parts.iter().any(|(other, _)| other == name) {
                return wrong(format!("the field `{name}` is given twice"));
            }
            parts.push((name.clone(), self.exp(exp)?));
        }
        parts.sort_by(|(a, _), (b, _)| a.cmp(b));
        let layout = parts.iter().map(|(name, part)| (name.clone(), part.layout.clone())).collect();
        let leaves = parts.into_iter().flat_map(|(_, part)| part.leaves).collect();
        Ok(Val::new(Layout::Record(layout), leaves))
    }

    fn apply(&mut self, name: &str, args: &[Exp]) -> Evaluated {
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| known == name) {
            if args.is_empty() {
                return Ok(value.clone());
            }
            return wrong(format!("`{name}` is no function"));
        }
        let mut args = self.exps(args)?;
        if name.starts_with('$') {
            return self.builtin(name, &args);
        }
        let Some(entry) = self.machine.entry(name) else {
            return wrong(format!("there is no entry point `{name}`"));
        };
        // a tuple for several parameters
        if let [only] = args.as_slice()
            && entry.takes.len() != 1
        {
            args = only.components();
        }
        if args.len() != entry.takes.len() {
            let (wanted, given) = (entry.takes.len(), args.len());
            return wrong(format!("`{name}` takes {wanted} arguments and is given {given}"));
        }
        let mut leaves = Vec::new();
        for (k, (arg, wanted)) in args.into_iter().zip(&entry.takes).enumerate() {
            match arg.fit(wanted) {
                Ok(arg) => leaves.extend(arg.leaves),
                Err(Val { layout, .. }) => {
                    return wrong(format!("argument {k} of `{name}` should be {wanted}, but is {layout}"));
                }
            }
        }
        let leaves = self.machine.call(name, &leaves).map_err(|error| Stop::Run(name.to_owned(), error))?;
        Ok(Val::new(entry.gives.clone(), leaves))
    }

    fn builtin(&self, name: &str, args: &[Val]) -> Evaluated {
        if !matches!(name, "$loaddata" | "$loadbytes") {
            return Err(Stop::Unsupported(format!("the script uses `{name}`, which FUN does not have")));
        }
        let [file] = args else { return wrong(format!("`{name}` takes the name of a file")) };
        let Some(file) = text_of(file) else { return wrong(format!("`{name}` takes a string")) };
        let bytes = self.machine.read(&file).map_err(Stop::Wrong)?;
        if name == "$loadbytes" {
            return Ok(of_value(ArrayValue::vector(ArrayData::U8(bytes)).into()));
        }
        let values = ValueReader::new(&bytes).read_all();
        let mut values = values.map_err(|error| Stop::Wrong(format!("{file}: {error}")))?;
        if values.len() == 1 {
            return Ok(of_value(values.remove(0)));
        }
        let layout = Layout::tuple(values.iter().map(|value| of_value(value.clone()).layout).collect());
        Ok(Val::new(layout, values))
    }
}

/// A value that the text and binary formats can write.
fn of_value(value: Value) -> Val {
    let ty = value.value_type();
    let mut layout = Layout::Prim(ty.elem);
    for _ in 0..ty.rank {
        layout = Layout::Array(Box::new(layout));
    }
    Val::new(layout, vec![value])
}

fn text_of(value: &Val) -> Option<String> {
    match value.leaves.as_slice() {
        [Value::Array(array)] => match &array.data {
            ArrayData::U8(bytes) => String::from_utf8(bytes.clone()).ok(),
            _ => None,
        },
        _ => None,
    }
}

fn project(of: &Val, field: &str) -> Evaluated {
    let Layout::Record(fields) = &of.layout else {
        return wrong(format!("`.{field}` of {}, which is no record", of.layout));
    };
    let mut start = 0;
    for (name, layout) in fields {
        let end = start + layout.leaves();
        if name == field {
            let leaves = of.leaves.get(start..end).unwrap_or_default().to_vec();
            return Ok(Val::new(layout.clone(), leaves));
        }
        start = end;
    }
    wrong(format!("{} has no field `{field}`", of.layout))
}

/// The array of these elements.
fn array(elements: &[Val]) -> Evaluated {
    let Some(first) = elements.first() else {
        return wrong("the type of `[]` is not known: write it as `empty([0]i32)`");
    };
    if let Some(other) = elements.iter().find(|other| other.layout != first.layout) {
        return wrong(format!("an array of {} and {}", first.layout, other.layout));
    }
    let mut leaves = Vec::new();
    for k in 0..first.leaves.len() {
        let rows: Vec<&Value> = elements.iter().map(|element| &element.leaves[k]).collect();
        leaves.push(stacked(&rows)?);
    }
    Ok(Val::new(Layout::Array(Box::new(first.layout.clone())), leaves))
}

/// Values of one type as the rows of an array.
fn stacked(rows: &[&Value]) -> Result<Value, Stop> {
    let first = rows[0];
    if let Some(other) = rows.iter().find(|row| row.shape() != first.shape()) {
        return wrong(format!("an array with rows of shape {:?} and {:?}", first.shape(), other.shape()));
    }
    let mut data = ArrayData::new(first.value_type().elem);
    for row in rows {
        let pushed = match row {
            Value::Prim(x) => data.push(*x),
            Value::Array(array) => array.iter().try_for_each(|x: PrimValue| data.push(x)),
        };
        if pushed.is_none() {
            return wrong("an array of elements of several types");
        }
    }
    let shape = std::iter::once(rows.len() as i64).chain(first.shape().iter().copied()).collect();
    ArrayValue::new(shape, data)
        .map(Value::from)
        .map_err(|error| Stop::Wrong(format!("in the script: {error}")))
}

/// One element of an array.
fn element(of: &Val, index: i128) -> Evaluated {
    let Layout::Array(layout) = &of.layout else {
        return wrong(format!("an element of {}, which is no array", of.layout));
    };
    let mut leaves = Vec::new();
    for leaf in &of.leaves {
        let Value::Array(array) = leaf else { return wrong("an element of a scalar") };
        let (size, row) = (array.shape[0], &array.shape[1..]);
        let at = usize::try_from(index).ok().filter(|_| index < i128::from(size));
        let Some(at) = at else { return wrong(format!("index {index} out of bounds for size {size}")) };
        let count = array.len() / (size as usize).max(1);
        let cells = (at * count..(at + 1) * count).filter_map(|k| array.get(k));
        if row.is_empty() {
            leaves.extend(cells.map(Value::Prim));
            continue;
        }
        let Some(data) = ArrayData::from_prims(array.elem_type(), cells) else {
            return wrong("an array of elements of several types");
        };
        let row = ArrayValue::new(row.to_vec(), data).map(Value::from);
        leaves.push(row.map_err(|error| Stop::Wrong(format!("in the script: {error}")))?);
    }
    Ok(Val::new((**layout).clone(), leaves))
}
