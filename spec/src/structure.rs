//! How often nodes occur in a compiled program.
//!
//! Nodes are called as in the text form of their language: `map`, `kernel`, `copy`, `alloc`, `if`, …; in IMP a loop is called by
//! its kind (`seq`, `par`, …) or `while`. In a test they may begin with a capital, as Futhark writes them. In FUNMEM two names say
//! what memory costs: `Alloc` is an `alloc` of anything but the stack, `Copy` an operand that a statement moves
//! ([`funmem::copies`]), whatever the statement is called. A path counts in all functions, after `name:` in that one.

use fun::ir::Exp;
use fun::text::TextRep;
use fun_base::name::Symbol;
use fun_base::source::Loc;
use fun_passes::program::Program;
use funmem::copies::Places;
use funmem::ir::{Mem, MemOp, Space};
use imp::ir::{Statement, StatementKind};

/// A node and the nodes inside it.
struct Node {
    name: String,
    loc: Option<Loc>,
    inside: Vec<Node>,
}

/// Names of costs of FUNMEM, which are no statements of these names with a capital.
const COSTS: [&str; 2] = ["Alloc", "Copy"];

/// How a number of nodes is compared with the expected one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// They are equal.
    Exactly,
    /// There are no more.
    AtMost,
}

/// What distinguishes the numbers of nodes from the expected ones.
pub(crate) fn difference(
    program: &Program,
    expected: &[(String, usize)],
    comparison: Comparison,
) -> Option<String> {
    let functions = match program {
        Program::Fun(program) => of_functions(program, &|_, _| Vec::new()),
        Program::FunMem(program) => {
            let places = Places::of(program);
            of_functions(program, &|statement, node| costs(&places, statement, node))
        }
        Program::Imp(program) => {
            program.procedures.iter().map(|p| (p.name, of_statements(&p.body))).collect::<Vec<_>>()
        }
    };
    let differ = expected.iter().filter_map(|(path, wanted)| {
        let mut found = Vec::new();
        let (only, inner) =
            path.split_once(':').map_or((None, path.as_str()), |(name, path)| (Some(name), path));
        if let Some(only) = only.filter(|only| functions.iter().all(|(name, _)| name.as_str() != *only)) {
            return Some(format!("`{path}`: there is no function `{only}`"));
        }
        for (name, nodes) in &functions {
            if only.is_none_or(|only| name.as_str() == only) {
                find(nodes, inner, &mut found);
            }
        }
        let (holds, bound) = match comparison {
            Comparison::Exactly => (found.len() == *wanted, ""),
            Comparison::AtMost => (found.len() <= *wanted, "at most "),
        };
        if holds {
            return None;
        }
        let count = found.len();
        let mut places: Vec<String> = found
            .iter()
            .filter_map(|node| node.loc)
            .map(|loc| format!("{}:{}", loc.line, loc.column))
            .collect();
        places.dedup();
        let places = if places.is_empty() { String::new() } else { format!(" (at {})", places.join(", ")) };
        Some(format!("{count} of `{path}` where {bound}{wanted} are expected{places}"))
    });
    let differ: Vec<String> = differ.collect();
    (!differ.is_empty()).then(|| differ.join("\n"))
}

/// The nodes that a path means: `A` anywhere, `A/B` a B directly inside an A anywhere, `/A` an A inside nothing.
fn find<'n>(nodes: &'n [Node], path: &str, found: &mut Vec<&'n Node>) {
    match path.strip_prefix('/') {
        Some(path) => at_top(nodes, path, found),
        None => {
            at_top(nodes, path, found);
            nodes.iter().for_each(|node| find(&node.inside, path, found));
        }
    }
}

fn at_top<'n>(nodes: &'n [Node], path: &str, found: &mut Vec<&'n Node>) {
    let (name, rest) = path.split_once('/').map_or((path, None), |(name, rest)| (name, Some(rest)));
    for node in nodes.iter().filter(|node| is_called(&node.name, name)) {
        match rest {
            None => found.push(node),
            Some(rest) => at_top(&node.inside, rest, found),
        }
    }
}

/// Whether a node is meant by a name in a test.
fn is_called(node: &str, name: &str) -> bool {
    if COSTS.contains(&name) || COSTS.contains(&node) {
        return node == name;
    }
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    node.chars().next() == first && node.chars().skip(1).eq(chars)
}

