//! Judging: results against expected values, messages against patterns.

use fun_base::value::Value;
use regex::RegexBuilder;

/// What distinguishes results from the expected values, floats within a tolerance.
pub(crate) fn difference(found: &[Value], expected: &[Value], tolerance: f64) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} results where {} are expected", found.len(), expected.len()));
    }
    found.iter().zip(expected).enumerate().find_map(|(k, (found, expected))| {
        let difference = found.close(expected, tolerance).err()?;
        Some(if k == 0 { difference.to_string() } else { format!("result {k}: {difference}") })
    })
}

/// Whether a message matches a pattern somewhere. Blanks and line breaks of the message count as one blank, because where lines break is
/// not what tests are about. A pattern that is no regular expression is taken literally.
pub(crate) fn matches(pattern: &str, message: &str) -> bool {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match RegexBuilder::new(pattern).dot_matches_new_line(true).build() {
        Ok(regex) => regex.is_match(&message),
        Err(_) => message.contains(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::prim::PrimValue;

    #[test]
    fn patterns() {
        assert!(matches("Index.*out of bounds", "Index [3]\n  out of   bounds for [2]"));
        assert!(matches("", "anything"));
        assert!(!matches("^bounds", "out of bounds"));
        // an open bracket is no regular expression
        assert!(matches("[3", "Index [3] here"));
    }

    #[test]
    fn differences() {
        let value = |x: f32| Value::Prim(PrimValue::F32(x));
        assert_eq!(difference(&[value(1.0)], &[value(1.0001)], 0.002), None);
        assert_eq!(
            difference(&[value(1.0), value(2.0)], &[value(1.0), value(3.0)], 0.002).as_deref(),
            Some("result 1: 2.0f32 instead of 3.0f32")
        );
        assert_eq!(difference(&[], &[value(1.0)], 0.0).as_deref(), Some("0 results where 1 are expected"));
    }
}
