//! FUN: the value-semantics array language
