//! Value semantics before and after memory introduction, and heap semantics after it, agree (Definition 3.1).

use fun::check::{Phase, errors_to_string};
use fun::r#gen::{Form, GenProgram, generate};
use fun::ir::Fun;
use fun_base::name::Symbol;
use fun_base::rng::Rng;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader, write_text};
use fun_passes::fun::{ad, soac_to_kernel};
use fun_passes::lower::fun_to_funmem;

/// The results as text, or how the run ended.
type Outcome = Result<String, RunErrorKind>;

fn outcome(result: Result<Vec<Value>, RunError>) -> Outcome {
    let values = result.map_err(|error| {
        assert_ne!(error.kind, RunErrorKind::Fault, "{error}");
        error.kind
    })?;
    let mut out = Vec::new();
    for value in &values {
        write_text(value, &mut out).expect("a Vec takes all");
        out.push(b' ');
    }
    Ok(String::from_utf8(out).expect("values are text").split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Runs entry point `main` of a program in every semantics; they must agree and give `expected`.
fn agree(text: &str, args: &str, expected: &str) {
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    let program = fun::text::parse_program::<Fun>(&source, 0).unwrap_or_else(|error| panic!("{error}"));
    if let Err(errors) = fun::check::check_program(&program, Phase::Any) {
        panic!("{}", errors_to_string(&errors));
    }
    let args = ValueReader::new(args.as_bytes()).read_all().expect("arguments are values");
    let value =
        |program: &fun::ir::Program| outcome(fun::interp::run(program, "main", &args, Limits::default()));
    let original = value(&program);
    assert_eq!(original.as_deref(), Ok(expected));
    let mem = fun_to_funmem::run(soac_to_kernel::run(ad::run(program)));
    if let Err(errors) = funmem::check::check_program(&mem) {
        panic!("{}\n{mem}", errors_to_string(&errors));
    }
    assert_eq!(value(&funmem::erase::erase(&mem)), original, "erased\n{mem}");
    let heap = funmem::interp::run(&mem, "main", &args, Limits::default());
    assert_eq!(
        heap.map_err(|error| error.to_string()).map(|values| outcome(Ok(values))),
        Ok(original),
        "heap\n{mem}"
    );
}

/// `main` with one argument `[n][m]i64`.
fn on_matrix(results: &str, body: &str, args: &str, expected: &str) {
    agree(
        &format!("entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i64) : {results} = {{\n{body}\n}}"),
        args,
        expected,
    );
}

const MATRIX: &str = "[[1i64,2i64,3i64],[4i64,5i64,6i64]]";

#[test]
fn layouts() {
    on_matrix(
        "(r_3: [m_1][n_0]i64) [k_4: i64] (s_5: [k_4]i64) (t_6: [n_0]i64)",
        "let (t_10: [m_1][n_0]i64) = permute (1, 0) a_2
         let (u_11: [m_1][n_0]i64) = reverse 0 t_10
         let (k_12: i64) = mul.i64 m_1 n_0
         let (f_13: [k_12]i64) = reshape [k_12] u_11
         let (g_14: [k_12]i64) = reverse 0 f_13
         let (h_15: [n_0][m_1]i64) = reshape [n_0][m_1] g_14
         let (c_16: [n_0]i64) = slice h_15[0i64 : n_0 : 1i64, 2i64]
         in (u_11, k_12, g_14, c_16)",
        MATRIX,
        "[[3i64, 6i64], [2i64, 5i64], [1i64, 4i64]] [4i64, 1i64, 5i64, 2i64, 6i64, 3i64] [5i64, 3i64]",
    );
}

#[test]
fn parts_and_wholes() {
    on_matrix(
        "[k_3: i64] (r_4: [k_3][m_1]i64) (s_5: [2i64][m_1]i64) (t_6: [2i64][m_1]i64)",
        "let (k_10: i64) = add.i64 n_0 n_0
         let (v_11: [n_0][m_1]i64) = reverse 1 a_2
         let (c_12: [k_10][m_1]i64) = concat k_10 a_2 v_11
         let (x_13: [m_1]i64) = slice c_12[3i64, 0i64 : m_1 : 1i64]
         let (y_14: [m_1]i64) = slice c_12[0i64, 0i64 : m_1 : 1i64]
         let (l_15: [2i64][m_1]i64) = array [m_1]i64 [x_13, y_14]
         let (p_16: [2i64][m_1]i64) = replicate [2i64] x_13
         let (z_17: [2i64]i64) = slice y_14[2i64 : 2i64 : -2i64]
         let (q_18: [2i64][m_1]i64) = update p_16[0i64 : 2i64 : 1i64, 1i64] z_17
         in (k_10, c_12, l_15, q_18)",
        MATRIX,
        "[[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [3i64, 2i64, 1i64], [6i64, 5i64, 4i64]] \
         [[6i64, 5i64, 4i64], [1i64, 2i64, 3i64]] [[6i64, 3i64, 4i64], [6i64, 1i64, 4i64]]",
    );
}

#[test]
fn branches_with_other_sizes_and_layouts() {
    for (args, expected) in [
        (format!("{MATRIX} true"), "[6i64, 3i64, 2i64, 1i64] 2i64"),
        (format!("{MATRIX} false"), "[6i64, 4i64, 1i64] 1i64"),
    ] {
        agree(
            "entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i64) (c_3: bool) : [k_4: i64] (r_5: [k_4]i64) (x_6: i64) = {
               let (k_10: i64) (b_11: [k_10]i64) (d_12: [m_1]i64) = if c_3 {
                 let (z_13: [m_1]i64) = slice a_2[0i64, 0i64 : m_1 : 1i64]
                 let (y_20: [m_1]i64) = copy z_13
                 in (m_1, z_13, y_20)
               } else {
                 let (y_14: [n_0]i64) = slice a_2[0i64 : n_0 : 1i64, 0i64]
                 let (w_21: [m_1]i64) = slice a_2[0i64, 0i64 : m_1 : 1i64]
                 let (w_22: [m_1]i64) = reverse 0 w_21
                 let (w_23: [m_1]i64) = reverse 0 w_22
                 in (n_0, y_14, w_23)
               }
               let (k_15: i64) = add.i64 k_10 1i64
               let (six_16: [1i64]i64) = replicate [1i64] 6i64
               let (e_17: [k_15]i64) = concat k_15 b_11 six_16
               let (f_18: [k_15]i64) = reverse 0 e_17
               let (j_24: i64) = sub.i64 k_10 2i64
               let (x_25: i64) = index d_12[j_24]
               in (k_15, f_18, x_25)
             }",
            &args,
            expected,
        );
    }
}

#[test]
fn loops_that_swap_rotate_and_grow() {
    // Blocks swap.
    on_matrix(
        "(r_3: [m_1]i64) (s_4: [m_1]i64)",
        "let (x_10: [m_1]i64) = slice a_2[0i64, 0i64 : m_1 : 1i64]
         let (b_11: [m_1]i64) = copy x_10
         let (y_12: [m_1]i64) = slice a_2[1i64, 0i64 : m_1 : 1i64]
         let (c_13: [m_1]i64) = copy y_12
         let (p_14: [m_1]i64) (q_15: [m_1]i64) = loop (d_16: [m_1]i64 = b_11) (e_17: [m_1]i64 = c_13) for i_18: i64 < 3i64 {
           let (v_19: i64) = index e_17[i_18]
           let (w_20: i64) = mul.i64 v_19 10i64
           let (f_21: [m_1]i64) = update d_16[i_18] w_20
           in (e_17, f_21)
         }
         in (p_14, q_15)",
        MATRIX,
        // i=0: f = [40,2,3], (d, e) = ([4,5,6], [40,2,3]); i=1: f = [4,20,6], ([40,2,3], [4,20,6]); i=2: f = [40,2,60].
        "[4i64, 20i64, 6i64] [40i64, 2i64, 60i64]",
    );
    // The shape changes from iteration to iteration, and the layout too.
    on_matrix(
        "[k_3: i64] (r_4: [k_3]i64)",
        "let (x_10: [n_0]i64) = slice a_2[0i64 : n_0 : 1i64, 1i64]
         let (k_11: i64) (b_12: [k_11]i64) = loop (j_13: i64 = n_0) (c_14: [j_13]i64 = x_10) for i_15: i32 < 2i32 {
           let (l_16: i64) = add.i64 j_13 j_13
           let (d_17: [j_13]i64) = reverse 0 c_14
           let (e_18: [l_16]i64) = concat l_16 c_14 d_17
           let (f_19: [l_16]i64) = reverse 0 e_18
           in (l_16, f_19)
         }
         in (k_11, b_12)",
        MATRIX,
        "[2i64, 5i64, 5i64, 2i64, 2i64, 5i64, 5i64, 2i64]",
    );
    // A loop that ends on a condition, and one that never runs.
    on_matrix(
        "(r_3: [n_0][m_1]i64) (s_4: [n_0][m_1]i64)",
        "let (t_10: [m_1][n_0]i64) = permute (1, 0) a_2
         let (b_11: [n_0][m_1]i64) = copy a_2
         let (g_12: bool) (c_13: [n_0][m_1]i64) (i_14: i64) = loop (go_15: bool = true) (d_16: [n_0][m_1]i64 = b_11) (j_17: i64 = 0i64) while go_15 {
           let (e_18: [n_0][m_1]i64) = update d_16[1i64, j_17] 0i64
           let (k_19: i64) = add.i64 j_17 1i64
           let (h_20: bool) = lt.i64 k_19 2i64
           in (h_20, e_18, k_19)
         }
         let (u_21: [m_1][n_0]i64) = loop (v_22: [m_1][n_0]i64 = t_10) for w_23: i64 < 0i64 {
           let (y_24: [m_1][n_0]i64) = copy v_22
           in (y_24)
         }
         let (z_25: [n_0][m_1]i64) = permute (1, 0) u_21
         in (c_13, z_25)",
        MATRIX,
        "[[1i64, 2i64, 3i64], [0i64, 0i64, 6i64]] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]]",
    );
}

#[test]
fn loops_that_alias_their_results() {
    // Both next values are one array, which nothing consumes; then one is updated after the loop.
    on_matrix(
        "(r_3: i64) (s_4: i64)",
        "let (x_10: [m_1]i64) = slice a_2[0i64, 0i64 : m_1 : 1i64]
         let (p_11: [m_1]i64) (q_12: [m_1]i64) = loop (b_13: [m_1]i64 = x_10) (c_14: [m_1]i64 = x_10) for i_15: i64 < 2i64 {
           let (d_16: [m_1]i64) = kernel (j_17 < m_1) {
             let (v_18: i64) = index b_13[j_17]
             let (w_19: i64) = index c_14[j_17]
             let (y_20: i64) = add.i64 v_19 w_19
             in (y_20)
           }
           in (d_16, d_16)
         }
         let (e_21: [m_1]i64) = copy p_11
         let (f_22: [m_1]i64) = update e_21[0i64] 0i64
         let (g_23: i64) = index f_22[0i64]
         let (h_24: i64) = index q_12[2i64]
         in (g_23, h_24)"
            .replace("add.i64 v_19", "add.i64 v_18")
            .as_str(),
        MATRIX,
        "0i64 12i64",
    );
}

#[test]
fn kernels_with_arrays_inside() {
    on_matrix(
        "(r_3: [n_0][m_1]i64) (s_4: [n_0]i64)",
        "let (b_10: [n_0][m_1]i64) (c_11: [n_0]i64) = kernel (i_12 < n_0) {
           let (row_13: [m_1]i64) = slice a_2[i_12, 0i64 : m_1 : 1i64]
           let (t_14: [m_1]i64) = copy row_13
           let (u_15: [m_1]i64) = loop (v_16: [m_1]i64 = t_14) for j_17: i64 < 2i64 {
             let (k_18: i64) = add.i64 j_17 1i64
             let (x_19: i64) = index v_16[j_17]
             let (y_20: i64) = index v_16[k_18]
             let (z_21: i64) = add.i64 x_19 y_20
             let (w_22: [m_1]i64) = update v_16[k_18] z_21
             in (w_22)
           }
           let (s_23: i64) = kernel (q_24 < m_1) reduce_comm \\(l_25: i64) (r_26: i64) : i64 {
             let (m_27: i64) = max.i64 l_25 r_26
             in (m_27)
           } (0i64) {
             let (e_28: i64) = index u_15[q_24]
             in (e_28)
           }
           let (o_29: [m_1]i64) = reverse 0 u_15
           in (o_29, s_23)
         }
         in (b_10, c_11)",
        MATRIX,
        "[[6i64, 3i64, 1i64], [15i64, 9i64, 4i64]] [6i64, 15i64]",
    );
}

