//! The numbers that choose between versions of a program's code, as C: their table, and which of them entry points ask for.

use crate::compile::c_string;
use imp::params::Param;

/// What reads them.
const FUNCTIONS: &str = include_str!("../runtime/params.c");

/// How Futhark's programs describe a number to those who tune: its kind, and the comparisons that lead to it, which must fail behind `!`.
fn class(param: &Param) -> String {
    if !param.compared {
        return "number".to_owned();
    }
    let steps = param.path.iter().map(|(name, reached)| format!("{}{name}", if *reached { "" } else { "!" }));
    format!("threshold({}, {})", param.usual, steps.collect::<Vec<_>>().join(" "))
}

/// What stands for all numbers of a kind: `KIND` of `FUNCTION.KIND_2`.
fn kind(name: &str) -> &str {
    let numbered = name.split_once('.').and_then(|(_, kind)| kind.rsplit_once('_'));
    match numbered {
        Some((kind, number)) if number.bytes().all(|c| c.is_ascii_digit()) => kind,
        _ => name,
    }
}

/// The table and the functions; nothing where there are none.
pub(crate) fn text(params: &[Param]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut text = format!("#define FUN_PARAMS {}\n", params.len());
    text += "static const struct fun_param fun_params[FUN_PARAMS] = {\n";
    for param in params {
        let texts = [param.name.as_str(), kind(param.name.as_str()), &class(param)].map(c_string).join(", ");
        text += &format!("    {{{texts}, {}}},\n", fun_number(param.usual));
    }
    text + "};\n\n" + FUNCTIONS
}

/// C has no literal of the least number.
fn fun_number(number: i64) -> String {
    if number == i64::MIN { "INT64_MIN".to_owned() } else { format!("INT64_C({number})") }
}

/// The lists of what each of some entry points asks for, with -1 at the end.
pub(crate) fn of_entries(params: &[Param], asked: &[Vec<usize>]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    for (k, asked) in asked.iter().enumerate() {
        let numbers: String = asked.iter().map(|param| format!("{param}, ")).collect();
        text += &format!("static const int fun_asked{k}[] = {{{numbers}-1}};\n");
    }
    let lists: String = (0..asked.len()).map(|k| format!("fun_asked{k}, ")).collect();
    text + &format!("static const int *const fun_asked[] = {{{lists}NULL}};\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_names() {
        for (name, expected) in [
            ("f.device.size_12", "device.size"),
            ("f.device.size", "f.device.size"),
            ("f.device.size_x", "f.device.size_x"),
            ("size", "size"),
        ] {
            assert_eq!(kind(name), expected);
        }
    }
}
