//! Footprints of small programs.

use super::*;
use fun_base::source::Source;

fn source(text: &str) -> Source {
    Source { name: "p.imp".into(), text: text.into() }
}

/// The peak as text, its polynomials in order.
fn peak(body: &str) -> String {
    let text = format!(
        "entry proc main (n_0: i64, k_1: i64, x_mem_2: mem) : (i64) takes (i64 @ 0, i64 @ 1, i32[@0] @ 2) gives (i64 @ 0) {{\n\
         {body}\n return (n_0) }}\n"
    );
    let program = imp::text::parse_program(&source(&text)).expect("well-formed text");
    imp::check::check(&program).expect("a well-formed program");
    let footprint = of_entry(&program, "main").expect("the entry point");
    let name = |var: Var| var.text.to_string();
    let peaks = footprint.peaks.expect("a formula");
    let mut texts: Vec<String> = peaks.iter().map(|peak| footprint.sizes.show(&peak.bytes, &name)).collect();
    texts.sort();
    texts.join("; ")
}

#[test]
fn what_lives_together_counts_together() {
    assert_eq!(peak(""), "");
    assert_eq!(peak("alloc a_3: f32[n_0] free a_3 alloc b_4: f64[n_0] free b_4"), "8*n");
    assert_eq!(peak("alloc a_3: f32[n_0] alloc b_4: f64[n_0][n_0] free a_3 free b_4"), "8*n*n + 4*n");
    // neither is always larger
    assert_eq!(peak("alloc a_3: f32[n_0] free a_3 alloc b_4: f64[k_1] free b_4"), "4*n; 8*k");
}

#[test]
fn blocks_live_until_their_last_owner_is_gone() {
    assert_eq!(peak("alloc a_3: f32[n_0] share a_3 free a_3 alloc b_4: f32[n_0] free a_3 free b_4"), "8*n");
    assert_eq!(peak("share x_mem_2 free x_mem_2 alloc b_4: f32[n_0] free b_4"), "4*n");
}

#[test]
fn of_two_branches_the_larger_counts() {
    let text = "var m_3: mem
        if lt.i64(n_0, k_1) { alloc a_4: f32[n_0] m_3 := a_4 } else { alloc b_5: f64[n_0] m_3 := b_5 }
        alloc c_6: i8[n_0] free m_3 free c_6";
    assert_eq!(peak(text), "9*n");
    // One branch has nothing new: what it shares is not counted twice.
    let text = "alloc a_3: f32[n_0] var m_4: mem
        if lt.i64(n_0, k_1) { share a_3 m_4 := a_3 } else { alloc b_5: i8[n_0] m_4 := b_5 }
        free a_3 alloc c_6: f32[n_0] free m_4 free c_6";
    assert_eq!(peak(text), "8*n");
}

#[test]
fn loops_that_change_places_keep_two_blocks() {
    let text = "alloc a_3: f32[n_0] alloc b_4: f32[n_0] var p_5: mem = a_3 var q_6: mem = b_4
        for i_7: i64 < k_1 seq { var old_8: mem = p_5 p_5 := q_6 q_6 := old_8 }
        free p_5 free q_6 alloc c_9: i8[n_0] free c_9";
    assert_eq!(peak(text), "8*n");
}

/// The array grows by one in each iteration; the new one is made while the old one lives.
#[test]
fn sizes_that_loops_carry_along_are_variables() {
    let text = "alloc a_3: i64[0i64] var m_4: i64 = 0i64 var p_5: mem = a_3
        for i_6: i64 < k_1 seq {
          let more_7: i64 = add.i64(m_4, 1i64)
          alloc b_8: i64[more_7] free p_5 m_4 := more_7 p_5 := b_8
        }
        free p_5";
    assert_eq!(peak(text), "16*m + 8");
    let text = text.replace("add.i64(m_4, 1i64)", "mul.i64(m_4, 2i64)").replace("= 0i64", "= 1i64");
    // before the loop there are 8 bytes
    assert_eq!(peak(&text.replace("i64[0i64]", "i64[1i64]")), "24*m; 8");
}

