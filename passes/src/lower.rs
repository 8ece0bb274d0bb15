//! Lowerings from one language to the next.
