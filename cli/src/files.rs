//! Reading programs and values, writing results.

use crate::arguments::{Format, Tuning};
use fun_base::name::Symbol;
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader, ValueType};
use fun_frontend::files::Sources;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

/// Reads a source file; the error is a message for the user.
pub(crate) fn read_source(path: &Path) -> Result<Source, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("can't read {}: {error}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{} is not text: byte {at} is not UTF-8", path.display())
    })?;
    // Some editors begin a file with a mark of its byte order.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(Source { name: Symbol::new(&path.display().to_string()), text: text.into() })
}

/// A source text whose imports are relative to a directory; to the current one without.
pub(crate) fn sources(source: Source, directory: Option<&Path>) -> Sources<'static> {
    let directory = directory.map_or_else(String::new, |directory| directory.display().to_string());
    Sources::importing(source, &directory, &|path| read_source(Path::new(path)))
}

/// Tuning parameters as lines `name=value`, between which comments may stand; the error is a message for the user.
pub(crate) fn parameters(text: &str) -> Result<BTreeMap<Symbol, i64>, String> {
    let mut parameters = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--")) {
        let parsed =
            line.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
        let (name, value) = parsed.ok_or_else(|| format!("`{line}` is not `NAME=NUMBER`"))?;
        parameters.insert(Symbol::new(name), value);
    }
    Ok(parameters)
}

/// The tuning parameters in a file.
pub(crate) fn read_parameters(path: &Path) -> Result<BTreeMap<Symbol, i64>, String> {
    let source = read_source(path)?;
    parameters(&source.text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What the command line says of tuning parameters, flags behind files.
pub(crate) fn tuning(arguments: &Tuning) -> Result<BTreeMap<Symbol, i64>, String> {
    let mut known = match &arguments.tuning {
        Some(path) => read_parameters(path)?,
        None => BTreeMap::new(),
    };
    known.extend(parameters(&arguments.parameters.join("\n"))?);
    Ok(known)
}

/// Reads the values for parameters of these types from files, or from standard input when there are none.
pub(crate) fn read_arguments(
    files: &[std::path::PathBuf],
    types: &[ValueType],
) -> Result<Vec<Value>, String> {
    if types.is_empty() {
        return Ok(Vec::new());
    }
    let mut values = Vec::new();
    if files.is_empty() {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| format!("can't read standard input: {error}"))?;
        read_values("standard input", &bytes, types, &mut values)?;
    }
    for path in files {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| format!("can't read {name}: {error}"))?;
        read_values(&name, &bytes, types, &mut values)?;
    }
    if values.len() < types.len() {
        let missing = &types[values.len()];
        let (given, wanted) = (values.len(), types.len());
        return Err(format!("not enough input: argument {given} of {wanted} ({missing}) is missing"));
    }
    Ok(values)
}

/// Appends the values in `bytes` to `values`; each must have the type that stands next in `types`.
fn read_values(name: &str, bytes: &[u8], types: &[ValueType], values: &mut Vec<Value>) -> Result<(), String> {
    let mut reader = ValueReader::new(bytes);
    loop {
        let expected = types.get(values.len()).copied();
        let at = values.len();
        let value = reader.read(expected).map_err(|error| match expected {
            Some(expected) => format!("{name}: argument {at} ({expected}): {error}"),
            None => format!("{name}: after the last argument: {error}"),
        })?;
        let Some(value) = value else { return Ok(()) };
        let Some(expected) = expected else {
            return Err(format!("{name}: too much input: the entry point takes {} values", types.len()));
        };
        if value.value_type() != expected {
            return Err(format!("{name}: argument {at} should be {expected}, but is {}", value.value_type()));
        }
        values.push(value);
    }
}

/// Writes text to standard output.
pub(crate) fn write_stdout(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes results to standard output.
pub(crate) fn write_results(values: &[Value], format: Format) -> Result<(), String> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = write_values(&mut out, values, format).and_then(|()| out.flush());
    written(result)
}

fn written(result: std::io::Result<()>) -> Result<(), String> {
    match result {
        // The reader has seen enough (`fun run … | head`): nothing is wrong.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(|error| format!("can't write to standard output: {error}")),
    }
}

fn write_values(out: &mut impl Write, values: &[Value], format: Format) -> std::io::Result<()> {
    for value in values {
        match format {
            Format::Text => {
                fun_base::value::write_text(value, out)?;
                out.write_all(b"\n")?;
            }
            Format::Binary => fun_base::value::binary::write_binary(value, out)?,
            Format::Npy => fun_base::value::npy::write_npy(value, out)?,
        }
    }
    Ok(())
}

/// Refuses an output that would replace an input.
pub(crate) fn keep_input(input: &Path, output: &Path) -> Result<(), String> {
    let same = match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        (Err(_), _) | (_, Err(_)) => false,
    };
    if same { Err(format!("the output would replace the input {}", input.display())) } else { Ok(()) }
}

/// Writes a file whole or not at all: the text goes to a neighbour first. What is there and no file, such as a device, is written to, and
/// so is what a link leads to.
pub(crate) fn write_file(path: &Path, contents: &[u8]) -> Result<(), String> {
    let message = |error: std::io::Error| format!("can't write {}: {error}", path.display());
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if target.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return std::fs::write(&target, contents).map_err(message);
    }
    let path = target.as_path();
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    std::fs::write(&part, contents).and_then(|()| std::fs::rename(&part, path)).map_err(|error| {
        let _ = std::fs::remove_file(&part);
        message(error)
    })
}