#[test]
fn scatter_rows_and_hist() {
    on_matrix(
        "(r_3: [3i64][m_1]i64) (s_4: [m_1]i64)",
        "let (z_10: [3i64][m_1]i64) = replicate [3i64][m_1] 0i64
         let (s_11: [3i64][m_1]i64) = kernel (i_12 < n_0) scatter (z_10) {
           let (j_13: i64) = mul.i64 i_12 2i64
           let (k_14: i64) = sub.i64 2i64 j_13
           let (row_15: [m_1]i64) = slice a_2[i_12, 0i64 : m_1 : 1i64]
           let (rev_16: [m_1]i64) = reverse 0 row_15
           in (k_14, rev_16)
         }
         let (o_17: [m_1]i64) = replicate [m_1] 0i64
         let (h_18: [m_1]i64) = kernel (q_19 < 5i64) hist \\(l_20: i64) (r_21: i64) : i64 {
           let (t_22: i64) = add.i64 l_20 r_21
           in (t_22)
         } (0i64) (o_17) {
           let (u_23: i64) = sub.i64 q_19 1i64
           in (u_23, q_19)
         }
         in (s_11, h_18)",
        MATRIX,
        "[[6i64, 5i64, 4i64], [0i64, 0i64, 0i64], [3i64, 2i64, 1i64]] [1i64, 2i64, 3i64]",
    );
}

