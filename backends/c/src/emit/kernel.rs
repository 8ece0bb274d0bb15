//! Kernels: `block` loops of a program for an accelerator. The body becomes a function of the device's language, the loop a launch.
//!
//! Statements and expressions are written as for the host, by the same code; what differs is here. A kernel's memory is qualified by its
//! space, a failure is recorded in a buffer that later kernels look at first and the host before it uses anything of theirs, nobody looks whether the
//! run was stopped, and copies are loops. Where a block has more than one thread loop, `barriers.rs` says before which a barrier lies. On the host, a cell of the device is read or written by
//! a copy of that cell.

use super::exp::Text;
use super::kernels::Written;
use super::view::{Number, ViewPlace};
use super::{Binding, Emit, Emitter, barriers, ordered, shuffle};
use crate::CompileError;
use crate::dialect::Dialect;
use crate::names;
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, constant_bytes};
use imp::ordered::Ordered;
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Whether the threads of a block have something to do still: none of them failed, and no kernel before. Where there are barriers nobody leaves a kernel, also not
/// all threads of a block together: behind a return that precedes a barrier, PoCL 3.1 compiles loops wrongly that have more than one way out.
pub(super) const LIVE: &str = "live";

/// From so many bytes of a thread's array in registers on, CUDA's compiler is told how many registers it may take: with fewer it takes more where it is told.
const MANY_BYTES: i64 = 256;

/// A kernel being written.
pub(super) struct Kernel<'p> {
    /// Whether a thread can stop the run.
    stops: bool,
    /// Threads of a block.
    pub(super) threads: i64,
    /// Where there are barriers: the thread loops of a block.
    phases: Option<Phases>,
    /// Declarations of what a block shares.
    shared: Vec<String>,
    /// Whether the text is under a lock.
    locked: bool,
    /// Whether threads keep large arrays in registers.
    holds: bool,
    /// The bytes of the widest cells that threads exchange.
    exchanged: i64,
    /// Whether something in it may fail, as far as statements tell.
    pub(super) may_fail: bool,
    /// Whether the text is that of the block that serves the others.
    serves: bool,
    /// Whether something in that text may fail.
    pub(super) halts: bool,
    /// What its blocks do one after the other, and the number of a block.
    pub(super) region: Option<(Var, Ordered<'p>)>,
}

impl Kernel<'_> {
    pub(super) fn exchanged(&self) -> i64 {
        self.exchanged
    }
}

/// The thread loops of a block with barriers between them.
#[derive(Default)]
struct Phases {
    /// How many there are so far.
    count: usize,
    /// The places that a barrier precedes, and how many places were written (`barriers.rs`).
    barriers: BTreeSet<usize>,
    places: usize,
    /// The one that the kernel ends with, which no barrier follows.
    last: Option<usize>,
    /// Whether the text is that of one.
    inside: bool,
    /// Whether a thread can stop in the one being written.
    stops: bool,
    /// Whether a thread that stops tells the others.
    tells: bool,
}

/// A variable of the host that a kernel may use.
struct Captured {
    /// The parameter of the kernel.
    parameter: String,
    /// A block's handle, and not a scalar.
    handle: bool,
}

