//! The peak of a run of machine code beside what the formula of its entry point says.

use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use fun_base::value::Value;
use fun_cranelift::{Compiled, Options, RunControl, Usage, compile};
use fun_passes::imp::footprint::ghosts::instrumented;
use fun_passes::imp::footprint::{Footprint, Given, Peak, parameters};
use imp::ir::Program;
use std::collections::BTreeMap;

/// What each strand reserves at most beyond what it uses.
const RESERVED: i128 = 2 * (64 << 10);

/// A run, and what the formula says of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The value of the formula with one strand, and with as many as there may be; `None` if it has numbers that can't be read off a
    /// run.
    pub formula: Option<(i128, i128)>,
    /// The most bytes in blocks at once.
    pub peak_bytes: u64,
}

/// Why there is no measurement.
#[derive(Debug)]
pub enum Unmeasured {
    /// The run failed.
    Failed(RunError),
    /// A bug of ours.
    Bug(String),
}

/// Runs an entry point and evaluates its formula.
pub fn measure(
    program: &Program,
    entry: &str,
    footprint: &Footprint,
    arguments: &[Value],
) -> Result<Measured, Unmeasured> {
    let (_, usage) = run(&machine_code(program)?, entry, arguments).map_err(Unmeasured::Failed)?;
    let formula = match &footprint.peaks {
        Err(_) => None,
        Ok(peaks) => {
            let strands = fun_cranelift::most_strands() as i64;
            let value = |strands| evaluate(program, entry, footprint, peaks, arguments, strands);
            let reserved = if in_strands(footprint, peaks) { i128::from(strands) * RESERVED } else { 0 };
            value(1)?.zip(value(strands)?).map(|(one, most)| (one, most + reserved))
        }
    };
    Ok(Measured { formula, peak_bytes: usage.peak_bytes })
}

fn in_strands(footprint: &Footprint, peaks: &[Peak]) -> bool {
    let mut found = footprint.sites.iter().any(|site| site.strands);
    for peak in peaks {
        peak.bytes.for_each_var(&mut |var| found |= footprint.sizes.strands().as_var() == Some(var));
    }
    found
}

fn machine_code(program: &Program) -> Result<Compiled, Unmeasured> {
    compile(program, Options::default()).map_err(|error| Unmeasured::Bug(format!("bug in FUN: {error}")))
}

fn run(compiled: &Compiled, entry: &str, arguments: &[Value]) -> Result<(Vec<Value>, Usage), RunError> {
    let control = RunControl::new();
    let mut run = compiled.prepare(entry, arguments, &control)?;
    run.call()?;
    Ok((run.results()?, run.usage()))
}

/// The value of the formula for a number of strands: from the arguments where these are enough, otherwise by a run.
fn evaluate(
    program: &Program,
    entry: &str,
    footprint: &Footprint,
    peaks: &[Peak],
    arguments: &[Value],
    strands: i64,
) -> Result<Option<i128>, Unmeasured> {
    let values = values(program, entry, arguments);
    let sizes = &footprint.sizes;
    let value = |var: Var| {
        let is_strands = sizes.strands().as_var() == Some(var);
        if is_strands { Some(strands) } else { values.get(&var).copied() }
    };
    let (known, computed): (Vec<&Peak>, Vec<&Peak>) =
        peaks.iter().partition(|peak| sizes.is_known(&peak.bytes));
    let known: Option<Vec<i128>> = known.iter().map(|peak| sizes.eval(&peak.bytes, &value)).collect();
    let Some(mut all) = known else { return Ok(None) };
    if !computed.is_empty() {
        let computed: Vec<Peak> = computed.into_iter().cloned().collect();
        let Some(ghost) = instrumented(program, entry, footprint, &computed, strands) else {
            return Ok(None);
        };
        if let Err(errors) = imp::check::check(&ghost) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            return Err(Unmeasured::Bug(format!("bug in FUN: what measures a peak: {}", errors.join("\n"))));
        }
        let (results, _) = run(&machine_code(&ghost)?, entry, arguments).map_err(Unmeasured::Failed)?;
        all.extend(results.iter().rev().take(computed.len()).filter_map(as_int).map(i128::from));
    }
    Ok(Some(all.into_iter().max().unwrap_or(0).max(0)))
}

/// The values of parameters.
fn values(program: &Program, entry: &str, arguments: &[Value]) -> BTreeMap<Var, i64> {
    let procedure = program.procedures.iter().find(|procedure| procedure.name.as_str() == entry);
    let given = procedure.map(parameters).unwrap_or_default();
    let value = |given: Given| match given {
        Given::Scalar { argument } => arguments.get(argument).and_then(as_int),
        Given::Size { argument, dim } => arguments.get(argument)?.shape().get(dim).copied(),
    };
    given.into_iter().filter_map(|(var, given)| Some((var, value(given)?))).collect()
}

fn as_int(value: &Value) -> Option<i64> {
    match value {
        Value::Prim(value) => PrimValue::as_int(*value).and_then(|value| i64::try_from(value).ok()),
        Value::Array(_) => None,
    }
}
