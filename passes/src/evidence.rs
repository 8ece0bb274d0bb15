//! What passes give besides programs: certificates of what they decided, and findings of the prover for the passes after them.

use fun_base::name::Symbol;
use fun_index::certificate::Certificate;
use fun_index::prove::Findings;
use std::collections::HashMap;

/// What the passes of a pipeline have given so far.
#[derive(Default)]
pub struct PassEvidence {
    /// Of what was decided and not yet taken away from here.
    pub certificates: Vec<Certificate>,
    /// Passes walk over the same statements one after the other, and ask of them what those before have asked. A finding serves
    /// only where what it rests on is known, so passes are free to change the program in between.
    findings: HashMap<Symbol, Findings>,
}

impl PassEvidence {
    /// What was found out of a function, with room for more.
    pub fn findings(&mut self, function: Symbol) -> &Findings {
        self.findings.entry(function).or_default()
    }
}
