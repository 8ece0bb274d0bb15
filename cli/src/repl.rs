//! The REPL: reads a line (or several), evaluates it on the JIT, prints, and survives every error.
//!
//! The state is the text of the definitions made so far. An expression is compiled together with them as one program: so
//! the REPL needs no second notion of scope, and a definition can be replaced at any time.

mod colon;
mod line;
mod session;
mod show;

use crate::compile::Failure;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use session::Session;
use std::path::{Path, PathBuf};

/// Runs until `:quit` or the end of the input.
pub(crate) fn run(program: Option<&Path>) -> Result<(), Failure> {
    let mut session = Session::default();
    if let Some(path) = program {
        session.load(path);
    }
    let config =
        Config::builder().auto_add_history(true).completion_type(rustyline::CompletionType::List).build();
    let mut editor = Editor::<line::Helper, FileHistory>::with_config(config)
        .map_err(|error| Failure::Message(format!("can't edit lines here: {error}")))?;
    // After the editor, which takes the signal for itself when it is made.
    let control = session.control.clone();
    // Without a handler Ctrl-C ends the program, which is no worse than what was asked for.
    let _ = ctrlc::set_handler(move || control.cancel());
    editor.set_helper(Some(line::Helper::default()));
    let history = history_file();
    if let Some(path) = &history {
        let _ = editor.load_history(path); // there is none the first time
    }
    loop {
        if let Some(helper) = editor.helper_mut() {
            helper.set_names(session.names());
        }
        match editor.readline(&session.prompt()) {
            Ok(input) => {
                session.control.reset();
                if !session.evaluate(&input) {
                    break;
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(Failure::Message(format!("can't read the next line: {error}"))),
        }
    }
    if let Some(path) = &history
        && let Err(error) = editor.save_history(path)
    {
        eprintln!("fun: can't save the history to {}: {error}", path.display());
    }
    Ok(())
}

/// Where the history is kept: `$FUN_HISTORY`, or `.fun_history` in the home folder.
fn history_file() -> Option<PathBuf> {
    match std::env::var_os("FUN_HISTORY") {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => std::env::home_dir().map(|home| home.join(".fun_history")),
    }
}
