//! The paths that remain after failures of links: reachability, and W-ECMP weights, which count paths (OFAN
//! Appendix F.4: "the number of distinct paths", with links of one rate).

use super::{Failed, Link, Role, Switch, Topology};

impl Topology {
    /// Whether a path up and down leads from a switch by one of its ports to an edge switch (by its number).
    /// A host's port leads to no edge switch.
    pub fn reaches(&self, failed: &Failed, switch: Switch, port: u16, edge: u32) -> bool {
        if self.up_ports(switch).contains(&port) {
            let up = usize::from(port - self.up_ports(switch).start);
            return self.weights(failed, switch, edge).get(up).is_some_and(|weight| *weight > 0);
        }
        self.down_port(switch, edge) == Some(port) && self.has_way_down(failed, switch, edge)
    }

    /// Whether every link on the one path down from a switch to an edge switch below it is intact.
    pub fn has_way_down(&self, failed: &Failed, switch: Switch, edge: u32) -> bool {
        let (pod, index) = (self.pod_of_edge(edge), self.index(switch));
        match self.role(switch) {
            Role::Edge => false,
            Role::Aggregation => {
                self.pod(switch) == Some(pod) && self.edge_link_is_whole(failed, edge, index)
            }
            Role::Core => {
                let (index, up) = (index / self.cores, index % self.cores);
                self.core_link_is_whole(failed, pod, index, up)
                    && self.edge_link_is_whole(failed, edge, index)
            }
        }
    }

    /// Number of paths to an edge switch (by its number) through each port up of an edge or aggregation
    /// switch, in order. All weights are 0 if the path leads down, or if there is none.
    pub fn weights(&self, failed: &Failed, switch: Switch, edge: u32) -> Vec<u32> {
        let is_here = self.role(switch) == Role::Edge && switch.0 == edge;
        let is_below =
            self.role(switch) == Role::Aggregation && self.pod(switch) == Some(self.pod_of_edge(edge));
        if is_here || is_below {
            return vec![0; self.up_ports(switch).len()];
        }
        let mut weights = self.pod_weights(failed, switch, self.pod_of_edge(edge));
        for (up, weight) in (0..).zip(&mut weights) {
            let below = if self.role(switch) == Role::Edge { up } else { self.index(switch) };
            if !self.edge_link_is_whole(failed, edge, below) {
                *weight = 0;
            }
        }
        weights
    }

    /// The weights for a pod (OFAN Appendix F.4): the weight to each of its edge switches, or 0 for an edge
    /// switch without a path.
    /// * Edge switch, own pod: 1 by each aggregation switch.
    /// * Edge switch, another pod: the paths between aggregation switch `i` of this pod and aggregation
    ///   switch `i` of that pod.
    /// * Aggregation switch, another pod: 1 for each core. Aggregation switch, its own pod: 0, because the
    ///   path does not lead up.
    ///
    /// A failed port up of the switch itself has 0.
    pub fn pod_weights(&self, failed: &Failed, switch: Switch, pod: u32) -> Vec<u32> {
        let Some(own) = self.pod(switch) else { return Vec::new() };
        let index = self.index(switch);
        let path = |a: u32, up: u32| {
            let is_whole = [own, pod].iter().all(|pod| self.core_link_is_whole(failed, *pod, a, up));
            u32::from(is_whole)
        };
        (0..self.up_ports(switch).len() as u32)
            .map(|up| match self.role(switch) {
                Role::Aggregation if own == pod => 0,
                Role::Aggregation => path(index, up),
                _ if !self.edge_link_is_whole(failed, switch.0, up) => 0,
                _ if own == pod => 1,
                _ => (0..self.cores).map(|core| path(up, core)).sum(),
            })
            .collect()
    }

    /// The link between an edge switch and aggregation switch `index` of its pod.
    fn edge_link_is_whole(&self, failed: &Failed, edge: u32, index: u32) -> bool {
        self.is_whole(failed, Switch(edge), index)
    }

    /// The link between aggregation switch `index` of a pod and its core `up`.
    fn core_link_is_whole(&self, failed: &Failed, pod: u32, index: u32, up: u32) -> bool {
        self.is_whole(failed, self.aggregation(pod, index), up)
    }

    fn is_whole(&self, failed: &Failed, switch: Switch, up: u32) -> bool {
        let ports = self.up_ports(switch);
        let port = ports.start + up as u16;
        ports.contains(&port) && !failed.contains(&Link { switch, port })
    }
}
