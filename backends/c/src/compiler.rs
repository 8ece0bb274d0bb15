//! The system's C compiler: finding it, calling it, and keeping what it made.
//!
//! The cache is a folder (`$XDG_CACHE_HOME/fun/c`, or `~/.cache/fun/c`) with a source and a library for each text, compiler, flags
//! and processor. Both are written under temporary names and renamed, so that nobody sees half of one; a library is taken only
//! where the source beside it is the text asked for.

use crate::CompileError;
use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

/// How programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The compiler's level of optimisation, 0 to 3.
    pub level: u8,
    /// Warnings are errors; for tests.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { level: 3, strict: false }
    }
}

/// A C compiler that was found.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: OsString,
    /// Words of `CC` behind the first.
    words: Vec<OsString>,
    /// The first line that it says of itself.
    version: String,
    /// Whether it is GCC.
    is_gcc: bool,
    options: Options,
    cache: Option<PathBuf>,
}

/// A folder that goes when this does.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // what can't be removed stays for the system to remove
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is tried when `CC` names no compiler.
const NAMES: [&str; 3] = ["cc", "gcc", "clang"];

impl Compiler {
    /// The compiler that `CC` names, or else the first of `cc`, `gcc` and `clang` that there is.
    pub fn find(options: Options) -> Result<Compiler, CompileError> {
        let chosen = env::var("CC").unwrap_or_default();
        let mut words = chosen.split_whitespace().map(OsString::from);
        if let Some(program) = words.next() {
            let words = words.collect();
            return Compiler::called(program, words, options).map_err(|error| {
                CompileError::of_machine(format!("no C compiler: CC is `{chosen}`: {error}"))
            });
        }
        for name in NAMES {
            if let Ok(found) = Compiler::called(name.into(), Vec::new(), options) {
                return Ok(found);
            }
        }
        let tried = NAMES.join(", ");
        Err(CompileError::of_machine(format!("no C compiler: tried {tried}; the variable CC may name one")))
    }

    /// The compiler of this name, if it answers.
    fn called(program: OsString, words: Vec<OsString>, options: Options) -> io::Result<Compiler> {
        let output = Command::new(&program).args(&words).arg("--version").output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("`--version` ends with {}", output.status)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or_default().to_owned();
        let is_gcc = text.contains("Free Software Foundation");
        Ok(Compiler { program, words, version, is_gcc, options, cache: cache_folder() })
    }

    /// What the compiler says of itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The same, keeping libraries in this folder; nowhere when there is none.
    pub fn with_cache(self, cache: Option<PathBuf>) -> Compiler {
        Compiler { cache, ..self }
    }

    fn flags(&self) -> Vec<String> {
        let mut flags = ["-fPIC", "-shared", "-fvisibility=hidden"].map(str::to_owned).to_vec();
        flags.extend(self.code_flags());
        flags
    }

    /// The flags that matter for the code.
    fn code_flags(&self) -> Vec<String> {
        let mut flags = vec!["-std=c11".to_owned()];
        flags.push(format!("-O{}", self.options.level));
        // `native` for what the machine has; the rest keeps the meaning of floats and of memory
        for flag in [
            "-march=native",
            "-fno-math-errno",
            "-fno-trapping-math",
            "-ffp-contract=off",
            "-fno-strict-aliasing",
            "-fopenmp-simd",
            "-pthread",
        ] {
            flags.push(flag.to_owned());
        }
        if self.is_gcc && cfg!(target_arch = "x86_64") {
            // loops that fill a few hundred bytes become `rep stos` otherwise, which takes long to start
            flags.push("-mmemset-strategy=libcall:-1:noalign".to_owned());
        }
        if self.options.strict {
            flags.extend(["-Wall", "-Wextra", "-Werror"].map(str::to_owned));
        } else {
            flags.push("-w".to_owned());
        }
        flags
    }

    /// Compiles a text that has a `main` to an executable, which is there whole or not at all, beside its source, `PATH.c`. It has the C
    /// library in it where the linker can do that: it then starts with a megabyte less. Not so programs with kernels, which load libraries.
    /// `CFLAGS` may have more flags.
    pub fn build_executable(&self, text: &str, path: &Path) -> Result<(), CompileError> {
        let loads = text.contains("#include <dlfcn.h>");
        self.build_beside(text, path, path, |flags, object, made| {
            let whole = if loads { None } else { self.link(flags, &["-static"], object, made).ok() };
            whole.map_or_else(|| self.link(flags, &[], object, made), Ok)
        })
    }

    /// Compiles the text of a library to a shared library, `made`, with its source in `PATH.c`, in the same way.
    pub fn build_library(&self, text: &str, path: &Path, made: &Path) -> Result<(), CompileError> {
        self.build_beside(text, path, made, |flags, object, made| {
            self.link(flags, &["-shared"], object, made)
        })
    }

