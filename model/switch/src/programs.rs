//! All programs, in the sizes that the pages show. ConWeave: 32 ports and 4,096 connections (and 65,536, as
//! in the paper's figures). CONGA: a leaf-spine of 8 leaves and 8 spines. Others: the switches of a fat tree
//! of k = 8; OFAN also for k = 64.

use crate::conweave::{self, Options, Preset, Sizes};
use crate::kit::{Profile, Program};
use crate::ofan::Ofan;
use crate::schemes::{Conga, Scheme, SchemeError, Site};
use crate::topology::{Role, Switch, Topology, TopologyError};
use std::sync::Arc;

/// A program by its name.
pub struct Named {
    /// Scheme and switch.
    pub name: String,
    /// The program.
    pub program: Arc<Program>,
}

/// The reason why the programs cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program breaks a rule.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// The example's topology is out of range.
    #[error(transparent)]
    Topology(#[from] TopologyError),
}

/// All programs.
pub fn all() -> Result<Vec<Named>, Error> {
    let mut all = Vec::new();
    for (preset, name) in [(Preset::Paper, "paper"), (Preset::Ns3, "ns3"), (Preset::P4, "p4")] {
        let program =
            conweave::tor(&Options::preset(preset), &Sizes::default()).map_err(SchemeError::from)?;
        all.push(Named { name: format!("conweave-tor-{name}"), program: Arc::new(program) });
    }
    let (options, sizes) = (Options::default(), Sizes::default());
    let large = Sizes { connections: 1 << 16, ..sizes };
    let large = conweave::tor(&options, &large).map_err(SchemeError::from)?;
    all.push(Named { name: "conweave-tor-65536".into(), program: Arc::new(large) });
    let transit = conweave::transit(&options, &sizes, 1).map_err(SchemeError::from)?;
    all.push(Named { name: "conweave-transit".into(), program: Arc::new(transit) });

    let tree = Topology::fat_tree(8)?;
    for (name, scheme) in schemes() {
        all.push(of_scheme(&format!("{name}-edge"), &scheme, tree, Role::Edge)?);
        all.push(of_scheme(&format!("{name}-aggregation"), &scheme, tree, Role::Aggregation)?);
    }
    let (conga, leaf_spine) = (Scheme::Conga(Conga::default()), Topology::leaf_spine(8, 8, 16)?);
    all.push(of_scheme("conga-leaf", &conga, leaf_spine, Role::Edge)?);
    all.push(of_scheme("conga-spine", &conga, leaf_spine, Role::Aggregation)?);
    // OFAN Appendix F.4: k = 64.
    let (ofan, tree) = (Scheme::Ofan(Ofan::default()), Topology::fat_tree(64)?);
    all.push(of_scheme("ofan-edge-64", &ofan, tree, Role::Edge)?);
    all.push(of_scheme("ofan-aggregation-64", &ofan, tree, Role::Aggregation)?);
    Ok(all)
}

/// The program of the first switch of a role.
fn of_scheme(name: &str, scheme: &Scheme, topology: Topology, role: Role) -> Result<Named, Error> {
    let switch = topology.of_role(role).next().unwrap_or(Switch(0));
    let addresses = (0..topology.hosts()).map(|host| [0, host.into()]).collect();
    let site = Site { topology, switch, addresses, queues: scheme.queues(), seed: 1 };
    let program = scheme.build(site, Profile::default())?.program;
    Ok(Named { name: name.to_owned(), program })
}

/// The schemes but ConWeave and CONGA, with their defaults.
fn schemes() -> Vec<(&'static str, Scheme)> {
    vec![
        ("ecmp", Scheme::Ecmp {}),
        ("wecmp", Scheme::Wecmp {}),
        ("rsq", Scheme::Rsq {}),
        ("round-robin", Scheme::RoundRobin {}),
        ("permuted-round-robin", Scheme::PermutedRoundRobin { turns: 5, orders: 16 }),
        ("jsq", Scheme::Jsq {}),
        ("quantised", Scheme::Quantised { buffer_bytes: Some(800_000), percent: [5, 10, 20] }),
        ("drill", Scheme::Drill {}),
        ("let-flow", Scheme::LetFlow { gap_clocks: 100_000, entries: 65_536 }),
        ("ofan", Scheme::Ofan(Ofan::default())),
    ]
}