#[test]
fn calls() {
    agree(
        "fun total [n_0: i64] (xs_1: [n_0]i64) : (r_2: i64) = {
           let (s_3: i64) = loop (t_4: i64 = 0i64) for i_5: i64 < n_0 {
             let (x_6: i64) = index xs_1[i_5]
             let (u_7: i64) = add.i64 t_4 x_6
             in (u_7)
           }
           in (s_3)
         }
         fun doubled [n_10: i64] (*xs_11: [n_10]i64) (by_12: i64) : (*r_13: [n_10]i64) = {
           let (s_14: [n_10]i64) = loop (t_15: [n_10]i64 = xs_11) for i_16: i64 < n_10 {
             let (x_17: i64) = index t_15[i_16]
             let (y_18: i64) = mul.i64 x_17 by_12
             let (u_19: [n_10]i64) = update t_15[i_16] y_18
             in (u_19)
           }
           in (s_14)
         }
         fun same [n_20: i64] (xs_21: [n_20]i64) : (r_22: [n_20]i64) (s_23: [n_20]i64) = {
           in (xs_21, xs_21)
         }
         entry other [n_60: i64] (xs_61: [n_60]i64) : (r_62: [n_60]i64) = {
           let (ys_63: [n_60]i64) = reverse 0 xs_61
           in (ys_63)
         }
         entry main [n_30: i64] [m_31: i64] (a_32: [n_30][m_31]i64) : (r_33: i64) (s_34: [n_30]i64) (t_35: [n_30]i64) (u_36: [m_31]i64) = {
           let (c_40: [n_30]i64) = slice a_32[0i64 : n_30 : 1i64, 1i64]
           let (d_41: [n_30]i64) = reverse 0 c_40
           let (x_42: i64) = call total n_30 d_41
           let (e_43: [n_30][m_31]i64) = copy a_32
           let (f_44: [n_30]i64) = slice e_43[0i64 : n_30 : 1i64, 2i64]
           let (g_45: [n_30]i64) = call doubled n_30 f_44 10i64
           let (h_46: [n_30]i64) (i_47: [n_30]i64) = call same n_30 c_40
           let (row_48: [m_31]i64) = slice a_32[1i64, 0i64 : m_31 : 1i64]
           let (l_49: [m_31]i64) = call other m_31 row_48
           in (x_42, g_45, i_47, l_49)
         }",
        MATRIX,
        "7i64 [30i64, 60i64] [2i64, 5i64] [6i64, 5i64, 4i64]",
    );
}

