//! Compiled kernels on disk: they are taken where they are what the program needs, and made again otherwise.

use super::{Folder, Outcome, fun};
use std::path::{Path, PathBuf};

/// How a test runs a command, `fun` where it is empty, with these variables, arguments and standard input.
pub type Runner<'r> = &'r dyn Fn(&Path, &[(&str, &str)], &[&str], &[u8]) -> Outcome;

const TWICE: &str = "entry main [n] (xs: [n]i32) = map (* 2) xs";
const SUM: &str = "entry main [n] (xs: [n]i32) = reduce (+) 0 xs";

/// What a run says of its kernels.
#[track_caller]
fn said(outcome: &Outcome, result: &str) -> &'static str {
    assert_eq!(outcome.printed(), result, "{}", outcome.stderr);
    let ways = ["kernels compiled", "kernels kept from before"];
    let found: Vec<_> = ways.into_iter().filter(|way| outcome.stderr.contains(way)).collect();
    let [way] = found[..] else { panic!("{}", outcome.stderr) };
    way
}

#[track_caller]
fn compiles(outcome: &Outcome, result: &str) {
    assert_eq!(said(outcome, result), "kernels compiled");
}

#[track_caller]
fn takes(outcome: &Outcome, result: &str) {
    assert_eq!(said(outcome, result), "kernels kept from before");
}

/// The files with kernels in a folder of caches; there is nothing unfinished.
#[track_caller]
fn files(caches: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(caches.join("fun/c")).expect("the folder");
    let paths: Vec<_> = found.map(|file| file.expect("a file").path()).collect();
    let (kernels, rest): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| path.extension().is_some_and(|end| end == "kernels"));
    for path in rest {
        assert!(!path.to_string_lossy().contains(".kernels"), "{} is unfinished", path.display());
    }
    kernels
}

/// A file with the same parts but other code, whose hash is right: FNV-1a of the three parts, from zero.
fn with_other_code(file: &[u8]) -> Vec<u8> {
    let length = |at: usize| {
        let bytes = file[at..at + 8].try_into().expect("eight bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("a length")
    };
    let code = length(24);
    assert_eq!(file.len(), 40 + length(8) + length(16) + code, "the lengths are those of the parts");
    let mut other = file.to_vec();
    let start = file.len() - code;
    other[start..].fill(b'x');
    let hash = |bytes: &[u8]| {
        bytes.iter().fold(0_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    };
    assert_eq!(file[32..40], hash(&file[40..]).to_le_bytes(), "the hash is that of the parts");
    let new = hash(&other[40..]).to_le_bytes();
    other[32..40].copy_from_slice(&new);
    other
}

/// Kernels of `fun run` are kept in the folder of caches, whatever files there are.
#[track_caller]
pub fn in_the_folder(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let (twice, sum) = (folder.file("twice.fut", TWICE), folder.file("sum.fut", SUM));
    let caches = folder.path("caches");
    let place = caches.display().to_string();
    let on = [("XDG_CACHE_HOME", place.as_str()), ("FUN_DEVICE_TIMES", "1")];
    let off = [on[0], on[1], ("FUN_KERNEL_CACHE", "off")];
    let with = |variables: &[(&str, &str)], program: &str| {
        run(Path::new(""), variables, &["run", "--backend", backend, program], b"[1, 2, 3]")
    };
    let doubled = "[2i32, 4i32, 6i32]\n";
    compiles(&with(&off, &twice), doubled);
    assert_eq!(files(&caches).len(), 0, "nothing is kept");
    compiles(&with(&on, &twice), doubled);
    takes(&with(&on, &twice), doubled);
    compiles(&with(&off, &twice), doubled);
    let [kept] = &files(&caches)[..] else { panic!("one file") };
    let whole = std::fs::read(kept).expect("the file");
    compiles(&with(&on, &sum), "6i32\n");
    takes(&with(&on, &sum), "6i32\n");
    assert_eq!(files(&caches).len(), 2);
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let huge: Vec<u8> = whole[..8].iter().copied().chain([0xff; 32]).chain(whole[40..].to_vec()).collect();
    let spoilt = [
        Vec::new(),
        b"nothing like it".to_vec(),
        whole[..39].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        [&whole[..], b"x"].concat(),
        huge,
        // the version, a length, the hash, what it is for, and the code
        changed(7),
        changed(8),
        changed(33),
        changed(41),
        changed(whole.len() - 20),
        with_other_code(&whole),
    ];
    for (number, bytes) in spoilt.iter().enumerate() {
        std::fs::write(kept, bytes).expect("a file");
        compiles(&with(&on, &twice), doubled);
        assert_eq!(files(&caches).len(), 2, "spoilt file {number}");
        takes(&with(&on, &twice), doubled);
    }
}

/// Executables keep kernels in the file that they are told, or in the folder, and run where they can't.
#[track_caller]
pub fn by_executables(backend: &str, run: Runner<'_>) {
    let folder = Folder::new();
    let [twice, sum] = [("twice", TWICE), ("sum", SUM)].map(|(name, text)| {
        let program = folder.file(&format!("{name}.fut"), text);
        let executable = folder.path(name);
        let made =
            ["compile", "--exe", "--backend", backend, &program, "-o", &executable.display().to_string()];
        fun(&made, b"").printed();
        executable
    });
    let blocked = folder.file("blocked", "this is no folder");
    // PoCL has a cache of its own, which it does not run without
    let own = folder.path("pocl").display().to_string();
    let on =
        [("XDG_CACHE_HOME", blocked.as_str()), ("FUN_DEVICE_TIMES", "1"), ("POCL_CACHE_DIR", own.as_str())];
    let (doubled, file) = ("[2i32, 4i32, 6i32]\n", folder.path("kept").display().to_string());
    let with = |program: &Path, words: &[&str]| run(program, &on, words, b"[1, 2, 3]");
    // there is no folder, and none can be made
    compiles(&with(&twice, &[]), doubled);
    compiles(&with(&twice, &[]), doubled);
    compiles(&with(&twice, &["--cache-file", &file]), doubled);
    takes(&with(&twice, &["--cache-file", &file]), doubled);
    // the file is another program's then
    compiles(&with(&sum, &["--cache-file", &file]), "6i32\n");
    takes(&with(&sum, &["--cache-file", &file]), "6i32\n");
    compiles(&with(&twice, &["--cache-file", &file]), doubled);
    // a folder is no file, and nothing is left beside it
    let inner = folder.path("inner");
    std::fs::create_dir_all(inner.join("taken")).expect("a folder");
    let taken = inner.join("taken").display().to_string();
    compiles(&with(&twice, &["--cache-file", &taken]), doubled);
    compiles(&with(&twice, &["--cache-file", &taken]), doubled);
    assert_eq!(std::fs::read_dir(&inner).expect("the folder").count(), 1);
    let nowhere = folder.path("missing/kept").display().to_string();
    compiles(&with(&twice, &["--cache-file", &nowhere]), doubled);
}
