//! The files that a program consists of: its main file and what that imports, directly or not.
//!
//! The front end reads no files: whoever calls it says how.

use crate::parse::parse_program;
use crate::syntax::{Declaration, Import, ModuleExp, ModuleExpKind, Program};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Gives the text of the file with this path; the error is a message for the user.
pub type Read<'r> = &'r dyn Fn(&str) -> Result<Source, String>;

/// The main file and, once the front end has seen it, what it imports, in the order of the indices that spans carry.
pub struct Sources<'r> {
    /// The texts.
    pub list: Vec<Source>,
    /// What imports in the main file are relative to; empty for the current directory.
    directory: String,
    read: Option<Read<'r>>,
    /// What `#[param(name)]` stands for instead of the value of its expression.
    pub parameters: BTreeMap<Symbol, i64>,
}

impl<'r> Sources<'r> {
    /// A text that can import nothing but the prelude.
    pub fn alone(source: Source) -> Sources<'r> {
        Sources { list: vec![source], directory: String::new(), read: None, parameters: BTreeMap::new() }
    }

    /// A text whose imports are relative to a directory.
    pub fn importing(source: Source, directory: &str, read: Read<'r>) -> Sources<'r> {
        Sources {
            list: vec![source],
            directory: directory.to_owned(),
            read: Some(read),
            parameters: BTreeMap::new(),
        }
    }
}

impl Sources<'_> {
    /// What an import of the main file resolves to.
    fn main_path(&self) -> Option<Symbol> {
        let file = self.list[0].name.as_str();
        let file = file.rsplit_once('/').map_or(file, |(_, file)| file).strip_suffix(".fut")?;
        Some(Symbol::new(&resolve(&self.directory, file)))
    }
}

/// An imported file.
pub(crate) struct File {
    /// What imports resolve to.
    pub(crate) path: Symbol,
    /// Its declarations, when it could be parsed.
    pub(crate) program: Option<Program>,
}

/// All files of a program, those that are imported before those that import them.
pub(crate) struct Files {
    pub(crate) imported: Vec<File>,
    pub(crate) main: Program,
    /// The directory of each source.
    pub(crate) directories: Vec<Symbol>,
    /// What is wrong with the texts and imports, the main file's own text apart.
    pub(crate) errors: Vec<Diagnostic>,
}

/// Parses the main file and everything that it imports. When the main file has no syntax, that is all there is to say.
pub(crate) fn load(sources: &mut Sources) -> Result<Files, Vec<Diagnostic>> {
    let main = parse_program(&sources.list[0], 0)?;
    let directories = vec![Symbol::new(&sources.directory)];
    let main_path = sources.main_path();
    let mut loader = Loader {
        sources,
        known: BTreeSet::new(),
        chain: main_path.map(|path| (path, 0)).into_iter().collect(),
        files: Files { imported: Vec::new(), main: Program::default(), directories, errors: Vec::new() },
    };
    loader.imports(0, &main);
    Ok(Files { main, ..loader.files })
}

struct Loader<'s, 'r> {
    sources: &'s mut Sources<'r>,
    /// The paths of all files so far.
    known: BTreeSet<Symbol>,
    /// The files that are being loaded, each imported by the one before: path and index.
    chain: Vec<(Symbol, usize)>,
    files: Files,
}

impl Loader<'_, '_> {
    /// Loads what the file of this index imports.
    fn imports(&mut self, index: u32, program: &Program) {
        let mut imports = Vec::new();
        program.declarations.iter().for_each(|declaration| in_declaration(declaration, &mut imports));
        for import in imports.into_iter().filter(|import| !import.path.as_str().starts_with("/prelude/")) {
            let directory = self.files.directories[index as usize];
            self.import(Symbol::new(&resolve(directory.as_str(), import.path.as_str())), &import);
        }
    }

    fn import(&mut self, path: Symbol, import: &Import) {
        if let Some(start) = self.chain.iter().position(|(known, _)| *known == path) {
            let indices = self.chain[start..].iter().chain([&self.chain[start]]).map(|(_, index)| *index);
            let chain: Vec<String> =
                indices.map(|index| format!("`{}`", self.sources.list[index].name)).collect();
            let message = format!("files cannot import each other: {}", chain.join(" imports "));
            self.files.errors.push(Diagnostic::error("E0240", message).at(import.span));
            // Nothing can be said about its names here.
            self.files.imported.push(File { path, program: None });
            return;
        }
        if !self.known.insert(path) {
            return;
        }
        let read = self
            .sources
            .read
            .map_or_else(|| Err("files cannot be imported here".to_owned()), |read| read(path.as_str()));
        let source = match read {
            Ok(source) => source,
            Err(message) => {
                self.files.errors.push(Diagnostic::error("E0240", message).at(import.span));
                self.files.imported.push(File { path, program: None });
                return;
            }
        };
        let index = self.sources.list.len() as u32;
        let directory = path.as_str().rsplit_once('/').map_or("", |(directory, _)| directory);
        let directory = if directory.is_empty() && path.as_str().starts_with('/') { "/" } else { directory };
        self.files.directories.push(Symbol::new(directory));
        let parsed = parse_program(&source, index);
        self.sources.list.push(source);
        let program = match parsed {
            Ok(program) => {
                self.chain.push((path, index as usize));
                self.imports(index, &program);
                self.chain.pop();
                Some(program)
            }
            Err(mut errors) => {
                self.files.errors.append(&mut errors);
                None
            }
        };
        self.files.imported.push(File { path, program });
    }
}

fn in_declaration(declaration: &Declaration, imports: &mut Vec<Import>) {
    match declaration {
        Declaration::Import(import) => imports.push(import.clone()),
        Declaration::Module(_, module) | Declaration::Open(module) => in_module(module, imports),
        Declaration::Local(inner) => in_declaration(inner, imports),
        Declaration::Value(_) | Declaration::Type(_) | Declaration::ModuleType(..) => {}
    }
}

fn in_module(module: &ModuleExp, imports: &mut Vec<Import>) {
    match &module.kind {
        ModuleExpKind::Import(import) => imports.push(import.clone()),
        ModuleExpKind::Structure(declarations) => {
            declarations.iter().for_each(|declaration| in_declaration(declaration, imports));
        }
        ModuleExpKind::Ascription(inner, _) => in_module(inner, imports),
        ModuleExpKind::Lambda(lambda) => in_module(&lambda.body, imports),
        ModuleExpKind::Apply(function, arg) => {
            in_module(function, imports);
            in_module(arg, imports);
        }
        ModuleExpKind::Name(_) => {}
    }
}

/// The path of an imported file: relative to a directory, with the extension, without `.` and `..` where that is possible.
pub(crate) fn resolve(directory: &str, path: &str) -> String {
    let whole = match path.starts_with('/') {
        true => format!("{path}.fut"),
        false => format!("{directory}/{path}.fut"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') && (path.starts_with('/') || directory.starts_with('/')) {
        "/"
    } else {
        ""
    };
    format!("{root}{}", parts.join("/"))
}