#[test]
fn empty_arrays() {
    on_matrix(
        "(r_3: [m_1][n_0]i64) [k_4: i64] (s_5: [k_4]i64) (t_6: i64)",
        "let (t_10: [m_1][n_0]i64) = permute (1, 0) a_2
         let (k_11: i64) = mul.i64 m_1 n_0
         let (f_12: [k_11]i64) = reshape [k_11] t_10
         let (b_13: [m_1][n_0]i64) = copy t_10
         let (v_14: [m_1][n_0]i64) = reverse 1 b_13
         let (l_15: [m_1][n_0]i64) = loop (p_16: [m_1][n_0]i64 = v_14) for i_17: i64 < 2i64 {
           let (q_18: [m_1][n_0]i64) = reverse 0 p_16
           in (q_18)
         }
         let (s_19: i64) = kernel (i_20 < k_11) reduce \\(x_21: i64) (y_22: i64) : i64 {
           let (z_23: i64) = add.i64 x_21 y_22
           in (z_23)
         } (0i64) {
           let (e_24: i64) = index f_12[i_20]
           in (e_24)
         }
         in (l_15, k_11, f_12, s_19)",
        "empty([0][3]i64)",
        "empty([3][0]i64) empty([0]i64) 0i64",
    );
}

#[test]
fn an_update_through_overlapping_cells_copies() {
    agree(
        "entry main (s_0: i64) (*a_1: [4i64]i64) : (r_2: [3i64]i64) = {
           let (b_3: [3i64]i64) = slice a_1[1i64 : 3i64 : s_0]
           let (c_4: [3i64]i64) = update b_3[1i64] 7i64
           in (c_4)
         }",
        "0i64 [1i64,2i64,3i64,4i64]",
        "[2i64, 7i64, 2i64]",
    );
}

