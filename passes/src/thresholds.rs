//! Thresholds: from which size on a program for a device takes one version of its code and not another. Programs ask when they run; the numbers that they ask
//! for have names, by which who compiles or runs them may say others for the device at hand: `device.segment_values` for all places that ask for it,
//! `main.device.segment_values_2` for the second one in `main`. Where the size is a constant, the version is chosen by the compiler.

use fun_base::name::Symbol;
use fun_base::source::Loc;
use imp::ir::Exp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What the names of thresholds begin with: no name in a source text does.
const PREFIX: &str = "device.";

/// A size that decides between versions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Threshold {
    /// Values of each of many reductions or scans, from which on a block works on each and not a thread.
    SegmentValues,
    /// Reductions or scans, from which on a thread works on each and not a block.
    Segments,
    /// Values of each of many reductions or scans that are no block's, from which on as many as there are threads for share one.
    SharedValues,
    /// Reductions from which on a thread has one although they are that long.
    SharedSegments,
    /// Tiles of each of many scans, from which on many blocks work on each …
    ScanTiles,
    /// … while there are fewer scans than this.
    ScanRows,
    /// Values from which on a reduction among several is cut into pieces for many threads …
    PieceValues,
    /// … while there are fewer reductions than this.
    PieceSegments,
    /// Values of a row, from which on a block does all that is done with it …
    RowValues,
    /// … where there are so many rows …
    Rows,
    /// … or rows have fewer values than that.
    ShortRows,
    /// Tables of a histogram, from which on each thread has one, and cells have no locks.
    HistogramTables,
    /// Values of each table from which on a histogram sorts them instead.
    SortedValues,
    /// Rows of a product from which on it is tiled.
    ProductRows,
    /// Columns of a product from which on it is tiled.
    ProductColumns,
    /// Inner indices of a product from which on it is tiled.
    ProductDepth,
    /// Blocks of a product from which on these have the larger tiles.
    ProductBlocks,
    /// Iterations of a stencil from which on it is tiled.
    StencilCells,
    /// Points of a parallel loop in an iteration of another, from which on a block does the iteration and not a thread …
    IterationValues,
    /// … while there are no more iterations than this.
    Iterations,
    /// Points of such a loop for each iteration, from which on the host does the iterations in order, with kernels for their loops.
    HostValues,
}

