//! Overlap questions that programs ask, with the expected answers.

use super::check::check;
use super::*;

#[track_caller]
fn expect(answer: &str, known: &str, left: &str, right: &str) {
    let facts = facts(known);
    for (left, right) in [(left, right), (right, left)] {
        let found = disjoint(&facts, &lmad(left), &lmad(right));
        assert_eq!(word(&found), answer, "{left} and {right} where {known}: {found:?}");
        if let Answer::Proved(derivation) = found {
            check(&facts, &derivation).unwrap();
        }
    }
}

#[test]
fn rows_and_columns() {
    expect("proved", "1 <= m", "i*m, m:1", "(i+1)*m, m:1");
    expect("proved", "i < j", "i*m, m:1", "j*m, m:1");
    expect("proved", "i != j", "i*m, m:1", "j*m, m:1");
    expect("proved", "0 <= i < j < m", "i, n:m", "j, n:m");
    expect("proved", "", "0, n:2", "1, n:2");
    expect("proved", "0 <= i < j < n", "i*n, i:1", "j*n + i, n-i:1");
}

#[test]
fn diagonals() {
    let known = "0 <= i < n, 0 <= j < n, i != j";
    expect("proved", known, "i*(n+1)", "j*(n+1)");
    expect("proved", known, "i*(n+1)", "j");
    expect("refuted", "0 <= i < n, 0 <= j < n", "i*(n+1)", "j");
    // Through an index array of which nothing is known.
    expect("refuted", "0 <= i < n, 0 <= j < n, i != j, 0 <= k < n", "i*(n+1)", "k*(n+1)");
}

#[test]
fn overlaps() {
    expect("refuted", "1 <= i", "0, 2*i:1", "i, 2*i:1");
    expect("refuted", "1 <= n", "t, n:0", "t, 1:1");
    expect("refuted", "0 <= i < n, 0 <= j < n, i != j", "i-1, 3:1", "j");
}

#[test]
fn reversed_and_empty() {
    expect("proved", "1 <= n", "n-1, n:-1", "n, n:1");
    expect("proved", "", "n-1, n:-1", "n, n:1");
    expect("proved", "n = 0", "0, n:1", "0, m:1");
    expect("proved", "", "0, 0:1", "0, m:1");
    expect("proved", "n <= 0", "0, m:1, n:1", "0, m:1");
}

#[test]
fn needleman_wunsch() {
    let known = "n = q*b+1, 2 <= q, 1 <= b, 0 <= i < q";
    let write = "i*b+n+1, i+1:n*b-b, b:n, b:1";
    expect("proved", known, write, "i*b, i+1:n*b-b, b+1:n");
    expect("proved", known, write, "i*b+1, i+1:n*b-b, b:1");
    let known = "n = q*b+1, 2 <= q, 1 <= b, 0 <= i, i < q-1";
    let write = "((i+1)*b+2)*n-b, q-i-1:n*b-b, b:n, b:1";
    expect("proved", known, write, "((i+1)*b+1)*n-b-1, q-i-1:n*b-b, b+1:1");
    expect("proved", known, write, "((i+1)*b+2)*n-b-1, q-i-1:n*b-b, b:n");
}

/// As `bench/memory/nw.fut` has it: blocks of an anti-diagonal are q apart in a list of blocks, where those that they read are 1, q + 1 and
/// q + 2 before. The one q before is of the same anti-diagonal.
#[test]
fn needleman_wunsch_by_blocks() {
    let known = "1 <= b, 3 <= q, 0 <= t < q";
    for (first, count) in [("q + 2 + t", "t + 1"), ("(t+2)*q + q + t + 2", "q - t - 1")] {
        let write = format!("({first})*b*b, {count}:q*b*b, b:b, b:1");
        for read in [
            format!("({first} - q - 1)*b*b + b*b - b, {count}:q*b*b, b:1"),
            format!("({first} - 1)*b*b + b - 1, {count}:q*b*b, b:b"),
            format!("({first} - q - 2)*b*b + b*b - 1, {count}:q*b*b"),
        ] {
            expect("proved", known, &write, &read);
        }
        expect("refuted", known, &write, &format!("({first} - q)*b*b, {count}:q*b*b"));
    }
}

#[test]
fn lu_decomposition() {
    // Blocks of b times b in a matrix of m times m blocks; step k.
    let known = "0 <= k < m, 1 <= b";
    let interior = "(k+1)*m*b*b + (k+1)*b*b, m-k-1:m*b*b, m-k-1:b*b, b:b, b:1";
    expect("proved", known, interior, "k*m*b*b + (k+1)*b*b, m-k-1:b*b, b:b, b:1");
    expect("proved", known, interior, "(k+1)*m*b*b + k*b*b, m-k-1:m*b*b, b:b, b:1");
    expect("proved", known, interior, "k*m*b*b + k*b*b, b:b, b:1");
}

#[test]
fn tiles_and_halos() {
    // Tile (i, j) of b times b in rows of w, and the cells around it.
    let known = "1 <= b, 0 <= i, 1 <= j, j*b+b+1 <= w";
    let tile = "i*b*w + j*b, b:w, b:1";
    expect("proved", known, tile, "i*b*w + j*b - w - 1, b+2:1");
    expect("proved", known, tile, "i*b*w + j*b + b*w - 1, b+2:1");
    expect("proved", known, tile, "i*b*w + j*b - 1, b:w");
    expect("proved", known, tile, "i*b*w + j*b + b, b:w");
}

/// What Needleman-Wunsch costs, in units of work rather than of time.
#[test]
fn work_is_small() {
    let known = "n = q*b+1, 2 <= q, 1 <= b, 0 <= i < q";
    let facts = facts(known);
    let sets = [lmad("i*b+n+1, i+1:n*b-b, b:n, b:1"), lmad("i*b, i+1:n*b-b, b+1:n")];
    let work = crate::prove::sets::work_of_disjoint(&facts, &sets[0], &sets[1]);
    assert!((1_000..600_000).contains(&work), "{work}");
}

#[test]
fn derivations_as_text() {
    let facts = facts("1 <= n");
    let Answer::Proved(derivation) = disjoint(&facts, &lmad("n-1, n:-1"), &lmad("n, n:1")) else {
        panic!("not proved");
    };
    let expected = "\
n_6 + -1 + {(n_6 : -1)} at (x_7) and n_6 + {(n_6 : 1)} at (y_8) are disjoint
0: y_8 ≥ 0 by premise
1: x_7 ≥ 0 by premise
2: x_7 + y_8 ≥ 0 by sum 1 (1 0) (1 1)
3: -x_7 - y_8 - 1 = 0 by premise
4: -1 ≥ 0 by sum 1 (1 2) (1 3)
so 4
";
    assert_eq!(derivation.to_string(), expected);
}

/// Blocks of an anti-diagonal in a flat matrix: what one thread writes, and the block with its borders that another one has read. How
/// many blocks there are was computed by a division, so that some columns may be left over.
#[test]
fn anti_diagonal_blocks_of_other_threads() {
    let known = "q*b+1 <= n, 1 <= b, 0 <= i < q, 0 <= j <= i, 0 <= k <= i";
    for order in ["j < k", "k < j"] {
        let written = "n+1+i*b+k*(n*b-b), b:n, b:1";
        let read = "i*b+j*(n*b-b), b+1:n, b+1:1";
        expect("proved", &format!("{known}, {order}"), written, read);
    }
    expect(
        "refuted",
        &format!("{known}, j = k"),
        "n+1+i*b+k*(n*b-b), b:n, b:1",
        "i*b+j*(n*b-b), b+1:n, b+1:1",
    );
}
