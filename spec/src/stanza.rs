//! What the test stanzas of a file ask for.

/// All stanzas of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spec {
    /// The tags of the file, from `tags { … }`.
    pub tags: Vec<String>,
    /// The blocks (comments with a line `-- ==`), in order.
    pub blocks: Vec<Block>,
}

/// One comment with a line `-- ==`. Without tests it asks that the program compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// 1-based line of the `-- ==`.
    pub line: usize,
    /// What it asks for, in order.
    pub tests: Vec<Test>,
}

/// One thing that a block asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// The program is refused, with a message that matches.
    Refused {
        /// 1-based line.
        line: usize,
        /// What the message must match; anything if empty.
        pattern: String,
    },
    /// The compiler warns, with a message that matches.
    Warning {
        /// 1-based line.
        line: usize,
        /// What the message must match.
        pattern: String,
    },
    /// Entry points give what is expected for an input.
    Case(Case),
    /// The compiled program has these numbers of nodes.
    Structure {
        /// 1-based line.
        line: usize,
        /// The pipeline named, if any.
        pipeline: Option<String>,
        /// Node names or paths, and how often they occur.
        counts: Vec<(String, usize)>,
    },
    /// Entry points that must hold for all inputs.
    Property {
        /// 1-based line.
        line: usize,
        /// Their names.
        names: Vec<String>,
    },
}

/// An input and what is expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// 1-based line.
    pub line: usize,
    /// The entry points to run, each on its own.
    pub entries: Vec<String>,
    /// The name that the user gave.
    pub name: Option<String>,
    /// Words before `input`: `compiled`, `nobench`, `notest`, `no_…`.
    pub tags: Vec<String>,
    /// The arguments.
    pub input: Input,
    /// What must come out.
    pub expect: Expect,
}

/// Text of the source file, with the line that it begins at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// 1-based line.
    pub line: usize,
    /// The text without comment marks.
    pub text: String,
}

/// Where arguments come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Values in the text format.
    Values(Text),
    /// A file of values; with a name that ends in `.gz`, a compressed one.
    File(String),
    /// Types with sizes, and constants.
    Random(Text),
    /// A FutharkScript expression.
    Script(Text),
    /// A file with a FutharkScript expression.
    ScriptFile(String),
}

/// What must come out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expect {
    /// These values.
    Values(Text),
    /// The values of a file.
    File(String),
    /// What the reference semantics gives.
    Auto,
    /// A run-time error whose message matches (anything if empty).
    Error(String),
    /// Any values.
    Success,
}
