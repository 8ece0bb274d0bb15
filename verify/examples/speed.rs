//! How many generated programs a second one core takes through all semantics, and what the time goes to.
//!
//! `cargo run --release -p fun-verify --example speed -- [programs] [size] [first seed]`; the first pipeline, one thread.
//! What breaks a law is printed.

#![expect(clippy::print_stdout, reason = "what it is for")]

use fun_base::run::Limits;
use fun_passes::pipeline::PIPELINES;
use fun_passes::pipeline::passes_from;
use fun_verify::generated::{ENTRY, Language, generate};
use fun_verify::laws::{LawOptions, check};
use fun_verify::{Options, agree, stages};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time that this thread has had a core, or, where the system does not say, the time of the day.
fn now() -> Duration {
    let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|nanos| nanos.parse().ok());
    nanos.map_or_else(since, Duration::from_nanos)
}

/// Times one part.
fn timed<T>(total: &mut Duration, part: impl FnOnce() -> T) -> T {
    let start = now();
    let result = part();
    *total += now() - start;
    result
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let (count, size) = (args.next().unwrap_or(1_000), args.next().unwrap_or(15) as usize);
    let first = args.next().unwrap_or(0);
    let worker = move || Language::ALL.into_iter().for_each(|language| measure(language, first, count, size));
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(worker);
    thread.expect("a thread").join().expect("no panic");
}

fn measure(language: Language, first: u64, count: u64, size: usize) {
    let [mut generating, mut passing, mut compiling, mut running, mut laws] = [Duration::ZERO; 5];
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    let options = Options { limits, tolerance: 0.0, jit: true, order: 0 };
    let bare = Options { jit: false, ..options.clone() };
    for seed in first..first + count {
        let made = timed(&mut generating, || generate(language, seed, size));
        let passes = passes_from(&PIPELINES[0], made.program.stage());
        let found = timed(&mut laws, || check(&made, &passes, &LawOptions::default()));
        if let Err(found) = found {
            println!("{} seed {seed} size {size}: {} {}", language.name(), found.kind, found.message);
            continue;
        }
        drop(timed(&mut passing, || stages(made.program.clone(), &passes, &bare)));
        let Ok(with_code) = timed(&mut compiling, || stages(made.program.clone(), &passes, &options)) else {
            continue;
        };
        timed(&mut running, || agree(&with_code, ENTRY, &made.inputs, &options));
    }
    let compiling = compiling.saturating_sub(passing);
    let total = generating + passing + compiling + running;
    let each = |part: Duration| part.as_secs_f64() * 1e3 / count as f64;
    println!(
        "{}: {:.0} programs a second ({:.0} with the text and the passes twice); milliseconds for each: generation {:.2}, passes and checker {:.2}, \
         compilation {:.2}, runs {:.2}",
        language.name(),
        count as f64 / total.as_secs_f64(),
        count as f64 / (generating + laws).as_secs_f64(),
        each(generating),
        each(passing),
        each(compiling),
        each(running),
    );
}