/// How a run ended: values, or the kind of its end. Faults don't happen.
fn ending(result: Result<Vec<Value>, RunError>, what: &str) -> Result<Vec<Value>, RunErrorKind> {
    result.map_err(|error| {
        assert_ne!(error.kind, RunErrorKind::Fault, "{what}: {error}");
        error.kind
    })
}

fn same(left: &Result<Vec<Value>, RunErrorKind>, right: &Result<Vec<Value>, RunErrorKind>) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.same(b)),
        (Err(left), Err(right)) => left == right,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

/// The program of a seed in all semantics.
fn generated_agrees(seed: u64, size: usize, form: Form) {
    let GenProgram { program, inputs, .. } = generate(seed, size, form);
    let what = format!("seed {seed} size {size} {form:?}");
    let value = |program: &fun::ir::Program| {
        ending(fun::interp::run(program, "main", &inputs, Limits::default()), &what)
    };
    let original = value(&program);
    let mem = fun_to_funmem::run(soac_to_kernel::run(ad::run(program)));
    if let Err(errors) = funmem::check::check_program(&mem) {
        panic!("{what}: {}\n{mem}", errors_to_string(&errors));
    }
    let text = mem.to_string();
    let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
    assert!(funmem::text::parse_program(&source, 0).as_ref() == Ok(&mem), "{what}: text");
    assert!(same(&value(&funmem::erase::erase(&mem)), &original), "{what}: erased\n{mem}");
    let heap = funmem::interp::run(&mem, "main", &inputs, Limits::default());
    if let Err(error) = &heap {
        assert!(original.is_err(), "{what}: {error}\n{mem}");
    }
    assert!(same(&ending(heap, &what), &original), "{what}: heap\n{mem}");
}

