//! What `fun explain` has to say of an entry point, in words and numbers, before it is text or JSON.

use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use fun_passes::funmem::copies_left::CopyLeft;
use fun_passes::imp::footprint::sizes::Atom;
use fun_passes::imp::footprint::{Footprint, Site};
use fun_verify::peak::Measured;
use imp::ir::Space;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to say.
pub struct Report {
    /// The name of the program's file.
    pub file: String,
    /// The name of the entry point.
    pub entry: String,
    /// The largest of these is the peak in bytes; or why there is no formula.
    pub peak: Result<Vec<String>, String>,
    /// What is computed at run time in the formulas.
    pub computed: Vec<Place>,
    /// How many strands there are at most, if formulas depend on that.
    pub strands: Option<i64>,
    /// Allocations and arguments, in the order in which they are reached.
    pub allocations: Vec<Allocation>,
    /// The copies of arrays that remain.
    pub copies: Vec<CopyReport>,
    /// What a run used.
    pub measured: Option<Measured>,
}

/// A name and where it is bound.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The name.
    pub name: String,
    /// Where it is bound.
    pub loc: Option<Loc>,
}

/// An allocation or an argument.
pub struct Allocation {
    /// The name of the block.
    pub block: String,
    /// Whether it is an argument.
    pub argument: bool,
    /// In bytes; the largest counts.
    pub bytes: Vec<String>,
    /// Where it is allocated.
    pub loc: Option<Loc>,
    /// The last use.
    pub until: Option<Loc>,
    /// Whether it may be (part of) a result.
    pub result: bool,
    /// How often it is made; `None` if that is not known.
    pub times: Option<String>,
    /// The loops around it.
    pub loops: Vec<Option<Loc>>,
    /// Whether each strand of a parallel loop has its own.
    pub strands: bool,
    /// What kind of memory it is, if not the heap.
    pub space: Option<String>,
    /// The arrays that lie in it.
    pub arrays: Vec<Place>,
}

/// A copy that remains.
pub struct CopyReport {
    /// What is copied.
    pub value: Place,
    /// The array that it becomes part of.
    pub into: Option<String>,
    /// What copies it.
    pub by: &'static str,
    /// Where.
    pub loc: Option<Loc>,
    /// How many loops are around it.
    pub depth: usize,
    /// Why no pass did without.
    pub reason: String,
}

/// Names for readers: without tags, unless two variables have the same text.
#[derive(Default)]
struct Names(RefCell<BTreeMap<Symbol, Var>>);

impl Names {
    fn of(&self, var: Var) -> String {
        let first = *self.0.borrow_mut().entry(var.text).or_insert(var);
        if first == var { var.text.to_string() } else { var.to_string() }
    }
}

impl Report {
    /// The report on an entry point of a file.
    pub fn new(file: String, entry: String, footprint: &Footprint, copies: &[CopyLeft]) -> Report {
        let names = Names::default();
        let name = |var: Var| names.of(var);
        let show = |poly: &_| footprint.sizes.show(poly, &name);
        let peak = match &footprint.peaks {
            Ok(peaks) => Ok(peaks.iter().map(|peak| show(&peak.bytes)).collect()),
            Err(reason) => Err(reason.clone()),
        };
        let allocations = footprint.sites.iter().map(|site| allocation(footprint, site, &name)).collect();
        let mut computed = BTreeSet::new();
        let mut strands = false;
        let sites = footprint.sites.iter();
        let polys = sites.flat_map(|site| {
            let trips = site.loops.iter().filter_map(|around| around.trips.as_ref());
            site.bytes.iter().chain(trips)
        });
        for poly in polys.chain(footprint.peaks.iter().flatten().map(|peak| &peak.bytes)) {
            footprint.sizes.for_each_variable(poly, &mut |var| match footprint.sizes.atom(var) {
                Some(Atom::Strands) => strands = true,
                Some(Atom::Computed(loc)) => {
                    computed.insert(Place { name: name(var), loc: *loc });
                }
                _ => {}
            });
        }
        Report {
            file,
            entry,
            peak,
            computed: computed.into_iter().collect(),
            strands: strands.then(|| fun_cranelift::most_strands() as i64),
            allocations,
            copies: copies.iter().map(copy).collect(),
            measured: None,
        }
    }
}

fn allocation(footprint: &Footprint, site: &Site, name: &dyn Fn(Var) -> String) -> Allocation {
    let mut arrays: Vec<Place> = Vec::new();
    for (var, loc) in &site.arrays {
        let place = Place { name: var.text.to_string(), loc: *loc };
        let same = |known: &Place| {
            known.name == place.name && known.loc.map(|loc| loc.line) == place.loc.map(|loc| loc.line)
        };
        if !arrays.iter().any(same) {
            arrays.push(place);
        }
    }
    Allocation {
        block: site.var.to_string(),
        argument: site.argument,
        bytes: site.bytes.iter().map(|poly| footprint.sizes.show(poly, name)).collect(),
        loc: site.loc,
        until: site.last.map(|(_, loc)| loc),
        result: site.result,
        times: site.times().map(|times| footprint.sizes.show(&times, name)),
        loops: site.loops.iter().map(|around| around.loc).collect(),
        strands: site.strands,
        space: match site.space {
            Space::Default => None,
            Space::Stack => Some("stack".to_owned()),
            Space::Device => Some("device".to_owned()),
            Space::Shared => Some("shared".to_owned()),
            Space::Register => Some("register".to_owned()),
            Space::Named(name) => Some(name.to_string()),
        },
        arrays,
    }
}

fn copy(copy: &CopyLeft) -> CopyReport {
    let names = Names::default();
    let name = |var: Var| names.of(var);
    let reason = copy.reason.as_ref().map(|reason| reason.describe(&name));
    CopyReport {
        value: Place { name: name(copy.value), loc: copy.value_loc },
        into: copy.into.map(name),
        by: copy.by,
        loc: copy.loc,
        depth: copy.depth,
        reason: reason.unwrap_or_else(|| no_reason(copy).to_owned()),
    }
}

/// Where short-circuiting does not look.
fn no_reason(copy: &CopyLeft) -> &'static str {
    match copy.by {
        "array literal" => "the rows of an array literal are always copied",
        "scatter" => "what a scatter writes is always copied, since its place depends on an index",
        _ => "no pass tried to do without",
    }
}
