//! IMP: the imperative language of loops and views (paper section 4, grown).

pub mod build;
pub mod call;
pub mod check;
pub mod choice;
pub mod cost;
pub mod r#gen;
pub mod in_order;
pub mod interp;
pub mod ir;
pub mod lock;
pub mod ordered;
pub mod params;
pub mod plain;
pub mod prefix;
pub mod text;
pub mod visit;