    /// Compiles the text of a library to a static library, `PATH.a`, beside its source, `PATH.c`. The archiver is what `AR` names, or `ar`.
    pub fn build_static_library(&self, text: &str, path: &Path) -> Result<(), CompileError> {
        self.build_beside(text, path, &with_ending(path, "a"), |_, object, made| {
            archive(&[object.to_path_buf()], made)
        })
    }

    /// Links object files to a shared library.
    pub(crate) fn link_shared(&self, objects: &[PathBuf], made: &Path) -> Result<(), CompileError> {
        let mut command = self.command(&[]);
        command.args(["-shared", "-pthread", "-o"]).arg(made).args(objects).arg("-lm");
        if cfg!(target_os = "linux") {
            // what the program does not call, and a stack without code
            command.args(["-Wl,--gc-sections", "-Wl,-z,noexecstack"]);
        }
        finish("linker", &self.program, command)
    }

    /// Makes an object file what these flags for the linker say.
    fn link(&self, flags: &[String], way: &[&str], object: &Path, made: &Path) -> Result<(), CompileError> {
        let mut command = self.command(flags);
        command.args(way).arg("-o").arg(made).arg(object).arg("-lm");
        self.finish(command)
    }

    /// Compiles a text, and makes something of its object file with the flags that it has.
    fn build_beside(
        &self,
        text: &str,
        path: &Path,
        made: &Path,
        make: impl Fn(&[String], &Path, &Path) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = |end: &str| path.with_file_name(format!(".{name}.{}.{end}", unique()));
        let (source, object, part) = (unfinished("c"), unfinished("o"), unfinished("part"));
        let built = fs::write(&source, text).map_err(|error| no_folder(made, &error)).and_then(|()| {
            let flags = self.make_object(&source, &object)?;
            make(&flags, &object, &part)?;
            let kept = with_ending(path, "c");
            let renamed = fs::rename(&part, made).and_then(|()| fs::rename(&source, &kept));
            renamed.map_err(|error| no_folder(made, &error))
        });
        for unfinished in [source, object, part] {
            // those that a failed attempt left, and the object
            let _ = fs::remove_file(unfinished);
        }
        built
    }

    /// Compiles a source to an object file, and gives the flags, which are for the linker too.
    fn make_object(&self, source: &Path, object: &Path) -> Result<Vec<String>, CompileError> {
        let more = env::var("CFLAGS").unwrap_or_default();
        let mut flags = self.code_flags();
        flags.extend(more.split_whitespace().map(str::to_owned));
        let mut command = self.command(&flags);
        // libraries lie anywhere; in executables it costs nothing
        command.args(["-fPIC", "-fvisibility=hidden"]);
        command.arg("-c").arg("-o").arg(object).arg(source);
        match self.finish(command) {
            Err(error) if !more.is_empty() => {
                Err(CompileError::of_machine(format!("{error}\nwith CFLAGS={more}")))
            }
            done => done.map(|()| flags),
        }
    }

    /// What `load` makes of the library for a text. A library that was kept and does not load is made anew; where nothing can be kept, it is made
    /// in a folder of its own.
    pub(crate) fn build<T>(
        &self,
        text: &str,
        load: impl Fn(&Path) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let flags = self.flags();
        if let Some(cache) = self.cache.as_ref().filter(|cache| make_private(cache).is_ok()) {
            let name = self.key(text, &flags);
            let library = cache.join(format!("{name}.so"));
            let source = fs::read(cache.join(format!("{name}.c")));
            let is_known = source.is_ok_and(|known| known == text.as_bytes()) && library.exists();
            let known = if is_known { load(&library).ok() } else { None };
            let loaded = match known {
                Some(loaded) => Ok(loaded),
                None => self.make(cache, &name, text, &flags).and_then(|library| load(&library)),
            };
            // (what the compiler refuses it refuses there, too)
            if let Ok(loaded) = loaded {
                return Ok(loaded);
            }
        }
        let folder = env::temp_dir().join(format!("fun-c-{}", unique()));
        make_private(&folder).map_err(|error| no_folder(&folder, &error))?;
        let temporary = Temporary(folder);
        load(&self.make(&temporary.0, "program", text, &flags)?)
    }

    /// Compiles a text to `NAME.so` in a folder, beside `NAME.c`.
    fn make(&self, folder: &Path, name: &str, text: &str, flags: &[String]) -> Result<PathBuf, CompileError> {
        // other processes may make the same at this time
        let unfinished = format!("{name}.{}", unique());
        let [source, object] = ["c", "so"].map(|end| folder.join(format!("{unfinished}.tmp.{end}")));
        let made = self.call(&source, &object, text, flags);
        let [library, kept] = ["so", "c"].map(|end| folder.join(format!("{name}.{end}")));
        let renamed = made.and_then(|()| {
            // the library first: it is taken only when the source is there
            let rename = fs::rename(&object, &library).and_then(|()| fs::rename(&source, &kept));
            rename.map_err(|error| no_folder(folder, &error))
        });
        if renamed.is_err() {
            // what is left of a failed attempt
            let _ = (fs::remove_file(&source), fs::remove_file(&object));
        }
        renamed.map(|()| library)
    }

