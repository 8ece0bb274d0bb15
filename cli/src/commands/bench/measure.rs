//! Timing: runs of compiled code, and of other programs between them.

use super::peer::Peer;
use super::statistics::summary;
use crate::compile::{Finished, run_c, run_code};
use fun_base::run::RunError;
use fun_cranelift::{RunControl, Usage};
use fun_spec::run::data::DataSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// A program that was compiled.
pub(super) enum Code {
    /// By the JIT.
    Jit(Box<fun_cranelift::Compiled>),
    /// By way of C.
    C(fun_c::Compiled),
}

impl Code {
    fn run(&self, data: &DataSet) -> Result<Finished, RunError> {
        let control = RunControl::new();
        match self {
            Code::Jit(code) => run_code(code, &data.entry, &data.inputs, &control),
            Code::C(code) => run_c(code, &data.entry, &data.inputs, &control),
        }
    }
}

/// When it is enough.
pub(super) struct Limits {
    /// Exactly so many runs.
    pub(super) runs: Option<usize>,
    /// Otherwise no further run begins after this time.
    pub(super) time: Duration,
    /// Or when the mean is as sure as this for everyone: see [`super::statistics::Summary::uncertainty`].
    pub(super) precision: f64,
}

/// Runs that come first and are not counted.
const WARM_UP: usize = 2;
/// Runs before the confidence interval means anything.
const FEWEST: usize = 10;
/// More than this changes nothing any more.
const MOST: usize = 2000;
/// Threads that wait actively for their next loop give up by then, so that who comes next has the processors: those of GNU OpenMP look 300,000
/// times, which takes them several milliseconds.
const REST: Duration = Duration::from_millis(20);

/// Times in microseconds.
pub(super) struct Measured {
    /// Of our code.
    pub(super) times: Vec<f64>,
    /// Of others, each with its name.
    pub(super) peers: Vec<(String, Vec<f64>)>,
    /// Memory that one run of our code used.
    pub(super) usage: Usage,
}

/// Runs our code and the peers in turn; the first result is compared with what the stanza states.
pub(super) fn alternately(
    code: &Code,
    program: &Path,
    data: &DataSet,
    commands: &[String],
    limits: &Limits,
) -> Result<Measured, String> {
    let ours = || code.run(data).map_err(|error| format!("stopped: {error}"));
    let first = ours()?;
    if let Some(difference) = data.wrong(&first.values) {
        return Err(format!("wrong result: {difference}"));
    }
    let usage = first.usage;
    let mut peers = Vec::new();
    for command in commands {
        peers.push((Peer::start(command, program, &data.entry, &data.name)?, Vec::new()));
    }
    for _ in 1..WARM_UP {
        ours()?;
    }
    for _ in 0..WARM_UP {
        for (peer, _) in &mut peers {
            peer.time()?;
        }
    }
    let (start, mut times) = (Instant::now(), Vec::new());
    loop {
        // (a run that is not timed wakes the threads, for each alike)
        if !peers.is_empty() {
            std::thread::sleep(REST);
            ours()?;
        }
        times.push(ours()?.time.as_secs_f64() * 1e6);
        for (peer, of_peer) in &mut peers {
            std::thread::sleep(REST);
            peer.time()?;
            of_peer.push(peer.time()?);
        }
        let all = std::iter::once(&times).chain(peers.iter().map(|(_, times)| times));
        let enough = match limits.runs {
            Some(runs) => times.len() >= runs,
            None => {
                let sure =
                    |times: &Vec<f64>| summary(times).is_some_and(|s| s.uncertainty < limits.precision);
                times.len() >= MOST
                    || start.elapsed() >= limits.time
                    || times.len() >= FEWEST && all.into_iter().all(sure)
            }
        };
        if enough {
            let peers = peers.into_iter().map(|(peer, times)| (peer.name().to_owned(), times)).collect();
            return Ok(Measured { times, peers, usage });
        }
    }
}
