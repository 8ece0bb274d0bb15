//! A stand-in for CUDA's driver and compiler, which runs kernels on the processor (`testsuite/cuda/stand_in.c`).

use super::{Folder, Outcome, outcome, repository, without_c_compiler};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with libraries that stand for CUDA's.
pub struct StandIn(Folder);

impl StandIn {
    /// Compiles the stand-in under these names; none where there is no compiler.
    pub fn new(names: &[&str]) -> Option<StandIn> {
        if without_c_compiler() {
            return None;
        }
        if Command::new("c++").arg("--version").output().is_err() {
            eprintln!("skipped: no C++ compiler");
            return None;
        }
        let folder = Folder::new();
        let header = repository("testsuite/cuda/stand_in.h").canonicalize().expect("the header");
        for name in names {
            let made = Command::new("cc")
                .args(["-O1", "-w", "-shared", "-fPIC", "-o"])
                .arg(folder.path(name))
                .arg(format!("-DSTAND_IN_HEADER=\"{}\"", header.display()))
                .arg(repository("testsuite/cuda/stand_in.c"))
                .arg("-ldl")
                .status()
                .expect("the C compiler starts");
            assert!(made.success(), "the stand-in is C");
        }
        Some(StandIn(folder))
    }

    pub fn whole() -> Option<StandIn> {
        StandIn::new(&["libcuda.so.1", "libnvrtc.so.13"])
    }

    pub fn path(&self) -> PathBuf {
        self.0.path("")
    }

    /// Runs `fun` with these libraries.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        self.run_as("90", arguments, input)
    }

    /// The same on a device of this compute capability.
    pub fn run_as(&self, capability: &str, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
        command.args(arguments).env("LD_LIBRARY_PATH", self.path()).env("STAND_IN_CAPABILITY", capability);
        outcome(&mut command, input)
    }

    /// Runs `fun`, or an executable, with these libraries and variables.
    pub fn run_with(
        &self,
        program: &Path,
        variables: &[(&str, &str)],
        arguments: &[&str],
        input: &[u8],
    ) -> Outcome {
        let path =
            if program.as_os_str().is_empty() { Path::new(env!("CARGO_BIN_EXE_fun")) } else { program };
        let mut command = Command::new(path);
        command.args(arguments).env("LD_LIBRARY_PATH", self.path()).envs(variables.iter().copied());
        outcome(&mut command, input)
    }
}
