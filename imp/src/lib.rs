//! IMP: the imperative language of loops and views (paper section 4, grown).

pub mod ir;
