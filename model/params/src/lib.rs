//! Parameters of every block and the checks on them.
