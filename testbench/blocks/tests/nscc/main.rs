//! NSCC under test.

mod model;
mod rules;
