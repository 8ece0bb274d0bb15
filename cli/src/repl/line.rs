//! The line editor's helper: more lines for unfinished input, completion of names.

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Result};

/// Knows the names that can be completed.
#[derive(Default)]
pub(super) struct Helper {
    names: Vec<String>,
}

impl Helper {
    pub(super) fn set_names(&mut self, names: Vec<String>) {
        self.names = names;
    }
}

/// The start of the name that ends at `position`.
fn name_start(line: &str, position: usize) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | ':');
    let before = &line[..position];
    before.char_indices().rev().take_while(|(_, c)| is_name(*c)).last().map_or(position, |(at, _)| at)
}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let start = name_start(line, position);
        let prefix = &line[start..position];
        let matching = self.names.iter().filter(|name| !prefix.is_empty() && name.starts_with(prefix));
        let pair = |name: &String| Pair { display: name.clone(), replacement: name.clone() };
        Ok((start, matching.map(pair).collect()))
    }
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let input = context.input();
        // A blank second line ends the input whatever is missing, so that nobody is trapped.
        let gave_up =
            input.ends_with("\n") || input.lines().last().is_some_and(|line| line.trim().is_empty());
        if input.trim_start().starts_with(':') || gave_up || !fun_frontend::parse::is_incomplete(input) {
            return Ok(ValidationResult::Valid(None));
        }
        Ok(ValidationResult::Incomplete)
    }
}

impl Hinter for Helper {
    type Hint = String;
}

impl Highlighter for Helper {}

impl rustyline::Helper for Helper {}

#[cfg(test)]
mod tests {
    use super::name_start;

    #[test]
    fn names_include_their_module() {
        assert_eq!(name_start("1 + f32.sq", 10), 4);
        assert_eq!(name_start("(x", 2), 1);
        assert_eq!(name_start(":ty", 3), 0);
    }
}
