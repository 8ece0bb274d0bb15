//! IMP: the imperative language of loops and views
