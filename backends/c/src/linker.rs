//! Libraries from object files, by a linker alone: the C compiler drives it where there is one, and nothing is compiled.

use crate::CompileError;
use crate::compiler::{Compiler, Options, archive, finish, no_folder, unique};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where `ld` looks for the C library when nobody tells it; those that are there.
const FOLDERS: [&str; 6] =
    ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu"];

/// Links object files to the shared library `made`, which is there whole or not at all: by the C compiler that `CC` names or that there is
/// (`cc`, `gcc`, `clang`), or else by `ld`.
pub fn shared_library(objects: &[&[u8]], made: &Path) -> Result<(), CompileError> {
    build(objects, made, |objects, made| match Compiler::find(Options::default()) {
        Ok(compiler) => compiler.link_shared(objects, made),
        Err(no_compiler) if env::var("CC").is_ok_and(|chosen| !chosen.trim().is_empty()) => Err(no_compiler),
        Err(_) => {
            let mut command = Command::new("ld");
            command.args(["-shared", "--gc-sections", "-z", "noexecstack", "-o"]).arg(made).args(objects);
            for folder in FOLDERS.iter().filter(|folder| Path::new(folder).is_dir()) {
                command.arg(format!("-L{folder}"));
            }
            command.args(["-l:libm.so.6", "-l:libc.so.6"]);
            finish("linker", "ld".as_ref(), command)
        }
    })
}

/// Puts object files into the static library `made`, in the same way, by the archiver that `AR` names, or `ar`.
pub fn static_library(objects: &[&[u8]], made: &Path) -> Result<(), CompileError> {
    build(objects, made, archive)
}

/// Writes object files beside what is to be made of them, has that made, and removes them.
fn build(
    objects: &[&[u8]],
    made: &Path,
    make: impl Fn(&[PathBuf], &Path) -> Result<(), CompileError>,
) -> Result<(), CompileError> {
    let name = made.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = |end: &str| made.with_file_name(format!(".{name}.{}.{end}", unique()));
    let part = unfinished("part");
    let mut files = Vec::new();
    let mut written = Ok(());
    for object in objects {
        let file = unfinished("o");
        written = written.and_then(|()| fs::write(&file, object));
        files.push(file);
    }
    let built = written.map_err(|error| no_folder(made, &error)).and_then(|()| {
        make(&files, &part)?;
        fs::rename(&part, made).map_err(|error| no_folder(made, &error))
    });
    for unfinished in files.iter().chain([&part]) {
        // the objects, and what a failed attempt left
        let _ = fs::remove_file(unfinished);
    }
    built
}
