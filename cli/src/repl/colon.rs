//! The commands that begin with a colon.

use super::session::{Evaluation, Semantics, Session};
use crate::commands::{at_stage, verify_expression};
use crate::compile::Failure;
use fun_base::diag::suggest;
use fun_frontend::types::scheme_to_string;
use fun_passes::program::{Program, Stage};
use std::path::Path;
use std::time::Duration;

/// A command.
pub(super) struct Command {
    /// Its name, without the colon.
    pub(super) name: &'static str,
    argument: &'static str,
    about: &'static str,
    run: fn(&mut Session, &str) -> Result<(), Failure>,
}

/// All commands but `:quit`, which ends the REPL.
pub(super) static COMMANDS: &[Command] = &[
    Command { name: "type", argument: "EXPRESSION", about: "its type", run: show_type },
    Command {
        name: "ir",
        argument: "[fun|funmem|imp|clif|asm] EXPRESSION",
        about: "its program at a stage (fun when none is named)",
        run: show_ir,
    },
    Command {
        name: "mem",
        argument: "EXPRESSION",
        about: "draw the memory it needs: when blocks live, and what in them",
        run: show_memory,
    },
    Command {
        name: "trace",
        argument: "EXPRESSION",
        about: "reads and writes of memory, by block and statement",
        run: show_trace,
    },
    Command {
        name: "time",
        argument: "EXPRESSION",
        about: "run it and say how long it took",
        run: show_time,
    },
    Command {
        name: "verify",
        argument: "EXPRESSION",
        about: "compare all semantics after every pass; of a function, on random inputs",
        run: verify,
    },
    Command {
        name: "semantics",
        argument: "[value|heap|imp|jit]",
        about: "what evaluates expressions from now on",
        run: semantics,
    },
    Command {
        name: "load",
        argument: "FILE",
        about: "replace all definitions by those of a file",
        run: load,
    },
    Command { name: "reload", argument: "", about: "load the last file again", run: reload },
    Command { name: "help", argument: "", about: "this list", run: help },
    Command { name: "quit", argument: "", about: "end", run: help },
];

/// Does what a command says; false when the REPL should end.
pub(super) fn run(session: &mut Session, input: &str) -> bool {
    let (name, argument) = input.split_once(char::is_whitespace).unwrap_or((input, ""));
    if matches!(name, "quit" | "q") {
        return false;
    }
    // A prefix is enough if it is the only one: `:t`, `:ti`.
    let mut matching = COMMANDS
        .iter()
        .filter(|c| c.name == name)
        .chain(COMMANDS.iter().filter(|c| c.name.starts_with(name)));
    match matching.next() {
        Some(command) if !name.is_empty() => {
            if !command.argument.is_empty()
                && !command.argument.starts_with('[')
                && argument.trim().is_empty()
            {
                println!("usage: :{} {}", command.name, command.argument);
            } else if let Err(failure) = (command.run)(session, argument.trim()) {
                failure.report();
            }
        }
        _ => {
            let close = suggest(name, COMMANDS.iter().map(|command| command.name));
            let hint = close
                .map_or("`:help` lists the commands".to_owned(), |name| format!("did you mean `:{name}`?"));
            println!("there is no command `:{name}`; {hint}");
        }
    }
    true
}

fn help(_: &mut Session, _: &str) -> Result<(), Failure> {
    println!("An expression is evaluated; `def f x = …`, `let x = …` and `type t = …` define.");
    for command in COMMANDS {
        println!("  :{:40} {}", format!("{} {}", command.name, command.argument), command.about);
    }
    Ok(())
}

fn show_type(session: &mut Session, expression: &str) -> Result<(), Failure> {
    println!("{}", scheme_to_string(&session.compile_expression(expression)?.scheme));
    Ok(())
}

/// The program of an expression that is not a function.
fn program(evaluation: &Evaluation) -> Result<fun::ir::Program, Failure> {
    let functional = || Failure::Message("this is a function: apply it to something".to_owned());
    evaluation.program.clone().ok_or_else(functional)
}

fn show_ir(session: &mut Session, argument: &str) -> Result<(), Failure> {
    let (first, rest) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
    let (stage, expression) = match first {
        "fun" | "funmem" | "imp" | "clif" | "asm" => (first, rest),
        _ => ("fun", argument),
    };
    let program = Program::Fun(program(&session.compile_expression(expression)?)?);
    let code = |result: Result<String, fun_cranelift::CompileError>| {
        result.map_err(|error| Failure::Bug(format!("bug in FUN: {error}")))
    };
    let text = match Stage::from_name(stage) {
        Some(stage) => at_stage(program, stage)?,
        None => {
            let imp = crate::compile::to_imp(program, &mut Vec::new())?;
            code(if stage == "clif" {
                fun_cranelift::clif_text(&imp)
            } else {
                fun_cranelift::asm_text(&imp)
            })?
        }
    };
    println!("{}", text.trim_end());
    Ok(())
}

/// The width of tables and pictures.
const WIDTH: usize = 96;

fn show_memory(session: &mut Session, expression: &str) -> Result<(), Failure> {
    let evaluation = session.compile_expression(expression)?;
    let trace = session.trace(&evaluation.source, program(&evaluation)?)?;
    print!("{}", fun_verify::picture::text(&trace, WIDTH));
    let usage = session.run(&evaluation.source, program(&evaluation)?)?.finished.usage;
    println!("machine code: {} allocations, {} bytes at the peak", usage.allocations, usage.peak_bytes);
    Ok(())
}

fn show_trace(session: &mut Session, expression: &str) -> Result<(), Failure> {
    let evaluation = session.compile_expression(expression)?;
    let trace = session.trace(&evaluation.source, program(&evaluation)?)?;
    print!("{}", fun_verify::picture::table(&trace, WIDTH));
    Ok(())
}

fn show_time(session: &mut Session, expression: &str) -> Result<(), Failure> {
    let start = std::time::Instant::now();
    let evaluation = session.compile_expression(expression)?;
    let front = start.elapsed();
    let program = program(&evaluation)?;
    let run = session.run(&evaluation.source, program)?;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("compiled in {:.3} ms, ran in {:.3} ms", ms(front + run.compile), ms(run.finished.time));
    Ok(())
}

fn verify(session: &mut Session, expression: &str) -> Result<(), Failure> {
    let loaded = session.compile_entry(expression)?;
    verify_expression(&loaded, &|| session.control.is_cancelled())
}

fn semantics(session: &mut Session, name: &str) -> Result<(), Failure> {
    if !name.is_empty() {
        let found = Semantics::ALL.into_iter().find(|semantics| semantics.name() == name);
        session.semantics = found.ok_or_else(|| {
            let names = Semantics::ALL.map(Semantics::name);
            let close = suggest(name, names).map(|name| format!("did you mean `{name}`?"));
            let known = || format!("there is {}", names.join(", "));
            Failure::Message(format!("there is no semantics `{name}`; {}", close.unwrap_or_else(known)))
        })?;
    }
    println!("expressions are evaluated by {}", session.semantics.about());
    Ok(())
}

fn load(session: &mut Session, path: &str) -> Result<(), Failure> {
    session.load(Path::new(path));
    Ok(())
}

fn reload(session: &mut Session, _: &str) -> Result<(), Failure> {
    session.reload();
    Ok(())
}
