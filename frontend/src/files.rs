//! The files that a program consists of: its main file and what that imports.

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
