//! How often nodes occur in a compiled program.
//!
//! Nodes are called as in the text form of their language: `map`, `kernel`, `copy`, `alloc`, `if`, …; in IMP a loop is called by
//! its kind (`seq`, `par`, …) or `while`.

use fun::ir::Exp;
use fun::text::TextRep;
use fun_passes::program::Program;
use imp::ir::{Statement, StatementKind};

/// A node and the nodes inside it.
struct Node {
    name: String,
    inside: Vec<Node>,
}

/// What distinguishes the numbers of nodes from the expected ones.
pub(crate) fn difference(program: &Program, expected: &[(String, usize)]) -> Option<String> {
    let nodes = match program {
        Program::Fun(program) => program.functions.iter().flat_map(|f| of_body(&f.body)).collect(),
        Program::FunMem(program) => program.functions.iter().flat_map(|f| of_body(&f.body)).collect(),
        Program::Imp(program) => {
            program.procedures.iter().flat_map(|p| of_statements(&p.body)).collect::<Vec<_>>()
        }
    };
    let differ = expected.iter().filter_map(|(path, wanted)| {
        let found = count(&nodes, path);
        (found != *wanted).then(|| format!("{found} of `{path}` where {wanted} are expected"))
    });
    let differ: Vec<String> = differ.collect();
    (!differ.is_empty()).then(|| differ.join("\n"))
}

/// How often a path occurs: `A` anywhere, `A/B` a B directly inside an A anywhere, `/A` an A inside nothing.
fn count(nodes: &[Node], path: &str) -> usize {
    match path.strip_prefix('/') {
        Some(path) => at_top(nodes, path),
        None => anywhere(nodes, path),
    }
}

fn at_top(nodes: &[Node], path: &str) -> usize {
    let (name, rest) = path.split_once('/').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let here = nodes.iter().filter(|node| node.name == name);
    match rest {
        None => here.count(),
        Some(rest) => here.map(|node| at_top(&node.inside, rest)).sum(),
    }
}

fn anywhere(nodes: &[Node], path: &str) -> usize {
    at_top(nodes, path) + nodes.iter().map(|node| anywhere(&node.inside, path)).sum::<usize>()
}

fn of_body<R: TextRep>(body: &fun::ir::Body<R>) -> Vec<Node> {
    let named = body.statements.iter().filter(|statement| !matches!(statement.exp, Exp::Atom(_)));
    let node = |statement: &fun::ir::Statement<R>| {
        let head = fun::text::statement_head(statement);
        let exp = head.split_once("= ").map_or(head.as_str(), |(_, exp)| exp);
        let name = exp.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let mut inside = Vec::new();
        fun::visit::for_each_body(&statement.exp, &mut |body| inside.extend(of_body(body)));
        Node { name, inside }
    };
    named.map(node).collect()
}

fn of_statements(statements: &[Statement]) -> Vec<Node> {
    let node = |statement: &Statement| {
        let mut inside = Vec::new();
        statement.kind.for_each_body(&mut |body| inside.extend(of_statements(body)));
        Node { name: name(&statement.kind).to_owned(), inside }
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
        let node = |name: &str, inside| Node { name: name.to_owned(), inside };
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
        ] {
            assert_eq!(count(&nodes, path), expected, "{path}");
        }
    }
}
