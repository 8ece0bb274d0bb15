//! Measurements, run by hand: `cargo test --release -p fun-cranelift -- --ignored --nocapture speed`.
#![allow(clippy::print_stdout, reason = "measurements are for people")]

use crate::common::{array, i64, program};
use fun_base::prim::PrimType;
use fun_cranelift::{Options, RunControl, compile};
use std::time::{Duration, Instant};

/// Seconds that this thread ran, where the system tells: other processes disturb that less.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next().and_then(|n| n.parse().ok());
    first.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

/// The triple loop, the sum in a variable.
const MATMUL: &str = "entry proc main(n_0: i64, a_1: mem, b_2: mem): (i64, mem)
    takes (f32[@0][@0]@1, f32[@0][@0]@2) gives (f32[@0][@0]@1) {
    alloc c_3: f32[n_0][n_0]
    view A_4: f32 @ a_1 -> 0 + {(n_0 : n_0)(n_0 : 1)}
    view B_5: f32 @ b_2 -> 0 + {(n_0 : n_0)(n_0 : 1)}
    view C_6: f32 @ c_3 -> 0 + {(n_0 : n_0)(n_0 : 1)}
    for i_7: i64 < n_0 seq { for j_8: i64 < n_0 seq {
      var s_9: f32
      for k_10: i64 < n_0 seq { s_9 := add.f32(s_9, mul.f32(A_4[i_7, k_10], B_5[k_10, j_8])) }
      C_6[i_7, j_8] := s_9 } }
    return (n_0, c_3) }";

const MATMUL_C: &str = "#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void matmul(long n, const float *a, const float *b, float *c) {
  for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) {
    float s = 0;
    for (long k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s; } }
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  float *a = aligned_alloc(64, 4 * n * n), *b = aligned_alloc(64, 4 * n * n), *c = aligned_alloc(64, 4 * n * n);
  for (long i = 0; i < n * n; i++) a[i] = b[i] = i % 7;
  double best = 1e9;
  for (int r = 0; r < 3; r++) {
    struct timespec s, e;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &s); matmul(n, a, b, c); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &e);
    double t = (e.tv_sec - s.tv_sec) + 1e-9 * (e.tv_nsec - s.tv_nsec);
    if (t < best) best = t; }
  fprintf(stderr, \"%f\\n\", c[n + 1]);
  printf(\"%.9f\\n\", best); }";

#[test]
#[ignore = "takes long and needs a C compiler"]
fn speed_of_matmul_against_c() {
    let folder = std::env::temp_dir().join(format!("fun-matmul-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("matmul.c"), folder.join("matmul"));
    std::fs::write(&source, MATMUL_C).unwrap();
    let status = std::process::Command::new("cc").args(["-O1", "-o"]).arg(&binary).arg(&source).status();
    assert!(status.unwrap().success());
    let code = compile(&program(MATMUL), Options::default()).unwrap();
    for n in [256i64, 1024] {
        let output = std::process::Command::new(&binary).arg(n.to_string()).output().unwrap();
        let c: f64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        let a = array(PrimType::F32, &[n, n], (0..n * n).map(|i| i % 7));
        let best = (0..3).map(|_| {
            let mut run = code.prepare("main", &[a.clone(), a.clone()], &RunControl::new()).unwrap();
            let start = thread_time();
            run.call().unwrap();
            thread_time() - start
        });
        let jit = best.min().unwrap().as_secs_f64();
        println!("matmul {n}x{n} f32: JIT {jit:.4} s, C -O1 {c:.4} s, ratio {:.3}", jit / c);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
#[ignore = "a measurement"]
fn speed_of_compilation() {
    let mean = |text: &str| {
        let program = program(text);
        let options = Options { verify: false, ..Options::default() };
        let start = thread_time();
        for _ in 0..20 {
            compile(&program, options).unwrap();
        }
        (thread_time() - start) / 20
    };
    println!("compilation of matmul: {:?}", mean(MATMUL));
    for n in [100, 1000, 10_000] {
        let body: String = (0..n)
            .map(|i| {
                format!("x_1 := add.i64(mul.i64(x_1, n_0), {i}i64) if lt.i64(x_1, n_0) {{ x_1 := n_0 }}\n")
            })
            .collect();
        let text = format!(
            "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {{ var x_1: i64 = n_0 {body} return (x_1) }}"
        );
        println!("compilation of {n} branches in one procedure: {:?}", mean(&text));
    }
}

#[test]
#[ignore = "a measurement"]
fn speed_of_small_runs() {
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
      var s_1: i64
      for i_2: i64 < n_0 seq {
        alloc a_3: i64[3i64]
        view A_4: i64 @ a_3 -> 0 + {(3 : 1)}
        A_4[1i64] := i_2
        s_1 := add.i64(s_1, A_4[1i64])
        free a_3 }
      return (s_1) }";
    let code = compile(&program(text), Options::default()).unwrap();
    let control = RunControl::new();
    let start = thread_time();
    for _ in 0..10_000 {
        code.run("main", &[i64(0)], &control).unwrap();
    }
    println!("an empty run: {:?}", (thread_time() - start) / 10_000);
    let start = thread_time();
    code.run("main", &[i64(1_000_000)], &control).unwrap();
    println!("allocation, use and release of a small block: {:?}", (thread_time() - start) / 1_000_000);
}
#[test]
#[ignore = "a measurement"]
fn speed_of_a_parallel_reduction() {
    // As the lowering writes it: chunks whose sizes are computed inside the loop.
    let sum = |kind: &str| {
        format!(
            "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {{
             let size_1: i64 = quot.i64(add.i64(n_0, 63i64), 64i64)
             alloc p_2: i64[64i64]
             view P_3: i64 @ p_2 -> 0 + {{(64 : 1)}}
             for c_4: i64 < 64i64 {kind} {{
               let start_5: i64 = mul.i64(c_4, size_1)
               let left_6: i64 = sub.i64(n_0, start_5)
               let count_7: i64 = min.i64(left_6, size_1)
               var s_8: i64
               for k_9: i64 < count_7 seq {{ s_8 := add.i64(s_8, xor.i64(add.i64(start_5, k_9), 5i64)) }}
               P_3[c_4] := s_8 }}
             var t_10: i64
             for c_11: i64 < 64i64 seq {{ t_10 := add.i64(t_10, P_3[c_11]) }}
             free p_2
             return (t_10) }}"
        )
    };
    let time = |kind: &str| {
        let code = compile(&program(&sum(kind)), Options::default()).unwrap();
        let runs = (0..5).map(|_| {
            let start = Instant::now();
            code.run("main", &[i64(200_000_000)], &RunControl::new()).unwrap();
            start.elapsed()
        });
        runs.min().unwrap()
    };
    println!("sum of 2e8 numbers: seq {:?}, par {:?}", time("seq"), time("par"));
}