impl Threshold {
    /// Every one.
    pub const ALL: [Threshold; 21] = [
        Threshold::SegmentValues,
        Threshold::Segments,
        Threshold::SharedValues,
        Threshold::SharedSegments,
        Threshold::ScanTiles,
        Threshold::ScanRows,
        Threshold::PieceValues,
        Threshold::PieceSegments,
        Threshold::RowValues,
        Threshold::Rows,
        Threshold::ShortRows,
        Threshold::HistogramTables,
        Threshold::SortedValues,
        Threshold::ProductRows,
        Threshold::ProductColumns,
        Threshold::ProductDepth,
        Threshold::ProductBlocks,
        Threshold::StencilCells,
        Threshold::IterationValues,
        Threshold::Iterations,
        Threshold::HostValues,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Threshold::SegmentValues => "device.segment_values",
            Threshold::Segments => "device.segments",
            Threshold::SharedValues => "device.shared_values",
            Threshold::SharedSegments => "device.shared_segments",
            Threshold::ScanTiles => "device.scan_tiles",
            Threshold::ScanRows => "device.scan_rows",
            Threshold::PieceValues => "device.piece_values",
            Threshold::PieceSegments => "device.piece_segments",
            Threshold::RowValues => "device.row_values",
            Threshold::Rows => "device.rows",
            Threshold::ShortRows => "device.short_rows",
            Threshold::HistogramTables => "device.histogram_tables",
            Threshold::SortedValues => "device.sorted_values",
            Threshold::ProductRows => "device.product_rows",
            Threshold::ProductColumns => "device.product_columns",
            Threshold::ProductDepth => "device.product_depth",
            Threshold::ProductBlocks => "device.product_blocks",
            Threshold::StencilCells => "device.stencil_cells",
            Threshold::IterationValues => "device.iteration_values",
            Threshold::Iterations => "device.iterations",
            Threshold::HostValues => "device.host_values",
        }
    }

    /// The number when nobody says another; reductions down columns have others of `SegmentValues` and `Segments` (`Blocks`).
    pub const fn usual(self) -> i64 {
        match self {
            Threshold::ScanRows | Threshold::PieceSegments => 512,
            // on an H200, sums of 65,536 rows of 256 values took 69 microseconds by blocks and 78 by threads; of 262,144 rows of 64, 212 and 78
            Threshold::SegmentValues | Threshold::SortedValues | Threshold::ProductBlocks => 256,
            Threshold::Segments => 4_194_304,
            // of 262,144 rows of 64 values 190 by shared blocks, 78 by threads, which are too few where rows are
            Threshold::PieceValues | Threshold::SharedSegments => 16_384,
            Threshold::RowValues | Threshold::Rows => 128,
            Threshold::HistogramTables => 1024,
            Threshold::SharedValues => 8,
            // softmax of 64 rows of 4,096 values took 10 microseconds by blocks, and 24 by kernels over all rows
            Threshold::ShortRows => 8192,
            Threshold::ScanTiles => 4,
            Threshold::ProductRows | Threshold::ProductColumns => 64,
            Threshold::ProductDepth => 16,
            Threshold::StencilCells => 65_536,
            // fewer keep the threads of a group waiting; more iterations are enough threads by themselves
            // on an H200, 16,384 iterations of 20 steps of 64 points took 127 microseconds by blocks and 515 by threads; 65,536 of 16 points 310 and 193
            Threshold::IterationValues => 32,
            Threshold::Iterations => 16_384,
            // a launch takes 4 microseconds, a round of 128 points in a block some 0.3
            Threshold::HostValues => 2048,
        }
    }

    /// One line for the help.
    pub fn about(self) -> &'static str {
        match self {
            Threshold::SegmentValues => {
                "of many reductions or scans each is many threads' from so many values on, not one's"
            }
            Threshold::Segments => "and one thread's again where there are so many reductions or scans",
            Threshold::SharedValues => {
                "short rows share blocks of threads from so many values on, and each is one thread's otherwise"
            }
            Threshold::SharedSegments => "and each reduction is one thread's again where there are so many",
            Threshold::ScanTiles => "of many scans each is that of many blocks from so many tiles on",
            Threshold::ScanRows => "and not where there are so many scans",
            Threshold::PieceValues => {
                "of many reductions each is cut into pieces for many threads from so many values on"
            }
            Threshold::PieceSegments => "and not where there are so many reductions",
            Threshold::RowValues => "a block does all that is done with a row from so many values on",
            Threshold::Rows => "and where there are so many rows",
            Threshold::ShortRows => "or where rows have fewer values than that",
            Threshold::HistogramTables => {
                "of a histogram threads have tables where that are so many, and its cells have locks otherwise"
            }
            Threshold::SortedValues => {
                "a histogram by tables sorts its values instead where a table would have so many"
            }
            Threshold::ProductRows => "a product is tiled from so many rows on",
            Threshold::ProductColumns => "and from so many columns",
            Threshold::ProductDepth => "and from so many inner indices",
            Threshold::ProductBlocks => "and its tiles are larger where that are so many",
            Threshold::StencilCells => "a stencil is tiled from so many iterations on",
            Threshold::IterationValues => {
                "a block does an iteration that has loops of its own from so many points of such a loop on"
            }
            Threshold::Iterations => "and while there are no more iterations than this",
            Threshold::HostValues => {
                "the host does iterations in order, with kernels for their loops, from so many points of a loop for each iteration on"
            }
        }
    }
}

/// A place of a program that asks for a threshold.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its function.
    pub function: Symbol,
    /// What it asks for.
    pub threshold: Threshold,
    /// Of how many in the function that ask for the same, from 1.
    pub number: usize,
    /// The number that it gets, unless the run says another.
    pub value: i64,
    /// Whether the size is a constant, so that no run can say another.
    pub fixed: bool,
    /// The source text.
    pub loc: Option<Loc>,
}

impl Place {
    /// What users call it.
    pub fn name(&self) -> String {
        format!("{}.{}_{}", self.function, self.threshold.name(), self.number)
    }
}

/// What was said of thresholds, and who asked.
#[derive(Clone, Default, Debug)]
pub struct Thresholds {
    said: BTreeMap<Threshold, i64>,
    /// For single places, by their names.
    said_of_places: BTreeMap<Symbol, i64>,
    /// The entry points of the program: passes may come to some alone.
    entries: BTreeSet<Symbol>,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default, Debug)]
