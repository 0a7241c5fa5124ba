//! Symbolic words, bit-blasting, BTOR2 and SMT-LIB.
