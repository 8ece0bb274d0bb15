//! `fun compile --certify`.

mod support;

use support::{Folder, fun};

#[test]
fn certificates_are_checked_and_counted() {
    let folder = Folder::new();
    let program =
        folder.file("p.fut", "entry main [n] (xs: [n]i32) = concat (map (+ 1) xs) (map (* 2) xs)\n");
    let alone = fun(&["compile", &program, "--certify"], b"").printed();
    for part in ["elided copies", "removed bounds checks", "not proved                    0"] {
        assert!(alone.contains(part), "`{part}` is not in:\n{alone}");
    }
    // With a program on standard output the counts go to standard error.
    let both = fun(&["compile", &program, "--certify", "--emit", "imp"], b"");
    assert!(both.stderr.contains("not proved"), "{}", both.stderr);
    assert_eq!(both.printed(), fun(&["compile", &program, "--emit", "imp"], b"").printed());
    assert!(fun(&["compile", &program], b"").stderr.contains("--emit"));
}