struct Asked {
    functions: BTreeSet<Symbol>,
    places: Vec<Place>,
}

impl Thresholds {
    /// What these parameters say of thresholds, others aside; the error names one that there is not, or that is negative.
    pub fn of(parameters: &BTreeMap<Symbol, i64>) -> Result<Thresholds, String> {
        let mut thresholds = Thresholds::default();
        for (name, value) in parameters {
            let Some((function, kind)) = parts(name.as_str()) else { continue };
            let found = |kind: &str| Threshold::ALL.into_iter().find(|threshold| threshold.name() == kind);
            let known = match function {
                None => found(kind).map(|threshold| thresholds.said.insert(threshold, *value)).is_some(),
                Some(_) => {
                    let kind = kind.rsplit_once('_').filter(|(_, number)| number.parse::<usize>().is_ok());
                    thresholds.said_of_places.insert(*name, *value);
                    kind.and_then(|(kind, _)| found(kind)).is_some()
                }
            };
            if !known {
                let known = Threshold::ALL.map(Threshold::name).join(", ");
                return Err(format!(
                    "there is no threshold `{name}`; there are {known}, and for each place of a program those that `fun dev --thresholds` lists"
                ));
            }
            if *value < 0 {
                return Err(format!("the threshold `{name}` is {value}, but sizes are not negative"));
            }
        }
        Ok(thresholds)
    }

    /// The same for a program with these entry points.
    #[must_use]
    pub fn for_entries(mut self, entries: impl IntoIterator<Item = Symbol>) -> Thresholds {
        self.entries.extend(entries);
        self
    }

    /// A pass comes to a function, in which it will ask for these.
    pub fn enter(&self, function: Symbol, asks_for: &[Threshold]) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.functions.insert(function);
        asked.places.retain(|place| place.function != function || !asks_for.contains(&place.threshold));
    }

    /// The numbers that sizes at a place of a function are compared with: what the run says, or else what was said of the place, or of all, or else
    /// these.
    pub fn ask<const N: usize>(
        &self,
        function: Symbol,
        loc: Option<Loc>,
        usual: [(Threshold, i64, &Exp); N],
    ) -> [Exp; N] {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let first = usual.first().map(|(threshold, ..)| *threshold);
        let alike = |place: &&Place| place.function == function && Some(place.threshold) == first;
        let number = asked.places.iter().filter(alike).count() + 1;
        usual.map(|(threshold, usual, size)| {
            let fixed = matches!(size, Exp::Const(_));
            let mut place = Place { function, threshold, number, value: usual, fixed, loc };
            let name = Symbol::new(&place.name());
            let own = self.said_of_places.get(&name);
            place.value = own.or(self.said.get(&threshold)).copied().unwrap_or(usual);
            let usual = place.value;
            asked.places.push(place);
            if fixed { Exp::i64(usual) } else { Exp::Param { name, usual } }
        })
    }

    /// The places that asked, in order.
    pub fn places(&self) -> Vec<Place> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).places.clone()
    }

    /// Behind the passes: an error if something was said of a place that there is not. Of entry points that were left out nothing is known, and nothing
    /// where no pass asks.
    pub fn refuse_unknown(&self) -> Result<(), String> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.functions.is_empty() {
            return Ok(());
        }
        let names: BTreeSet<String> = asked.places.iter().map(Place::name).collect();
        for name in self.said_of_places.keys().filter(|name| !names.contains(name.as_str())) {
            let Some((Some(function), _)) = parts(name.as_str()) else { continue };
            let function = Symbol::new(function);
            if asked.functions.contains(&function) || !self.entries.contains(&function) {
                return Err(format!(
                    "no place has the threshold `{name}`; `fun dev --thresholds` lists those of a program"
                ));
            }
        }
        Ok(())
    }
}

/// The function and the threshold that a name speaks of, if it is one of a threshold.
fn parts(name: &str) -> Option<(Option<&str>, &str)> {
    if name.starts_with(PREFIX) {
        return Some((None, name));
    }
    let at = name.find(&format!(".{PREFIX}"))?;
    Some((Some(&name[..at]), &name[at + 1..]))
}