fn of_functions<R: TextRep>(
    program: &fun::ir::Program<R>,
    more: &dyn Fn(&fun::ir::Statement<R>, &mut Node) -> Vec<Node>,
) -> Vec<(Symbol, Vec<Node>)> {
    program.functions.iter().map(|function| (function.name, of_body(&function.body, more))).collect()
}

/// The nodes of a body's statements. `more` gives those that stand next to the node of a statement, and adds to those inside it.
fn of_body<R: TextRep>(
    body: &fun::ir::Body<R>,
    more: &dyn Fn(&fun::ir::Statement<R>, &mut Node) -> Vec<Node>,
) -> Vec<Node> {
    let named = body.statements.iter().filter(|statement| !matches!(statement.exp, Exp::Atom(_)));
    let nodes = |statement: &fun::ir::Statement<R>| {
        let head = fun::text::statement_head(statement);
        let exp = head.split_once("= ").map_or(head.as_str(), |(_, exp)| exp);
        let name = exp.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let mut inside = Vec::new();
        fun::visit::for_each_body(&statement.exp, &mut |body| inside.extend(of_body(body, more)));
        let mut node = Node { name, loc: statement.loc, inside };
        let mut nodes = more(statement, &mut node);
        nodes.push(node);
        nodes
    };
    named.flat_map(nodes).collect()
}

/// What a statement of FUNMEM costs: next to its node, but what happens at each point of a kernel inside it.
fn costs(places: &Places, statement: &fun::ir::Statement<Mem>, node: &mut Node) -> Vec<Node> {
    let cost = |name: &str| Node { name: name.to_owned(), loc: statement.loc, inside: Vec::new() };
    let moved = places.moved(statement).into_iter().map(|_| cost("Copy"));
    match &statement.exp {
        Exp::Kernel { .. } => {
            node.inside.extend(moved);
            Vec::new()
        }
        Exp::Op(MemOp::Alloc { space, .. }) if *space != Space::Stack => vec![cost("Alloc")],
        _ => moved.collect(),
    }
}

fn of_statements(statements: &[Statement]) -> Vec<Node> {
    let node = |statement: &Statement| {
        let mut inside = Vec::new();
        statement.kind.for_each_body(&mut |body| inside.extend(of_statements(body)));
        Node { name: name(&statement.kind).to_owned(), loc: None, inside }
    };
    statements.iter().map(node).collect()
}

fn name(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Let { .. } => "let",
        StatementKind::Declare { .. } => "var",
        StatementKind::Assign { .. } => "assign",
        StatementKind::Alloc { .. } => "alloc",
        StatementKind::Share(_) => "share",
        StatementKind::Free(_) => "free",
        StatementKind::View { .. } => "view",
        StatementKind::Window { .. } => "window",
        StatementKind::Write { .. } => "write",
        StatementKind::Accumulate { .. } => "accumulate",
        StatementKind::Atomic { .. } => "atomic",
        StatementKind::Lock { .. } => "lock",
        StatementKind::Ordered { .. } => "ordered",
        StatementKind::Shuffle { .. } => "shuffle",
        StatementKind::Copy { .. } => "copy",
        StatementKind::For { kind, .. } => kind.name(),
        StatementKind::While { .. } => "while",
        StatementKind::If { .. } => "if",
        StatementKind::Assert { .. } => "assert",
        StatementKind::Call { .. } => "call",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let node = |name: &str, inside| Node { name: name.to_owned(), loc: None, inside };
        let nodes = vec![
            node("a", vec![node("b", vec![node("a", vec![node("c", Vec::new())])])]),
            node("c", Vec::new()),
        ];
        for (path, expected) in [
            ("a", 2),
            ("/a", 1),
            ("c", 2),
            ("/c", 1),
            ("a/b", 1),
            ("b/a/c", 1),
            ("a/c", 1),
            ("/a/c", 0),
            ("d", 0),
            ("/A/B/a", 1),
        ] {
            let mut found = Vec::new();
            find(&nodes, path, &mut found);
            assert_eq!(found.len(), expected, "{path}");
        }
    }
}
