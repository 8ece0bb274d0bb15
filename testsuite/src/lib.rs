//! The case runner that the tests of this crate share.
