//! The kernels of a program, put together when all are written: what each begins with depends on whether any can stop the run.

use super::kernel::LIVE;
use crate::dialect::Dialect;
use std::collections::BTreeMap;

/// The kernels of a program.
pub(crate) struct Kernels {
    pub(crate) dialect: Dialect,
    /// In the order of the numbers that the host knows them by.
    pub(crate) written: Vec<Written>,
    /// The bytes of cells that are copied on the device, and whether arrays of several dimensions are.
    pub(crate) copied: BTreeMap<u64, bool>,
}

/// A kernel that is written, but for what all must know of the others.
pub(crate) struct Written {
    pub(super) name: String,
    /// Parameters behind the one for failures.
    pub(super) parameters: Vec<String>,
    /// Declarations of what a block shares.
    pub(super) shared: Vec<String>,
    /// The statements, and the brace behind them.
    pub(super) text: String,
    /// Whether a thread can stop the run.
    pub(super) stops: bool,
    /// Whether its blocks are numbered as they begin.
    pub(super) chain: bool,
    /// Whether one block more may serve the others.
    pub(super) serves: bool,
    /// Whether there are barriers.
    pub(super) barriers: bool,
    /// Whether a thread that stops tells the others.
    pub(super) tells: bool,
    /// How many threads a block has, and how many blocks a multiprocessor shall have room for, where that is said.
    pub(super) resident: Option<(i64, i64)>,
}

/// A kernel as the host knows it.
pub(crate) struct KernelFacts {
    pub(crate) name: String,
    /// Whether it takes the buffer of failures.
    pub(crate) watches: bool,
    /// Whether it can stop the run.
    pub(crate) stops: bool,
    /// Whether one block more may serve the others.
    pub(crate) serves: bool,
}

impl Kernels {
    /// The text of all kernels, and what the host must know of them. Where one of them can stop the run each looks first whether that happened:
    /// what it reads may not have been written then.
    pub(crate) fn finish(self) -> (String, Vec<KernelFacts>) {
        let dialect = self.dialect;
        let some_stop = self.written.iter().any(|kernel| kernel.stops);
        let (mut all, mut facts) = (String::new(), Vec::new());
        for Written { name, parameters, shared, text, stops, chain, serves, barriers, tells, resident } in
            self.written
        {
            let watches = some_stop || chain;
            let failure = watches.then(|| format!("{}int64_t *failure", dialect.global()));
            let parameters: Vec<String> = failure.into_iter().chain(parameters).collect();
            all += &format!("{} {name}({}) {{\n", dialect.kernel(resident), parameters.join(", "));
            let mut head = shared;
            if barriers && stops {
                // another block may fail meanwhile: the threads of this one go by what the first of them saw
                let also = if tells { ", stopped" } else { "" };
                head.push(format!("{}int32_t failed{also};", dialect.shared()));
                head.push(format!("if ({} == 0) {{", dialect.thread_index()));
                head.push("    failed = failure[0] != 0;".to_owned());
                head.extend(tells.then(|| "    stopped = 0;".to_owned()));
                head.extend(["}".to_owned(), dialect.barrier().to_owned()]);
                head.push(format!("bool {LIVE} = failed == 0;"));
            } else if barriers {
                let unless = if some_stop { "failure[0] == 0" } else { "true" };
                head.push(format!("bool {LIVE} = {unless};"));
            } else if some_stop {
                head.extend(["if (failure[0] != 0) {", "    return;", "}"].map(str::to_owned));
            }
            for line in head {
                all += &format!("    {line}\n");
            }
            all += &text;
            all += "\n";
            facts.push(KernelFacts { name, watches, stops, serves });
        }
        (all, facts)
    }
}
