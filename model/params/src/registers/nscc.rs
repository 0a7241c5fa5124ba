//! The registers of SMaRTT in a NIC with NSCC: `NsccCsr::as_smartt` stores NSCC's constants there.

/// The meaning of a port that NSCC does not read.
pub(super) const NONE: &str = "no effect";

/// The port of SMaRTT, and its meaning.
pub(super) const WORDS: [(&str, &str); 17] = [
    ("mtu", "full packet and smallest window, bytes"),
    ("max_cwnd", "largest window, bytes, below 2^23 - 1"),
    ("fair_decrease", "bytes that fast increase adds per byte (fi_scale), 2^-20"),
    ("base_rtt", "base RTT, 1 to 1,023 ticks"),
    ("target_rtt", "target of the queueing delay, 1 to 1,023 ticks"),
    ("fast_rtt", "largest delay that counts as no delay, 0 to 1,023 ticks"),
    ("multiplicative_increase", "proportional increase (alpha), 2^-12 bytes per tick"),
    ("fair_increase", "fair increase (fi), 2^-6 bytes"),
    ("multiplicative_decrease", "share of the excess delay by which the window decreases (gamma), 2^-8"),
    ("wtd_alpha", "weight of the newest packet in the average delay, 2^-8"),
    ("wtd_alphas", "weights of the newest 2 to 16 packets, 8 bits each, 2^-8"),
    ("wtd_threshold", "growth in each base RTT (eta), 2^-12 of the fair increase"),
    ("late_losses", "a delay above four targets lets QuickAdapt set the window"),
    ("qa_scaling", NONE),
    ("granularity", NONE),
    ("fast_mtus", NONE),
    ("signals", NONE),
];

/// The meaning with NSCC of the port of SMaRTT with this name.
pub(super) fn meaning(port: &str) -> Option<&'static str> {
    WORDS.iter().find(|(name, _)| *name == port).map(|(_, doc)| *doc)
}
