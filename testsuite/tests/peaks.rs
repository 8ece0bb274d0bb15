//! No run uses more memory than the formula of its entry point says, on generated programs.

use fun::r#gen::{Form, generate};
use fun_passes::imp::footprint;
use fun_passes::pipeline::{PIPELINES, passes_from, run_passes};
use fun_passes::program::Program;
use fun_verify::peak::{Unmeasured, measure};

/// How many programs, and how large they are.
const PROGRAMS: u64 = 400;
const SIZE: usize = 15;

#[test]
fn runs_stay_below_their_formulas() {
    let check = || {
        let (mut runs, mut exact) = (0, 0);
        for seed in 0..PROGRAMS {
            let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
            let source = Program::Fun(generate(seed, SIZE, form).program);
            // Some as the passes on memory leave them, some without these.
            let pipeline = &PIPELINES[(seed % 3 == 0) as usize];
            let passes = passes_from(pipeline, source.stage());
            let last = run_passes(source.clone(), &passes, false, &mut Vec::new(), &mut |_, _| {});
            let Program::Imp(imp) = last.expect("the passes fit") else { panic!("the pipeline ends in IMP") };
            for entry in source.entries() {
                let found = footprint::of_entry(&imp, &entry.name).expect("the entry point");
                let inputs = fun_verify::random_inputs_up_to(&source, &entry.name, seed, 40);
                match measure(&imp, &entry.name, &found, &inputs) {
                    Ok(measured) => {
                        let Some((one, most)) = measured.formula else { continue };
                        let peak = i128::from(measured.peak_bytes);
                        assert!(peak <= most, "seed {seed}: {measured:?}");
                        runs += 1;
                        exact += u32::from(one == most && peak == one);
                    }
                    Err(Unmeasured::Failed(_)) => {}
                    Err(Unmeasured::Bug(message)) => panic!("seed {seed}: {message}"),
                }
            }
        }
        // Formulas that say too much would pass as well.
        assert!(runs >= 100 && exact * 2 >= runs, "{runs} runs, {exact} of them as the formula says");
        eprintln!("{runs} runs, {exact} exact");
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(check).expect("a thread");
    thread.join().expect("every run stays below its formula");
}