#[test]
fn generated_programs_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let start = number("FUN_SEED").unwrap_or(0);
    for seed in start..start + number("FUN_PROGRAMS").unwrap_or(150) {
        let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
        generated_agrees(seed, 5 + (seed % 20) as usize, form);
    }
}

/// Layouts that introduction never chooses lower to IMP all the same.
#[test]
fn arbitrary_layouts_lower_to_imp() {
    for seed in 0..300 {
        let case = funmem::r#gen::generate(seed, 4 + (seed % 25) as usize);
        let heap = funmem::interp::run(&case.program, "main", &case.inputs, Limits::default());
        let imp = fun_passes::lower::funmem_to_imp::run(case.program.clone());
        if let Err(errors) = imp::check::check(&imp) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("seed {seed}: {}\n{}", errors.join("\n"), imp::text::print_program(&imp));
        }
        let result = imp::interp::run(&imp, "main", &case.inputs, Limits::default());
        let what = format!("seed {seed}");
        assert!(
            same(&ending(result, &what), &ending(heap, &what)),
            "{what}\n{}\n{}",
            case.program,
            imp::text::print_program(&imp)
        );
    }
}

/// The text with one word replaced by another word of it.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (start, is_word(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    let (Some(target), Some(source)) = (rng.pick(&words), rng.pick(&words)) else { return text.to_owned() };
    format!("{}{}{}", &text[..target.start], &text[source.clone()], &text[target.end..])
}

/// Programs that no generator makes: damaged ones that are programs still. Where they have values, heap semantics gives the same.
#[test]
fn damaged_programs_agree_if_they_check() {
    let limits = Limits { steps: 1_000_000, bytes: 1 << 22 };
    let mut checked = 0;
    for seed in 0..400 {
        let GenProgram { program, inputs, .. } = generate(seed, 15, Form::Kernel);
        let mut text = program.to_string();
        for turn in 0..5 {
            let next = mutated(&text, &mut Rng::new(seed * 5 + turn));
            let source = Source { name: Symbol::new("t.fun"), text: next.clone().into() };
            let Ok(program) = fun::text::parse_program::<Fun>(&source, 0) else { continue };
            if fun::check::check_program(&program, Phase::Kernel).is_err() {
                continue;
            }
            checked += 1;
            text = next;
            let value = fun::interp::run(&program, "main", &inputs, limits);
            let mem = fun_to_funmem::run(program);
            if let Err(errors) = funmem::check::check_program(&mem) {
                panic!("seed {seed}: {}\n{text}\n{mem}", errors_to_string(&errors));
            }
            let heap = funmem::interp::run(&mem, "main", &inputs, limits);
            let Ok(value) = value else { continue };
            // Blocks live longer than values do; a size that no argument says is 0 for FUN, and an error here.
            // Of preconditions, those on empty parts are looked at more closely here.
            let told = [RunErrorKind::Limit, RunErrorKind::Input];
            let told = |error: &RunError| told.contains(&error.kind) || error.message.starts_with("F6");
            if heap.as_ref().is_err_and(told) {
                continue;
            }
            let heap = heap.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{mem}"));
            assert!(same(&Ok(value), &Ok(heap)), "seed {seed}\n{text}\n{mem}");
        }
    }
    assert!(checked > 100, "{checked}");
}
