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
    for (preset, arrays) in [(Preset::Paper, 21), (Preset::Ns3, 19), (Preset::P4, 24)] {
        let options = Options::preset(preset);
        for connections in [4096, 65_536] {
            let sizes = Sizes { connections, ..Sizes::default() };
            let program = tor(&options, &sizes).unwrap_or_else(|error| panic!("{preset:?}: {error}"));
            assert_eq!((program.usage().arrays, program.usage().depth), (arrays, 17), "{preset:?}");
        }
        transit(&options, &Sizes::default(), 0).unwrap_or_else(|error| panic!("{preset:?}: {error}"));
    }
}

/// Every counter can be found by its name, and the names differ.
#[test]
fn counters_have_names() {
    let names: Vec<&str> =
        EVENTS.iter().chain(&EXTRAS[1..]).chain(&COPIES[1..]).chain(&TRANSIT).copied().collect();
    let mut one_each = names.clone();
    one_each.sort_unstable();
    one_each.dedup();
    assert_eq!(one_each.len(), names.len());
    let program = tor(&Options::default(), &Sizes::default()).expect("it keeps the rules");
    let pipe = crate::kit::Pipe::new(std::sync::Arc::new(program), 1, 1);
    let found: Vec<&str> = counters(&pipe).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, names[..names.len() - TRANSIT.len()]);
}
