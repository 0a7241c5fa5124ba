//! Packets walked hop by hop through the programs of a whole network, without queues: what load balancers choose.

mod conga;
mod ofan;
mod oracle;
mod schemes;
mod walk;
