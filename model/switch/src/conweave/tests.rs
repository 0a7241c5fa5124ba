//! Worked examples, the oracle's comparison, and in-order delivery.

mod bench;
mod destination;
mod figures;
mod network;
mod oracle;
mod order;
mod source;

use super::*;

#[test]
fn programs_keep_the_rules() {
    for preset in [Preset::Paper, Preset::Ns3, Preset::P4] {
        let options = Options::preset(preset);
        for connections in [4096, 65_536] {
            let sizes = Sizes { connections, ..Sizes::default() };
            let program = tor(&options, &sizes).unwrap_or_else(|error| panic!("{preset:?}: {error}"));
            println!("{preset:?} {connections}: {:?}", program.usage());
        }
        transit(&options, &Sizes::default(), 0).unwrap_or_else(|error| panic!("{preset:?}: {error}"));
    }
}