impl<'p> Emitter<'_, 'p> {
    /// The language of kernels, where this text is one.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        let kernels = self.unit.kernels.as_ref()?;
        self.kernel.is_some().then_some(kernels.dialect)
    }

    /// Whether the text is the host's and a view lies on the device.
    pub(super) fn is_remote(&self, view: &ViewPlace) -> bool {
        self.unit.kernels.is_some() && self.kernel.is_none() && view.space == Space::Device
    }

    /// Whether a block is one of the device and the program has kernels.
    pub(super) fn on_device(&self, space: Space) -> bool {
        self.unit.kernels.is_some() && space == Space::Device
    }

    /// The space of a block variable.
    pub(super) fn space_of(&self, mem: Var) -> Emit<Space> {
        match self.lookup(mem)? {
            Binding::Fixed(ImpType::Mem(space)) | Binding::Mutable(ImpType::Mem(space)) => Ok(*space),
            Binding::Fixed(ImpType::Prim(_)) | Binding::Mutable(ImpType::Prim(_)) | Binding::View(_) => {
                Err(CompileError::new(format!("{mem} is used as a block")))
            }
        }
    }

    /// What stands before the type of cells in this space.
    pub(super) fn qualifier(&self, space: Space) -> Emit<&'static str> {
        match (self.dialect(), space) {
            (None, _) | (Some(_), Space::Stack | Space::Register) => Ok(""),
            (Some(dialect), Space::Device) => Ok(dialect.global()),
            (Some(dialect), Space::Shared) => Ok(dialect.local()),
            (Some(_), Space::Default | Space::Named(_)) => {
                Err(CompileError::new(format!("a kernel uses memory of space {space}")))
            }
        }
    }

    /// The type of cells in memory. Kernels have no parameters that point to bools.
    pub(super) fn cell_type(&self, elem: PrimType) -> &'static str {
        let is_bool = elem == PrimType::Bool && self.kernel.is_some();
        c_type(if is_bool { PrimType::U8 } else { elem })
    }

    /// A failing check in a kernel: the first thread that gets there writes down where it is.
    pub(super) fn fail_in_kernel(&mut self, site: usize, numbers: &[String]) {
        let count = numbers.len();
        self.lines.open(format!("if (fun_claim(failure, {site}, {count})) {{"));
        for (k, number) in numbers.iter().enumerate() {
            self.lines.push(format!("failure[{}] = {number};", k + 2));
        }
        self.lines.close("}");
    }

    /// What leaves the kernel; where it has barriers, what leaves the thread loop: behind the next barrier the threads of the block do nothing more.
    pub(super) fn stop_kernel(&mut self) -> Option<String> {
        let kernel = self.kernel.as_mut()?;
        kernel.stops = true;
        if kernel.serves {
            kernel.halts = true;
            return Some(ordered::HALT.to_owned());
        }
        let Some(phases) = kernel.phases.as_mut() else {
            return Some("return;".to_owned());
        };
        if !phases.inside {
            // all threads do the same there
            return Some(format!("{LIVE} = false;"));
        }
        phases.stops = true;
        // nobody looks behind the last one
        let told = if phases.last == Some(phases.count) { "" } else { "stopped = 1; " };
        phases.tells |= !told.is_empty();
        Some(format!("{{ {told}goto stop{}; }}", phases.count))
    }

    /// What one thread of a block does between two barriers. `var` is its number.
    pub(super) fn phase(&mut self, var: Var, body: &'p [Statement]) -> Emit {
        let Some(dialect) = self.dialect() else {
            return Err(CompileError::new("a thread loop outside of kernels"));
        };
        let name = names::variable(var);
        let number = format!("const int64_t {name} = {};", dialect.thread_index());
        if self.phases().is_none() {
            self.lines.declare(&name, number);
            return self.body(body);
        }
        self.in_phase(dialect, LIVE, |this| {
            this.lines.declare(&name, number);
            this.body(body)
        })
    }

    /// What those threads of a block for which a condition holds do between two barriers.
    pub(super) fn in_phase(
        &mut self,
        dialect: Dialect,
        condition: &str,
        f: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let Some(phases) = self.phases() else {
            return Err(CompileError::new("a region of a kernel without barriers"));
        };
        phases.inside = true;
        self.barrier_before(dialect);
        self.lines.open(format!("if ({condition}) {{"));
        f(self)?;
        self.lines.close("}");
        let Some(phases) = self.phases() else { return Ok(()) };
        phases.inside = false;
        let (number, stops) = (phases.count, std::mem::take(&mut phases.stops));
        phases.count += 1;
        let is_last = phases.last == Some(number);
        if stops {
            self.lines.push(format!("stop{number}:;"));
        }
        if stops && !is_last {
            self.lines.push(dialect.barrier());
            self.lines.push(format!("{LIVE} = {LIVE} && stopped == 0;"));
            // all threads have looked before one of them can stop again
            self.lines.push(dialect.barrier());
        }
        Ok(())
    }

    /// What `f` writes, as text of the block that serves the others.
    pub(super) fn serving(&mut self, f: impl FnOnce(&mut Self) -> Emit) -> Emit {
        self.flagged(|kernel| &mut kernel.serves, f)
    }

    /// What `f` writes while something is said of the kernel's text.
    fn flagged(
        &mut self,
        flag: for<'k> fn(&'k mut Kernel<'p>) -> &'k mut bool,
        f: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let set = |this: &mut Self, value| {
            if let Some(kernel) = &mut this.kernel {
                *flag(kernel) = value;
            }
        };
        set(self, true);
        let done = f(self);
        set(self, false);
        done
    }

    /// Whether the text stands between the thread loops of a block, where all of its threads do the same.
    pub(super) fn is_between_threads(&self) -> bool {
        let phases = self.kernel.as_ref().and_then(|kernel| kernel.phases.as_ref());
        phases.is_some_and(|phases| !phases.inside)
    }

    /// Whether the text is under a lock of a kernel.
    pub(super) fn is_locked(&self) -> bool {
        self.kernel.as_ref().is_some_and(|kernel| kernel.locked)
    }

    /// What `f` writes, as text under a lock.
    pub(super) fn locked(&mut self, f: impl FnOnce(&mut Self) -> Emit) -> Emit {
        self.flagged(|kernel| &mut kernel.locked, f)
    }

    /// The barrier before the next place, if one must be there.
    pub(super) fn barrier_before(&mut self, dialect: Dialect) {
        let Some(phases) = self.phases() else { return };
        phases.places += 1;
        if phases.barriers.contains(&(phases.places - 1)) {
            self.lines.push(dialect.barrier());
        }
    }

    fn phases(&mut self) -> Option<&mut Phases> {
        self.kernel.as_mut()?.phases.as_mut()
    }

    /// Memory that the threads of a block share: declared where the kernel begins, as OpenCL wants it.
    pub(super) fn share_memory(&mut self, name: &str, bytes: i64) {
        let Some(dialect) = self.dialect() else { return };
        // whole words: an atomic of a narrow cell takes the word that it lies in
        let bytes = (bytes.max(1) + 3) / 4 * 4;
        let declared = format!("{}unsigned char {name}[{bytes}] FUN_ALIGNED;", dialect.shared());
        if let Some(kernel) = &mut self.kernel {
            kernel.shared.push(declared);
        }
    }

    /// A number that the threads of a block share; the same one for all that ask for it.
    pub(super) fn share_number(&mut self, name: &str) {
        let Some(dialect) = self.dialect() else { return };
        let declared = format!("{}int32_t {name};", dialect.shared());
        if let Some(kernel) = &mut self.kernel
            && !kernel.shared.contains(&declared)
        {
            kernel.shared.push(declared);
        }
    }

    /// Memory of each thread, for which it has registers: of the first factor of the shape, which are the threads, it has one (I13).
    pub(super) fn own_memory(&mut self, name: &str, elem: PrimType, shape: &[Exp]) -> Emit {
        let own = shape.split_first().map(|(_, own)| own);
        let Some(bytes) = own.and_then(|own| constant_bytes(elem, own)) else {
            return Err(CompileError::new(format!("I13: the size of {name} in registers is not constant")));
        };
        let cells = (bytes / i64::from(elem.bytes())).max(1);
        if let Some(kernel) = &mut self.kernel {
            kernel.holds |= bytes >= MANY_BYTES;
        }
        self.lines.declare(name, format!("{} {name}[{cells}];", self.cell_type(elem)));
        Ok(())
    }

    /// A cell of the device, read on the host.
    pub(super) fn remote_read(&mut self, view: &ViewPlace, indices: &[Exp]) -> Emit<Text> {
        let at = self.address(view, indices)?;
        let (name, ty) = (self.temporary(), c_type(view.elem));
        let (bytes, pointer) = (view.elem.bytes(), &view.pointer);
        self.lines.push(format!("{ty} {name} = 0;"));
        self.stop_if(&format!("fun_device_read(context, {pointer}, {}, {bytes}, &{name}) != 0", at.text));
        Ok(Text::name(name))
    }

    /// A cell of the device, written on the host.
    pub(super) fn remote_write(&mut self, view: &ViewPlace, at: &Text, value: &Text) -> Emit {
        let (name, ty) = (self.temporary(), c_type(view.elem));
        let (bytes, pointer) = (view.elem.bytes(), &view.pointer);
        self.lines.push(format!("const {ty} {name} = {};", value.text));
        self.stop_if(&format!("fun_device_write(context, {pointer}, {}, {bytes}, &{name}) != 0", at.text));
        Ok(())
    }

    /// Loops over the cells of two views, in a kernel.
    pub(super) fn copy_in_kernel(&mut self, to: &ViewPlace, from: &ViewPlace) {
        let (mut dest, mut source) = (to.offset.text(), from.offset.text());
        // what moves within a block to where later elements are starts with the last one
        let later = to.dims.first().filter(|_| to.block == from.block).map(|dim| {
            let later = self.temporary();
            let further = format!("({dest} > {source}) == ({} > 0)", dim.stride.operand());
            self.lines.push(format!("const bool {later} = {further};"));
            later
        });
        for (to, from) in to.dims.iter().zip(&from.dims) {
            let mut k = self.temporary();
            let size = if let Number::Const(_) = from.size { &from.size } else { &to.size };
            self.lines.open(format!("for (int64_t {k} = 0; {k} < {}; {k}++) {{", size.text()));
            if let Some(later) = &later {
                let place = self.temporary();
                let from_end = format!("{} - 1 - {k}", size.operand());
                self.lines.push(format!("const int64_t {place} = {later} ? {from_end} : {k};"));
                k = place;
            }
            dest += &format!(" + {k} * {}", to.stride.operand());
            source += &format!(" + {k} * {}", from.stride.operand());
        }
        self.lines.push(format!("{}[{dest}] = {}[{source}];", to.pointer, from.pointer));
        to.dims.iter().for_each(|_| self.lines.close("}"));
    }

    /// A launch: `var` counts its blocks.
    pub(super) fn launch(&mut self, var: Var, bound: &str, kind: LoopKind, body: &'p [Statement]) -> Emit {
        let Some(threads) = threads_of(body) else { return Ok(()) };
        let alone =
            body.len() == 1 && matches!(body[0].kind, StatementKind::For { kind: LoopKind::Thread, .. });
        self.env.remove(&var);
        let mut known = self.captured();
        let region = if kind == LoopKind::Chain { Ordered::of(body) } else { None };
        let has_region = region.is_some();
        for var in region.iter().flat_map(|region| &region.state) {
            // what blocks hand on is a variable of each
            let name = names::variable(*var);
            known.entry(name).and_modify(|part| part.parameter = part.parameter.replacen("const ", "", 1));
        }
        let Some(dialect) = self.unit.kernels.as_ref().map(|kernels| kernels.dialect) else {
            return Err(CompileError::new("a kernel in a program without"));
        };
        let around = std::mem::take(&mut self.lines);
        self.shown = None;
        let barriers = barriers::places(body, dialect.shuffles_wait());
        let phases = (!alone).then(|| Phases { barriers, last: last_phase(body), ..Phases::default() });
        let exchanged = shuffle::widest(body);
        let may_fail = may_fail(body);
        self.kernel = Some(Kernel {
            stops: false,
            threads,
            phases,
            shared: Vec::new(),
            locked: false,
            holds: false,
            exchanged,
            may_fail,
            serves: false,
            halts: false,
            region: None,
        });
        self.lines.open(String::new());
        self.share_exchange(dialect, exchanged);
        self.env.insert(var, Binding::Fixed(ImpType::Prim(PrimType::I64)));
        let name = names::variable(var);
        if kind == LoopKind::Chain {
            self.block_number(dialect, var, region.as_ref())?;
            if let Some(kernel) = &mut self.kernel {
                kernel.region = region.map(|region| (var, region));
            }
        } else {
            self.lines.declare(&name, format!("const int64_t {name} = {};", dialect.block_index()));
        }
        let depth = std::mem::replace(&mut self.depth, 0);
        let outer_loc = self.loc;
        self.body(body)?;
        self.loc = outer_loc;
        self.depth = depth;
        self.lines.close("}");
        let Some(Kernel { stops, shared, phases, holds, .. }) = self.kernel.take() else { return Ok(()) };
        self.shown = None;
        let (text, used) = std::mem::replace(&mut self.lines, around).finish();
        let captured: Vec<(&String, &Captured)> =
            known.iter().filter(|(name, _)| used.contains(*name)).collect();

        let name = self.unit.names.name(self.procedure) + "_kernel";
        let name = self.unit.names.another(&name);
        let text = text.strip_prefix('\n').unwrap_or(&text).to_owned();
        let parameters = captured.iter().map(|(_, part)| part.parameter.clone()).collect();
        let (chain, serves) = (kind == LoopKind::Chain, has_region);
        let (barriers, tells) = (phases.is_some(), phases.is_some_and(|phases| phases.tells));
        let Some(kernels) = &mut self.unit.kernels else { return Ok(()) };
        let number = kernels.written.len();
        // blocks that wait for others have large tiles, several of which shall be on their way to a multiprocessor at a time
        let waits = chain && has_narrow_tile(body);
        let resident = holds.then_some((threads, 2)).or(waits.then_some((threads, 6)));
        kernels.written.push(Written {
            name,
            parameters,
            shared,
            text,
            stops,
            chain,
            serves,
            barriers,
            tells,
            resident,
        });

        self.lines.open("{");
        let mut list = "NULL".to_owned();
        if !captured.is_empty() {
            list = "arguments".to_owned();
            let item = |(name, part): &(&String, &Captured)| {
                if part.handle { format!("{{0, {name}}}") } else { format!("{{sizeof {name}, &{name}}}") }
            };
            let items: Vec<String> = captured.iter().map(item).collect();
            self.lines
                .push(format!("const struct fun_kernel_argument arguments[] = {{{}}};", items.join(", ")));
        }
        let count = captured.len();
        self.stop_if(&format!("fun_launch(context, {number}, {bound}, {threads}, {count}, {list}) != 0"));
        self.lines.close("}");
        Ok(())
    }

    /// The C variables of the host that are declared so far.
    fn captured(&self) -> BTreeMap<String, Captured> {
        let dialect = self.unit.kernels.as_ref().map(|kernels| kernels.dialect);
        let global = dialect.map_or("", Dialect::global);
        let mut known = BTreeMap::new();
        let bindings: BTreeMap<&Var, &Binding> = self.env.iter().collect();
        for (var, binding) in bindings {
            match binding {
                Binding::Fixed(ImpType::Prim(ty)) | Binding::Mutable(ImpType::Prim(ty)) => {
                    let name = names::variable(*var);
                    // a bool is no parameter of a kernel
                    let ty = if *ty == PrimType::Bool { PrimType::U8 } else { *ty };
                    let parameter = format!("const {} {name}", c_type(ty));
                    known.insert(name, Captured { parameter, handle: false });
                }
                Binding::Fixed(ImpType::Mem(Space::Device))
                | Binding::Mutable(ImpType::Mem(Space::Device)) => {
                    let name = names::variable(*var);
                    let parameter = format!("{global}unsigned char *{name}");
                    known.insert(name, Captured { parameter, handle: true });
                }
                // what lies elsewhere is no matter of kernels
                Binding::Fixed(ImpType::Mem(_)) | Binding::Mutable(ImpType::Mem(_)) => {}
                Binding::View(place) => {
                    if place.space == Space::Device {
                        let elem = if place.elem == PrimType::Bool { PrimType::U8 } else { place.elem };
                        let parameter = format!("{global}{} *{}", c_type(elem), place.pointer);
                        known.insert(place.pointer.clone(), Captured { parameter, handle: true });
                    }
                    let numbers = place.dims.iter().flat_map(|dim| [&dim.stride, &dim.size]);
                    for number in numbers.chain([&place.offset]) {
                        if let Number::Name(name) = number {
                            known.entry(name.clone()).or_insert_with(|| Captured {
                                parameter: format!("const int64_t {name}"),
                                handle: false,
                            });
                        }
                    }
                }
            }
        }
        known
    }
}

