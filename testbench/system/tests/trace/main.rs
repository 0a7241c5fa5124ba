//! Packet traces: captures in, captures out.

mod captures;
mod scenarios;
mod usable;
