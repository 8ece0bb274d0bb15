//! Results as JSON, written and read back.

use super::measure::Measured;
use super::statistics::{Summary, summary};
use fun_passes::pipeline::PassTime;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// The results for one program.
pub(super) struct File {
    /// As the user names it.
    pub(super) program: String,
    /// `jit` or `c`.
    pub(super) backend: &'static str,
    /// What compiling took.
    pub(super) compile: Compile,
    /// One for each data set.
    pub(super) rows: Vec<Row>,
    /// Data sets that could not be made.
    pub(super) errors: Vec<String>,
}

/// Compile times in milliseconds.
pub(super) struct Compile {
    /// From source to machine code.
    pub(super) total: f64,
    /// Steps of the front end, passes, and the backend: name, time, time of the checker after it.
    steps: Vec<(&'static str, f64, f64)>,
}

/// The result for one data set.
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) entry: String,
    pub(super) data: String,
    /// The times, if it ran.
    pub(super) measured: Option<Measured>,
    /// Why not.
    pub(super) error: Option<String>,
}

impl Compile {
    /// From what was measured on the way.
    pub(super) fn of(
        total: Duration,
        front: &[(&'static str, Duration)],
        passes: &[PassTime],
        code: Duration,
    ) -> Compile {
        let front = front.iter().map(|(name, time)| (*name, ms(*time), 0.0));
        let passes = passes.iter().map(|pass| (pass.name, ms(pass.pass), ms(pass.check)));
        let steps = front.chain(passes).chain([("machine code", ms(code), 0.0)]).collect();
        Compile { total: ms(total), steps }
    }
}

impl File {
    /// No rows yet.
    pub(super) fn new(program: &Path, backend: &'static str, compile: Compile) -> File {
        let program = program.display().to_string();
        File { program, backend, compile, rows: Vec::new(), errors: Vec::new() }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// All results; times of runs are in microseconds, those of compiling in milliseconds.
pub(super) fn to_json(files: &[File], threads: Option<u32>) -> String {
    let files: Vec<Value> = files.iter().map(file).collect();
    format!("{:#}\n", json!({ "threads": threads, "programs": files }))
}

fn file(file: &File) -> Value {
    let steps: Vec<Value> = file
        .compile
        .steps
        .iter()
        .map(|(name, time, check)| json!({ "name": name, "ms": time, "check_ms": check }))
        .collect();
    let rows: Vec<Value> = file.rows.iter().map(row).collect();
    json!({
        "program": file.program,
        "backend": file.backend,
        "compile": { "total_ms": file.compile.total, "passes": steps },
        "benchmarks": rows,
        "errors": file.errors,
    })
}

fn row(row: &Row) -> Value {
    let mut object = json!({ "line": row.line, "entry": row.entry, "data": row.data, "error": row.error });
    if let Some(measured) = &row.measured {
        object["times"] = times(&measured.times);
        object["memory"] = json!({
            "peak_bytes": measured.usage.peak_bytes,
            "allocations": measured.usage.allocations,
            "allocations_in_loops": measured.usage.loop_allocations,
            "allocated_bytes": measured.usage.allocated_bytes,
            "copied_bytes": measured.usage.copied_bytes,
        });
        let peers = measured.peers.iter().map(|(name, of)| (name.clone(), times(of)));
        object["peers"] = Value::Object(peers.collect());
    }
    object
}

fn times(times: &[f64]) -> Value {
    let Some(Summary { runs, mean, median, min, uncertainty }) = summary(times) else { return Value::Null };
    let uncertainty = uncertainty.is_finite().then_some(uncertainty);
    json!({
        "runs": runs, "mean_us": mean, "median_us": median, "min_us": min, "uncertainty": uncertainty, "all_us": times,
    })
}

/// The times of one data set in a file of results.
pub(super) struct Read {
    /// Program, backend, entry point and data set.
    pub(super) name: String,
    /// Microseconds.
    pub(super) times: Vec<f64>,
}

/// Reads what [`to_json`] wrote; the error says what is missing.
pub(super) fn from_json(text: &str) -> Result<Vec<Read>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let list = |value: &Value, key: &str| -> Result<Vec<Value>, String> {
        value[key].as_array().cloned().ok_or_else(|| format!("there is no list `{key}`"))
    };
    let word = |value: &Value, key: &str| -> Result<String, String> {
        value[key].as_str().map(str::to_owned).ok_or_else(|| format!("there is no text `{key}`"))
    };
    let mut read = Vec::new();
    for file in list(&value, "programs")? {
        let (program, backend) = (word(&file, "program")?, word(&file, "backend")?);
        for row in list(&file, "benchmarks")? {
            let name = format!("{program} {backend} {} {}", word(&row, "entry")?, word(&row, "data")?);
            let all = row["times"]["all_us"].as_array().cloned().unwrap_or_default();
            read.push(Read { name, times: all.iter().filter_map(Value::as_f64).collect() });
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_cranelift::Usage;

    #[test]
    fn what_is_written_is_read() {
        let compile = Compile::of(Duration::from_millis(3), &[], &[], Duration::from_millis(1));
        let mut file = File::new(Path::new("dot.fut"), "c", compile);
        let peers = vec![("c".to_owned(), vec![4.0])];
        let measured = Measured { times: vec![2.0, 3.0], peers, usage: Usage::default() };
        let (entry, data) = ("main".to_owned(), "#0".to_owned());
        file.rows.push(Row { line: 3, entry, data, measured: Some(measured), error: None });
        let text = to_json(&[file], Some(2));
        let read = from_json(&text).expect("results");
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].name.as_str(), read[0].times.as_slice()), ("dot.fut c main #0", &[2.0, 3.0][..]));
        assert_eq!(from_json("{}").err().as_deref(), Some("there is no list `programs`"));
        assert!(from_json("[").is_err());
    }
}
