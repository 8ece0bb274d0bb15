//! Regions that one thread at a time is in, of those with the same lock cell. Who finds the cell taken tries again, and does the region in the try that got
//! it: so it is given back before the threads that run in step with this one meet behind the loop, and none of them waits for ever.

use super::{Emit, Emitter};
use crate::CompileError;
use fun_base::name::Var;
use imp::ir::{Exp, Statement};

impl<'p> Emitter<'_, 'p> {
    /// Statements under a lock. Their cells are volatile, and fences stand around them: other threads wrote what they read.
    pub(super) fn lock(&mut self, view: Var, indices: &[Exp], body: &'p [Statement]) -> Emit {
        let Some(dialect) = self.dialect() else { return self.body(body) };
        let view = self.view(view)?;
        let qualifier = self.qualifier(view.space)?;
        let cell = self.cell(&view, indices)?.text;
        let Some((word, swap)) = dialect.swap(4) else {
            return Err(CompileError::new("I15: there are no locks on i32"));
        };
        let pointer = format!("volatile {qualifier}{word} *");
        let [at, waits] = [(); 2].map(|()| self.temporary());
        self.lines.open("{".to_owned());
        self.lines.push(format!("{pointer}const {at} = ({pointer})&{cell};"));
        self.lines.push(format!("bool {waits} = true;"));
        self.lines.open("do {".to_owned());
        self.lines.open(format!("if ({swap}({at}, 0, 1) == 0) {{"));
        self.lines.push(dialect.fence());
        self.locked(|this| this.body(body))?;
        self.lines.push(dialect.fence());
        self.lines.push(format!("{}({at}, 0);", dialect.exchange()));
        self.lines.push(format!("{waits} = false;"));
        self.lines.close("}");
        self.lines.close(format!("}} while ({waits});"));
        self.lines.close("}");
        Ok(())
    }
}
