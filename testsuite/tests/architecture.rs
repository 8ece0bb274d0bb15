//! The house: one-way edges between crates, and file sizes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What each crate may know of the others. A new edge is a change of architecture: `ARCHITECTURE.md` gives the reason.
const EDGES: &[(&str, &[&str])] = &[
    ("fun-base", &[]),
    ("fun-index", &["fun-base"]),
    ("fun-certify", &["fun-base", "fun-index"]),
    ("fun", &["fun-base"]),
    ("funmem", &["fun-base", "fun-index", "fun"]),
    ("imp", &["fun-base", "fun-index"]),
    ("fun-frontend", &["fun-base", "fun"]),
    ("fun-passes", &["fun-base", "fun-index", "fun", "funmem", "imp"]),
    ("fun-runtime", &["fun-base"]),
    ("fun-cranelift", &["fun-base", "fun-index", "imp", "fun-runtime"]),
    ("fun-c", &["fun-base", "fun-index", "imp", "fun-runtime"]),
    (
        "fun-verify",
        &[
            "fun-base",
            "fun-certify",
            "fun-frontend",
            "fun-index",
            "fun",
            "funmem",
            "imp",
            "fun-passes",
            "fun-cranelift",
        ],
    ),
    (
        "fun-spec",
        &[
            "fun-base",
            "fun-frontend",
            "fun",
            "funmem",
            "imp",
            "fun-passes",
            "fun-c",
            "fun-cranelift",
            "fun-verify",
        ],
    ),
    (
        "fun-library",
        &["fun-base", "fun-frontend", "funmem", "imp", "fun-passes", "fun-cranelift", "fun-c", "fun-verify"],
    ),
    (
        "fun-cli",
        &[
            "fun-base",
            "fun-certify",
            "fun-frontend",
            "fun",
            "funmem",
            "imp",
            "fun-passes",
            "fun-cranelift",
            "fun-c",
            "fun-verify",
            "fun-spec",
            "fun-library",
        ],
    ),
    (
        "fun-testsuite",
        &[
            "fun-base",
            "fun-frontend",
            "fun",
            "funmem",
            "imp",
            "fun-passes",
            "fun-cranelift",
            "fun-c",
            "fun-verify",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Normal dependencies of each crate of the workspace on others of it.
fn edges() -> BTreeMap<String, Vec<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = std::process::Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut edges = BTreeMap::new();
    for package in packages {
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let of_workspace = dependencies
            .iter()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|name| names.contains(name));
        edges.insert(
            package["name"].as_str().expect("a name").to_owned(),
            of_workspace.map(str::to_owned).collect(),
        );
    }
    edges
}

#[test]
fn crates_know_only_those_below_them() {
    for (name, known) in edges() {
        let allowed = EDGES.iter().find(|(crate_name, _)| *crate_name == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("crate {name} is not in the table of edges"));
        for other in known {
            assert!(allowed.contains(&other.as_str()), "{name} must not know {other}");
        }
    }
}

#[test]
fn nothing_knows_the_command() {
    assert!(EDGES.iter().all(|(_, known)| !known.contains(&"fun-cli")));
}

/// Source files of the workspace.
fn source_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != ".git" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn files_stay_small_and_say_what_they_are() {
    for path in source_files() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let lines = text.lines().count();
        assert!(lines <= 1000, "{} has {lines} lines: split it by construct", path.display());
        assert!(text.starts_with("//!"), "{} does not begin with a module header", path.display());
    }
}

/// Paths that a document names in backticks: those with a slash and an extension, relative to the repository.
fn paths_named(document: &str) -> Vec<String> {
    let quoted = document.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| {
        let plain = text.chars().all(|c| c.is_alphanumeric() || "/_-.".contains(c));
        plain && text.contains('/') && !text.starts_with('.') && Path::new(text).extension().is_some()
    };
    quoted.filter(is_path).map(str::to_owned).collect()
}

#[test]
fn the_map_names_every_file_and_no_other() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap_or_else(|_| panic!("{name}"));
    let map = read("ARCHITECTURE.md");
    let root = root();
    for path in source_files() {
        let name = path.strip_prefix(&root).expect("inside the repository").display().to_string();
        let is_test = name.contains("/tests/") || name.ends_with("/tests.rs");
        assert!(is_test || map.contains(&format!("`{name}`")), "ARCHITECTURE.md does not name {name}");
    }
    for document in
        ["ARCHITECTURE.md", "README.md", "TESTING.md", "docs/add-a-pass.md", "docs/add-an-operator.md"]
    {
        for path in paths_named(&read(document)) {
            assert!(root.join(&path).exists(), "{document} names {path}, which does not exist");
        }
    }
}
