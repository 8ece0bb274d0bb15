//! The page of corrections: its programs come in pairs, and equation 4 on the traces of equation 5, as printed and as meant.

use std::collections::BTreeSet;
use std::path::Path;

type Cells = BTreeSet<i64>;

/// Equation 4: what an iteration writes, no other reads or writes.
fn race_free(reads: &[Cells], writes: &[Cells]) -> bool {
    let others = |i: usize| (0..writes.len()).filter(move |j| *j != i);
    (0..writes.len())
        .all(|i| others(i).all(|j| writes[i].is_disjoint(&reads[j]) && writes[i].is_disjoint(&writes[j])))
}

/// `examples/corrections/trace.funmem`: iteration i copies its row of 2 to the block of the result, which has 6 cells.
#[test]
fn the_printed_trace_of_memcopy_refuses_kernels_with_rows() {
    let reads = vec![Cells::new(); 3];
    let image_of_lmad: Vec<Cells> = (0..3).map(|i| (2 * i..2 * i + 2).collect()).collect();
    let image_of_label: Vec<Cells> = (0..3).map(|_| (0..6).collect()).collect();
    assert!(race_free(&reads, &image_of_lmad));
    assert!(!race_free(&reads, &image_of_label));
}

#[test]
fn the_page_names_all_programs_and_each_has_its_counterpart() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/corrections.md")).expect("the page");
    let folder = std::fs::read_dir(root.join("examples/corrections")).expect("the folder");
    let names: BTreeSet<String> =
        folder.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    for name in &names {
        assert!(page.contains(&format!("`{name}`")), "docs/corrections.md does not name {name}");
        let counterpart = name.replace("_printed.", "_corrected.");
        assert!(names.contains(&counterpart), "{name} has no {counterpart}");
    }
}
