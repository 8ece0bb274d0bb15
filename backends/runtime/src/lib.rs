//! The runtime that compiled code calls: allocation, parallel loops, errors
