//! The NSCC block under test.

pub mod oracle;
pub mod stimulus;