    fn call(&self, source: &Path, object: &Path, text: &str, flags: &[String]) -> Result<(), CompileError> {
        fs::write(source, text).map_err(|error| no_folder(source, &error))?;
        let mut command = self.command(flags);
        command.arg("-o").arg(object).arg(source).arg("-lm");
        self.finish(command)
    }

    fn command(&self, flags: &[String]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.words).args(flags);
        command
    }

    /// Runs the compiler; what it says is the error when it fails.
    fn finish(&self, command: Command) -> Result<(), CompileError> {
        finish(&format!("C compiler ({})", self.version), &self.program, command)
    }

    /// A name for what a compiler makes of a text.
    fn key(&self, text: &str, flags: &[String]) -> String {
        let hash = |part: u8| {
            let mut hasher = DefaultHasher::new();
            (part, text, flags, &self.version, &self.program, &self.words, processor()).hash(&mut hasher);
            hasher.finish()
        };
        format!("{:016x}{:016x}", hash(0), hash(1))
    }
}

/// Puts object files into a static library.
pub(crate) fn archive(objects: &[PathBuf], made: &Path) -> Result<(), CompileError> {
    let archiver = env::var_os("AR").filter(|name| !name.is_empty()).unwrap_or_else(|| "ar".into());
    let mut command = Command::new(&archiver);
    command.arg("rcs").arg(made).args(objects);
    finish("archiver", &archiver, command)
}

/// Runs a tool; what it says is the error when it fails.
pub(crate) fn finish(what: &str, program: &OsStr, mut command: Command) -> Result<(), CompileError> {
    let name = program.to_string_lossy();
    let output = command
        .output()
        .map_err(|error| CompileError::of_machine(format!("the {what} `{name}` does not start: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first: Vec<&str> = said.lines().take(20).collect();
    Err(CompileError::new(format!("the {what} `{name}` refuses the program:\n{}", first.join("\n"))))
}

pub(crate) fn no_folder(path: &Path, error: &io::Error) -> CompileError {
    CompileError::of_machine(format!("can't write {}: {error}", path.display()))
}

/// What the processor can, as the system tells it: code for it need not run on another.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let telling =
        |line: &&str| ["flags", "Features", "model name"].iter().any(|start| line.starts_with(start));
    let first = text.split("\n\n").next().unwrap_or_default();
    first.lines().filter(telling).collect::<Vec<_>>().join("\n")
}

/// `prog.so` for `prog`.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
}

/// A word that no other process or call has.
pub(crate) fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The folder, made where it is missing, for this user alone: code is loaded from it.
fn make_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Where libraries are kept; nowhere for who has no home.
fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = env::var_os(name).filter(|value| Path::new(value).is_absolute());
        value.as_deref().map(|value: &OsStr| PathBuf::from(value))
    };
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(caches.join("fun").join("c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_is_named() {
        let error = Compiler::called("no-such-compiler".into(), Vec::new(), Options::default()).err();
        assert!(error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound));
    }

    /// Processes that make the same library at once do not share files before these are whole.
    #[test]
    fn unfinished_files_are_of_one_attempt() {
        let folder = tempfile::tempdir().expect("a folder");
        let compiler = Compiler {
            program: "sh".into(),
            // keeps what it is told to write in mind
            words: [
                "-c".into(),
                format!("echo \"$@\" >> '{}'; exit 1", folder.path().join("told").display()).into(),
            ]
            .into(),
            version: "1".to_owned(),
            is_gcc: false,
            options: Options::default(),
            cache: None,
        };
        for _ in 0..2 {
            assert!(compiler.make(folder.path(), "name", "", &[]).is_err());
        }
        let told = fs::read_to_string(folder.path().join("told")).expect("what was told");
        let files =
            |line: &str| line.split(' ').filter(|word| word.contains(".tmp.")).map(str::to_owned).collect();
        let told: Vec<Vec<String>> = told.lines().map(files).collect();
        let [first, second] = told.as_slice() else { panic!("two attempts: {told:?}") };
        assert!(first.len() == 2 && second.len() == 2, "{told:?}");
        assert!(first.iter().all(|file| !second.contains(file)), "{told:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "only what was told is left");
    }

    #[test]
    fn keys_tell_texts_and_flags_apart() {
        let compiler = Compiler {
            program: "cc".into(),
            words: Vec::new(),
            version: "1".to_owned(),
            is_gcc: false,
            options: Options::default(),
            cache: None,
        };
        let a = compiler.flags();
        let b = Compiler { options: Options { level: 0, ..compiler.options }, ..compiler.clone() }.flags();
        assert_eq!(compiler.key("x", &a), compiler.key("x", &a));
        assert_ne!(compiler.key("x", &a), compiler.key("y", &a));
        assert_ne!(compiler.key("x", &a), compiler.key("x", &b));
    }
}
