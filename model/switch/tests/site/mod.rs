//! A switch of every scheme at its place in a network, and frames for it.

use std::sync::Arc;
use weft_switch::conweave::ConWeave;
use weft_switch::kit::Profile;
use weft_switch::ofan::Ofan;
use weft_switch::schemes::{Conga, Flow, Scheme, Site};
use weft_switch::switch::{Latency, Settings, Switch, View};
use weft_switch::tm;
use weft_switch::topology::{Failed, Host, Node, Role, Topology};
use weft_wire::headers::{Reth, Xeth};
use weft_wire::{Body, Bth, Data, Ecn, Envelope, frame};

/// All schemes, with their defaults.
pub(crate) fn schemes() -> Vec<Scheme> {
    vec![
        Scheme::Ecmp {},
        Scheme::Wecmp {},
        Scheme::Rsq {},
        Scheme::RoundRobin {},
        Scheme::PermutedRoundRobin { turns: 5, orders: 16 },
        Scheme::Jsq {},
        Scheme::Quantised { buffer_bytes: Some(800_000), percent: [5, 10, 20] },
        Scheme::Drill {},
        Scheme::LetFlow { gap_clocks: 1_000, entries: 1_024 },
        Scheme::Conga(Conga::default()),
        Scheme::Ofan(Ofan::default()),
        Scheme::Conweave(ConWeave::default()),
    ]
}

/// The first edge switch of a leaf-spine of 4 leaves with 4 hosts and 4 spines.
pub(crate) struct Edge {
    topology: Topology,
    scheme: Scheme,
    seed: u64,
    /// Rate of all ports.
    pub(crate) gbps: u32,
}

/// Address of a host.
fn address(host: Host) -> std::net::Ipv4Addr {
    (0x0A00_0001 + host.0).into()
}

impl Edge {
    pub(crate) fn new(scheme: Scheme, seed: u64) -> Self {
        Self { topology: Topology::leaf_spine(4, 4, 4).expect("small"), scheme, seed, gbps: 100 }
    }

    /// The switch, its tables filled.
    pub(crate) fn switch<V: View>(&self) -> Switch<V> {
        let Self { topology, scheme, seed, gbps } = self;
        let switch = topology.of_role(Role::Edge).next().expect("there are four");
        let addresses: Arc<[_]> =
            (0..topology.hosts()).map(|host| [0, u32::from(address(Host(host))).into()]).collect();
        let site = Site { topology: *topology, switch, addresses, queues: scheme.queues(), seed: *seed };
        let built = scheme.build(site, Profile::default()).expect("it fits");
        let to_switch: Vec<bool> = (0..topology.ports(switch))
            .map(|port| matches!(topology.peer(switch, port), Some((Node::Switch(_), _))))
            .collect();
        let port = tm::Port::new(tm::Rate::gbps(*gbps), scheme.reorder_queues().into());
        let settings = Settings {
            tm: tm::Settings {
                red: Some(tm::Red {
                    kmin_bytes: 20_000,
                    kmax_bytes: 80_000,
                    pmax: 1 << 14,
                    at: tm::At::Dequeue,
                    over: tm::Over::Queue,
                }),
                ..tm::Settings::new(vec![port; to_switch.len() + 1], 2 << 20)
            },
            to_switch,
            form: scheme.form(),
            clocks_per_tick: scheme.clocks_per_tick(),
            latency: Latency::default(),
            loop_clocks: 1_000,
            seed: *seed,
        };
        let mut switch =
            Switch::<V>::new(Arc::clone(&built.program), settings).expect("settings that can be");
        let pipe = switch.pipe_mut();
        built.control.start(pipe);
        built.control.fill(pipe, &Failed::new()).expect("there is room");
        let flow =
            |source, destination, port| Flow { source: Host(source), destination: Host(destination), port };
        let ports = || (0xC000..0xC004u16).flat_map(|port| (4..16).map(move |far| (port, far)));
        let flows: Vec<Flow> = ports()
            .flat_map(|(port, far)| {
                (0..4).flat_map(move |near| [flow(near, far, port), flow(far, near, port)])
            })
            .collect();
        assert_eq!(built.control.connect(pipe, &flows, &Failed::new()), Ok(0));
        switch
    }

    /// A data frame from one host to another.
    pub(crate) fn frame(&self, from: u32, to: u32, port: u16, psn: u32, bytes: usize) -> Vec<u8> {
        let envelope = Envelope::v4(address(Host(from)), address(Host(to)), port).marked(4, Ecn::Ect0);
        let payload = vec![psn as u8; bytes];
        let body =
            Data { reth: Reth::default(), immediate: None, xeth: Xeth::new(1, 0, 0), payload: &payload };
        frame::encode(&envelope, Bth::data(1, psn), &Body::Data(body)).expect("short")
    }
}
