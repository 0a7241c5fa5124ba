//! Flows that are longer than the memory of a connection: their addresses begin again, and each byte arrives
//! once.

use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;

#[test]
fn a_flow_may_be_longer_than_the_memory_of_its_connection() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("long-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Packets of 1 KiB: the addresses begin again after 256 MiB.
    let setup = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n[scheme]\nname = \"ecmp\"\n\
                 [hosts]\nmtu = 1024\n[links]\nhost_gbps = 100\nfabric_gbps = 100\n[workload]\nkind = \"flows\"\nfile = \"a.csv\"\n";
    std::fs::write(folder.join("a.toml"), setup).unwrap();
    std::fs::write(folder.join("a.csv"), "0,2,270000001,0\n1,3,5000000000,24500\n").unwrap();
    for host in ["", "hosts.baseline.kind=dcqcn"] {
        let sets = [format!("until_us={}", 25_000), host.to_owned()];
        let sets = if host.is_empty() { &sets[..1] } else { &sets[..] };
        let report = Plan::read(&folder.join("a.toml"), sets).unwrap().run(Engine::Windows, |_| true);
        assert_eq!(report.violations, [""; 0], "{host}");
        // The short flow has ended; the flow of 5 GB continues, and lasts as long as its least time.
        let [short, long] = &report.flows[..] else { panic!("{:?}", report.flows) };
        assert!(short.fct_us.is_some() && long.fct_us.is_none(), "{host}: {short:?} {long:?}");
        assert!(long.ideal_us > 400_000.0, "{}", long.ideal_us);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