/// Whether something in statements may fail.
fn may_fail(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Assert { .. });
        statement.kind.for_each_exp(&mut |exp| found |= imp::lock::may_fail(exp));
    });
    found
}

/// Whether what the threads of a block share is one large array of cells of at most 4 bytes, next to small ones: what a scan of narrow values has. Others want
/// more registers.
fn has_narrow_tile(body: &[Statement]) -> bool {
    let (mut large, mut narrow) = (0, true);
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Alloc { elem, shape, space: Space::Shared, .. } = &statement.kind {
            large += i64::from(constant_bytes(*elem, shape).is_none_or(|bytes| bytes >= LARGE_BYTES));
            narrow &= elem.bytes() <= 4;
        }
    });
    narrow && large == 1
}

/// From so many bytes on an array that a block shares is large.
const LARGE_BYTES: i64 = 8 << 10;

/// The number of threads of a block; none where there is nothing for them to do.
fn threads_of(body: &[Statement]) -> Option<i64> {
    let mut found = None;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::For { kind: LoopKind::Thread, bound: Exp::Const(count), .. } = &statement.kind {
            found = found.or(count.as_i64().filter(|count| *count > 0));
        }
    });
    found
}

/// The number of the thread loop that a block ends with, if it does.
fn last_phase(body: &[Statement]) -> Option<usize> {
    let is_threads =
        |statement: &Statement| matches!(statement.kind, StatementKind::For { kind: LoopKind::Thread, .. });
    let last = body.iter().rev().find(|statement| !matches!(statement.kind, StatementKind::Free(_)));
    last.filter(|last| is_threads(last))?;
    let is_phase = |statement: &Statement| {
        is_threads(statement) || matches!(statement.kind, StatementKind::Ordered { .. })
    };
    let mut count = 0usize;
    for_each_statement(body, &mut |statement| count += usize::from(is_phase(statement)));
    count.checked_sub(1)
}
