//! Packets walked hop by hop through the programs of a whole network, without queues: the choices of load
//! balancers.

mod conga;
mod ofan;
mod oracle;
mod schemes;
mod walk;
