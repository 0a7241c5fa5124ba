//! Bit-exact models of the NIC's blocks.
