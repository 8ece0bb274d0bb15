//! Running the `fun` binary as a user would.

#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs of this module")]
#![allow(clippy::print_stderr, reason = "says what is missing")]

pub mod kept;
pub mod kernels;
pub mod stand_in;
pub mod stencils;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the binary gave.
pub struct Outcome {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Outcome {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Fails the test unless the run was refused with exit status 1, without a panic, and with all `parts` in its messages.
    #[track_caller]
    pub fn refused_with(&self, parts: &[&str]) {
        assert_eq!(self.status, 1, "stdout: {}\nstderr: {}", self.text(), self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in:\n{}", self.stderr);
        }
    }

    /// Fails the test unless the run ended well; gives what it printed.
    #[track_caller]
    pub fn printed(&self) -> String {
        assert_eq!(self.status, 0, "stdout: {}\nstderr: {}", self.text(), self.stderr);
        self.text()
    }
}

/// Runs `fun` with these arguments and this standard input.
pub fn fun(arguments: &[&str], input: &[u8]) -> Outcome {
    outcome(Command::new(env!("CARGO_BIN_EXE_fun")).args(arguments).env("FUN_HISTORY", ""), input)
}

/// Whether there is no C compiler, so that a test can only pass; says so.
pub fn without_c_compiler() -> bool {
    let found =
        ["cc", "gcc", "clang"].iter().any(|name| Command::new(name).arg("--version").output().is_ok());
    if !found {
        eprintln!("skipped: no C compiler");
    }
    !found
}

/// Runs a command with this standard input.
pub fn outcome(command: &mut Command, input: &[u8]) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // A program that stops early closes its input: that is no failure of the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer does not panic");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Outcome { status: output.status.code().unwrap_or(-1), stdout: output.stdout, stderr }
}

/// A folder of the test's own, with files in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).expect("a file");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Runs the entry `main` of a source text.
pub fn run_source(source: &str, input: &str) -> Outcome {
    let folder = Folder::new();
    let path = folder.file("program.fut", source);
    fun(&["run", &path], input.as_bytes())
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The programs with inputs in their stanzas, by their paths in the repository.
pub fn corpus() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for folder in ["examples", "bench/memory", "testsuite/memory"] {
        let (root, mut paths) = (repository(folder), Vec::new());
        programs(&root, &mut paths);
        let name = |path: &Path| format!("{folder}/{}", path.strip_prefix(&root).expect("inside").display());
        found.extend(paths.into_iter().map(|path| (name(&path), path)));
    }
    found
}

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "fut") {
            found.push(path);
        }
    }
}

/// A Python with NumPy: what `PYTHON` names, or `python3`; says so where there is none.
pub fn python() -> Option<OsString> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let version = "import sys, numpy; sys.exit(sys.version_info < (3, 11))";
    let found =
        Command::new(&python).args(["-c", version]).output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!(
            "skipped: {} is no Python 3.11 with NumPy (the variable PYTHON may name one)",
            python.display()
        );
    }
    found.then_some(python)
}
