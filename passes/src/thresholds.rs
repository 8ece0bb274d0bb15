//! Thresholds: from which size on a program for a device takes one version of its code and not another. Programs ask when they run; the numbers that they ask
//! for have names, by which who compiles them may say others for the device at hand.

use fun_base::name::Symbol;
use std::collections::BTreeMap;

/// What the names of thresholds begin with: no name in a source text does.
const PREFIX: &str = "device.";

/// A size that decides between versions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Threshold {
    /// Values of each of many reductions or scans, from which on a block works on each and not a thread.
    SegmentValues,
    /// Reductions or scans, from which on a thread works on each and not a block.
    Segments,
    /// Tiles of each of many scans, from which on many blocks work on each …
    ScanTiles,
    /// … while there are fewer scans than this.
    ScanRows,
    /// Rows of a product from which on it is tiled.
    ProductRows,
    /// Columns of a product from which on it is tiled.
    ProductColumns,
    /// Inner indices of a product from which on it is tiled.
    ProductDepth,
}

impl Threshold {
    /// Every one.
    pub const ALL: [Threshold; 7] = [
        Threshold::SegmentValues,
        Threshold::Segments,
        Threshold::ScanTiles,
        Threshold::ScanRows,
        Threshold::ProductRows,
        Threshold::ProductColumns,
        Threshold::ProductDepth,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Threshold::SegmentValues => "device.segment_values",
            Threshold::Segments => "device.segments",
            Threshold::ScanTiles => "device.scan_tiles",
            Threshold::ScanRows => "device.scan_rows",
            Threshold::ProductRows => "device.product_rows",
            Threshold::ProductColumns => "device.product_columns",
            Threshold::ProductDepth => "device.product_depth",
        }
    }

    /// The number when nobody says another.
    pub const fn usual(self) -> i64 {
        match self {
            Threshold::SegmentValues | Threshold::ScanRows => 512,
            Threshold::Segments => 32_768,
            Threshold::ScanTiles => 4,
            Threshold::ProductRows | Threshold::ProductColumns => 64,
            Threshold::ProductDepth => 16,
        }
    }

    /// One line for the help.
    pub fn about(self) -> &'static str {
        match self {
            Threshold::SegmentValues => {
                "of many reductions or scans each is a block's from so many values on, not a thread's"
            }
            Threshold::Segments => "and a thread's again where there are so many reductions or scans",
            Threshold::ScanTiles => "of many scans each is that of many blocks from so many tiles on",
            Threshold::ScanRows => "and not where there are so many scans",
            Threshold::ProductRows => "a product is tiled from so many rows on",
            Threshold::ProductColumns => "and from so many columns",
            Threshold::ProductDepth => "and from so many inner indices",
        }
    }
}

/// What was said of thresholds.
#[derive(Clone, Default, Debug)]
pub struct Thresholds {
    said: BTreeMap<Threshold, i64>,
}

impl Thresholds {
    /// What these parameters say of thresholds, others aside; the error names one that there is not, or that is negative.
    pub fn of(parameters: &BTreeMap<Symbol, i64>) -> Result<Thresholds, String> {
        let mut said = BTreeMap::new();
        for (name, value) in parameters.iter().filter(|(name, _)| name.as_str().starts_with(PREFIX)) {
            let found = Threshold::ALL.into_iter().find(|threshold| threshold.name() == name.as_str());
            let Some(threshold) = found else {
                let known = Threshold::ALL.map(Threshold::name).join(", ");
                return Err(format!("there is no threshold `{name}`; there are {known}"));
            };
            if *value < 0 {
                return Err(format!("the threshold `{name}` is {value}, but sizes are not negative"));
            }
            said.insert(threshold, *value);
        }
        Ok(Thresholds { said })
    }

    /// The number that was said, or this one.
    pub fn or(&self, threshold: Threshold, usual: i64) -> i64 {
        self.said.get(&threshold).copied().unwrap_or(usual)
    }
}