#[test]
fn counters_are_replaced_by_their_bounds() {
    let text = "for i_3: i64 < n_0 seq { let r_4: i64 = sub.i64(n_0, i_3) alloc a_5: i8[r_4] free a_5 }";
    assert_eq!(peak(text), "n");
    let text = "for i_3: i64 < n_0 seq { alloc a_5: i8[i_3][n_0] free a_5 }";
    assert_eq!(peak(text), "n*n - n");
}

#[test]
fn each_strand_has_its_own() {
    assert_eq!(peak("for i_3: i64 < n_0 par { alloc a_5: i8[k_1] free a_5 }"), "k*strands");
}

#[test]
fn calls_are_followed() {
    let text =
        "proc twice (m_10: i64) : (mem) { alloc a_11: i8[m_10] alloc b_12: i8[m_10] free a_11 return (b_12) }
        entry proc main (n_0: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) {
          var p_1: mem call p_1 = twice(n_0) alloc c_2: i8[n_0][n_0] free p_1 free c_2 return (n_0) }";
    let program = imp::text::parse_program(&source(text)).expect("well-formed text");
    let footprint = of_entry(&program, "main").expect("the entry point");
    let name = |var: Var| var.text.to_string();
    let peaks: Vec<String> = footprint
        .peaks
        .expect("a formula")
        .iter()
        .map(|peak| footprint.sizes.show(&peak.bytes, &name))
        .collect();
    assert_eq!(peaks, ["2*n", "n*n + n"]);
}

#[test]
fn what_calls_itself_has_no_formula() {
    let text = "proc f (m_10: i64) : (i64) { alloc a_11: i8[m_10] var r_12: i64 call r_12 = f(m_10) free a_11 return (r_12) }
        entry proc main (n_0: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) {
          var r_1: i64 call r_1 = f(n_0) return (r_1) }";
    let program = imp::text::parse_program(&source(text)).expect("well-formed text");
    let footprint = of_entry(&program, "main").expect("the entry point");
    assert_eq!(footprint.peaks, Err("`f` calls itself: how deep depends on the run".to_owned()));
}

/// What the caller holds is not forgotten in a loop of what it calls.
#[test]
fn loops_in_procedures_that_loops_call() {
    let text = "proc f (m_10: i64, a_mem_11: mem) : (mem) {
          for i_12: i64 < m_10 seq { alloc t_13: i8[m_10] free t_13 }
          alloc r_14: i8[m_10] return (r_14) }
        entry proc main (n_0: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) {
          alloc x_1: i8[n_0]
          for k_2: i64 < n_0 seq { alloc y_3: i8[n_0] var p_4: mem call p_4 = f(n_0, y_3) free y_3 free p_4 }
          free x_1 return (n_0) }";
    let program = imp::text::parse_program(&source(text)).expect("well-formed text");
    let footprint = of_entry(&program, "main").expect("the entry point");
    let name = |var: Var| var.text.to_string();
    let peaks = footprint.peaks.expect("a formula");
    let texts: Vec<String> = peaks.iter().map(|peak| footprint.sizes.show(&peak.bytes, &name)).collect();
    assert_eq!(texts, ["3*n"]);
}

/// The first iteration allocates what all later ones use.
#[test]
fn what_is_made_once_in_a_loop_counts_once() {
    let text = "var t_3: mem var made_4: bool = false var u_5: mem var more_6: bool = false
        for i_7: i64 < k_1 seq {
          if not.bool(made_4) { alloc a_8: i8[n_0] t_3 := a_8 made_4 := true }
          if not.bool(more_6) { alloc b_9: i8[n_0] u_5 := b_9 more_6 := true }
        }
        free t_3 free u_5";
    assert_eq!(peak(text), "2*n");
}
