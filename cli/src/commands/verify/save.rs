//! Disagreements as case files for the suite.

use crate::compile::{Failure, Loaded};
use crate::files;
use fun_base::name::Symbol;
use fun_base::source::Source;
use fun_passes::program::{Program, Stage};
use fun_verify::{Disagreement, Options, stages};
use std::path::{Path, PathBuf};

/// Writes a case file that runs the program on the inputs that show the disagreement; gives its path. The expectation is what the
/// value semantics gives.
pub(super) fn save(
    folder: &Path,
    path: &Path,
    loaded: &Loaded,
    found: &Disagreement,
) -> Result<PathBuf, Failure> {
    // A program of several files is saved as the one program that it becomes.
    let source = match &loaded.sources[..] {
        [source] => Some(source),
        _ => None,
    };
    let (extension, text) = match source {
        Some(source) => {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            (extension, without_case(&source.text))
        }
        None => (loaded.program.stage().name(), loaded.program.print()),
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("program");
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("can't make the folder {}: {error}", folder.display()))?;
    let name = |k: u32| {
        let number = if k == 0 { String::new() } else { format!("_{k}") };
        format!("{stem}_{}{number}.{extension}", found.entry)
    };
    let name = (0..).map(name).find(|name| !folder.join(name).exists()).unwrap_or_default();
    let comment = if extension == "fut" { "--" } else { "//" };
    let inputs: Vec<String> = found.inputs.iter().map(ToString::to_string).collect();
    let remark: String =
        found.to_string().lines().map(|line| format!("{comment} {}\n", line.trim())).collect();
    let program = format!("{comment} case: run {} ( {} )\n{remark}{text}", found.entry, inputs.join(" "));
    let expected: String = expected(&name, &program, extension, found)
        .lines()
        .map(|line| format!("{comment} {line}\n"))
        .collect();
    let case = folder.join(name);
    files::write_file(&case, format!("{program}{comment} ---\n{expected}").as_bytes())?;
    Ok(case)
}

/// The program of a case file without what makes it one; any other text as it is, ending in a new line.
fn without_case(text: &str) -> String {
    let mut text = text.to_owned();
    for comment in ["//", "--"] {
        let is_header = |line: &str| {
            line.strip_prefix(comment).is_some_and(|rest| rest.trim_start().starts_with("case:"))
        };
        if text.lines().next().is_some_and(is_header) {
            let body = text.split_once('\n').map_or("", |(_, body)| body);
            let separator = format!("\n{comment} ---\n");
            text = body.split_once(&separator).map_or(body, |(program, _)| program).to_owned();
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// What the value semantics gives for the case, whose places in the source are those of the case file.
fn expected(name: &str, text: &str, extension: &str, found: &Disagreement) -> String {
    let source = Source { name: Symbol::new(name), text: text.into() };
    let program = match Stage::from_name(extension) {
        Some(stage) => stage.parse(&source).ok(),
        None => fun_frontend::compile::compile(&source).ok().map(|compiled| Program::Fun(compiled.program)),
    };
    let options = Options { limits: super::LIMITS, tolerance: 0.0, jit: false, order: 0 };
    let stages = program.and_then(|program| stages(program, &[], &options).ok());
    match stages.map(|stages| stages.reference(&found.entry, &found.inputs, &options)) {
        Some(Ok(values)) => values.iter().map(|value| format!("{value}\n")).collect(),
        Some(Err(error)) => error.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::load;
    use fun_base::value::ValueReader;
    use fun_verify::{Difference, Semantics};

    /// What is saved of a program in these files, of which the first is run on these values.
    fn saved(files: &[(&str, &str)], inputs: &str) -> (String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let path = folder.path().join(files[0].0);
        let Ok(loaded) = load(&path) else { panic!("{files:?} is refused") };
        let found = Disagreement {
            entry: "main".to_owned(),
            inputs: ValueReader::new(inputs.as_bytes()).read_all().expect("values"),
            semantics: Semantics { after: Some("simplify"), how: "the value semantics" },
            order: None,
            difference: Difference::Values("result 0: 1i32 instead of 2i32".to_owned()),
            program: Box::new(loaded.program.clone()),
        };
        let Ok(case) = save(&folder.path().join("cases"), &path, &loaded, &found) else {
            panic!("not saved")
        };
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(case).expect("a case"))
    }

    #[test]
    fn a_source_program() {
        let source = "-- ==\n-- input { 1 } output { 2 }\ndef main (x: i32) (ys: []i32) = map (+ x) ys";
        let (name, text) = saved(&[("p.fut", source)], "3i32 [1i32, 2i32]");
        assert_eq!(name, "p_main.fut");
        assert_eq!(
            text,
            format!(
                "-- case: run main ( 3i32 [1i32, 2i32] )\n\
                 -- the value semantics after pass `simplify` disagrees with the value semantics of the program as given on entry `main`\n\
                 -- result 0: 1i32 instead of 2i32\n{source}\n-- ---\n-- [4i32, 5i32]\n"
            )
        );
    }

    #[test]
    fn a_program_that_stops_has_the_places_of_the_case() {
        let (_, text) = saved(&[("p.fut", "def main (x: i32) =\n  10 / x\n")], "0i32");
        assert!(text.ends_with("-- ---\n-- division by zero at p_main.fut:5:3 in main\n"), "{text}");
    }

    #[test]
    fn a_program_of_several_files_is_saved_as_fun() {
        let files = [
            ("p.fut", "import \"lib\"\ndef main (x: i32) = twice x\n"),
            ("lib.fut", "def twice (x: i32) = 2 * x\n"),
        ];
        let (name, text) = saved(&files, "4i32");
        assert_eq!(name, "p_main.fun");
        assert!(text.starts_with("// case: run main ( 4i32 )\n") && text.contains("entry main"), "{text}");
        assert!(text.ends_with("// ---\n// 8i32\n"), "{text}");
    }
}
