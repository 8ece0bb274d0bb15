//! The applications of `bench/applications/`: their stanzas, whose results are Futhark's, hold.

mod support;

use support::{fun, repository};

#[test]
fn results() {
    let folder = repository("bench/applications").display().to_string();
    let tested = fun(&["test", "--tolerance", "2e-3", "--time", "120", "--file-time", "300", &folder], b"");
    let printed = tested.text();
    assert_eq!(tested.status, 0, "{printed}");
    let passed = printed.lines().last().and_then(|line| line.split_once(" passed, 0 failed, 0 skipped"));
    let passed = passed.and_then(|(count, _)| count.parse::<usize>().ok());
    assert!(passed.is_some_and(|passed| passed >= 45), "{printed}");
}
