//! For `build.rs`: compiles a program in FUN to a static library with a Rust module, and has it linked.
//!
//! ```no_run
//! // build.rs
//! fn main() {
//!     fun_build::compile("kernels/options.fut").expect("the kernels compile");
//! }
//! ```
//!
//! ```text
//! // src/main.rs
//! mod options {
//!     include!(concat!(env!("OUT_DIR"), "/options.rs"));
//! }
//! ```
//!
//! The command `fun` does the work: the variable `FUN` names it, or it is found on the path. The names in the libraries are the same for all
//! programs, so that a crate links one: several kernels are entry points of one program.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Compiles a program; `OUT_DIR/NAME.rs` is its module. It is compiled again when the program or a file that it imports
/// changes.
///
/// # Errors
/// `fun` can't be started or refuses the program, files can't be written, or this does not run in a build script.
pub fn compile(program: impl AsRef<Path>) -> Result<(), Box<dyn Error>> {
    let program = program.as_ref();
    let name = program.file_stem().ok_or("the program has no name")?.to_string_lossy();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is no build script")?);
    println!("cargo:rerun-if-env-changed=FUN");
    watch(program, &mut BTreeSet::new());
    let fun = env::var_os("FUN").filter(|name| !name.is_empty()).unwrap_or_else(|| "fun".into());
    let library = out.join(format!("lib{name}"));
    let output = Command::new(&fun)
        .args(["compile", "--lib", "--static", "--rust", "-o"])
        .arg(&library)
        .arg(program)
        .output()
        .map_err(|error| {
            format!("{} does not start (the variable FUN may name it): {error}", fun.to_string_lossy())
        })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    fs::rename(library.with_extension("rs"), out.join(format!("{name}.rs")))?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static={name}");
    println!("cargo:rustc-link-lib=m");
    println!("cargo:rustc-link-lib=pthread");
    Ok(())
}

/// Tells Cargo of a source and of what it imports: each `import "FILE"`, in comments too, if there is such a file.
fn watch(source: &Path, seen: &mut BTreeSet<PathBuf>) {
    println!("cargo:rerun-if-changed={}", source.display());
    let Ok(text) = fs::read_to_string(source) else { return };
    for (_, rest) in text.match_indices("import").map(|(at, word)| text.split_at(at + word.len())) {
        let name = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
        let Some(name) = name else { continue };
        let imported = source.with_file_name("").join(format!("{name}.fut"));
        if imported.is_file() && seen.insert(imported.clone()) {
            watch(&imported, seen);
        }
    }
}
