//! Reads a block's page and the Verilog that it is compared with.

use std::collections::BTreeMap;
use std::path::Path;
use weft_hdl::Module;

/// The text of `docs/blocks/<name>.md`.
#[derive(Clone, Copy)]
pub struct Page(pub &'static str);

impl Page {
    /// The text of a section.
    pub fn section(self, title: &str) -> &'static str {
        let begin = format!("\n## {title}\n");
        let after = self.0.split_once(&begin).unwrap_or_else(|| panic!("the page has no section {title}")).1;
        after.split("\n## ").next().unwrap_or(after)
    }

    /// The cells of the table whose first row begins with `heading`, without that row.
    pub fn table(self, title: &str, heading: &str) -> Vec<Vec<&'static str>> {
        let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
        let mut lines =
            self.section(title).lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
        assert!(lines.next().is_some(), "{title} has no table `{heading}`");
        lines.skip(1).map_while(|line| line.starts_with('|').then(|| cells(line))).collect()
    }

    /// Name, direction and width of every port in the page's table; `width` reads its third cell.
    pub fn ports(self, width: impl Fn(&str) -> u32) -> BTreeMap<String, (&'static str, u32)> {
        let mut ports = BTreeMap::new();
        for row in self.table("Ports", "port") {
            let mut directions = row[1].split(", ").cycle();
            let mut before = String::new();
            for name in row[0].split(", ").map(|name| name.trim_matches('`')) {
                // `_tready` after `s_axis_event_tvalid` is s_axis_event_tready.
                let stem = before.rsplit_once('_').map_or("", |(stem, _)| stem);
                before = if name.starts_with('_') { format!("{stem}{name}") } else { name.to_owned() };
                let port = (directions.next().expect("a cycle has no end"), width(row[2]));
                assert!(ports.insert(before.clone(), port).is_none(), "{before} is there twice");
            }
        }
        ports
    }
}

/// Number of a cell such as `4,096`, `0xC000` or `**182**`.
pub fn number(cell: &str) -> u32 {
    let plain = cell.replace([',', '*'], "");
    let parsed = match plain.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    parsed.unwrap_or_else(|_| panic!("`{cell}` is no number"))
}

/// Bits of a cell such as `26`, `26 + 11`, `4 x 14` or `4 x 16 each`.
pub fn bits(cell: &str) -> u32 {
    let product = |term: &str| term.trim_end_matches(" each").split(" x ").map(number).product::<u32>();
    cell.split(" + ").map(product).sum()
}

/// Name, direction and width of every port in the Verilog of `top`.
pub fn ports_of_the_verilog(modules: &[Module], top: &str) -> BTreeMap<String, (&'static str, u32)> {
    let top = modules.iter().find(|module| module.name == top).expect("the top");
    let (_, module) = top.text.split_once(&format!("module {} ", top.name)).expect("a module");
    // Parameters may be before the ports.
    let ports =
        if module.starts_with('#') { module.split_once("\n) (").expect("parameters").1 } else { module };
    let (header, _) = ports.split_once(");\n").expect("ports");
    let port = |line: &str| {
        let words: Vec<&str> =
            line.split("//").next()?.trim().trim_end_matches(',').split_whitespace().collect();
        let direction = match *words.first()? {
            "input" => "in",
            "output" => "out",
            // An attribute.
            _ => return None,
        };
        let width = words.iter().find_map(|word| word.strip_prefix('[')?.strip_suffix(":0]"));
        Some((words.last()?.to_string(), (direction, width.map_or(1, |high| number(high) + 1))))
    };
    header.lines().filter_map(port).collect()
}

/// Width and address bits of every RAM in the Verilog of blocks without parameters.
pub fn rams(modules: &[Module]) -> Vec<(u32, u32)> {
    modules
        .iter()
        .flat_map(|module| module.text.lines())
        .filter_map(|line| ram(line, &BTreeMap::new()))
        .collect()
}

/// Width and address bits of the RAM whose instance begins in this line.
fn ram(line: &str, given: &BTreeMap<String, u32>) -> Option<(u32, u32)> {
    line.trim_start().strip_prefix("weft_ram_sdp #(")?;
    let set = parameters(line, given);
    Some((set["W"], set["A"]))
}

/// The parameters that the instance beginning in this line sets, in a module that has parameters of its own.
fn parameters(line: &str, given: &BTreeMap<String, u32>) -> BTreeMap<String, u32> {
    let set = line.split_once("#(").map_or("", |(_, set)| set);
    let each = set.split('.').skip(1).filter_map(|one| {
        let (name, rest) = one.split_once('(')?;
        let value = rest.split(')').next()?;
        let value = given.get(value).copied().or_else(|| value.parse().ok())?;
        Some((name.to_owned(), value))
    });
    each.collect()
}

/// Bits of a connection in the RAMs of a module and all that it instantiates. The number of a connection has
/// `address` bits.
pub fn ram_bits(modules: &[Module], name: &str, address: u32) -> u32 {
    bits_of(modules, name, address, &BTreeMap::new())
}

fn bits_of(modules: &[Module], name: &str, address: u32, given: &BTreeMap<String, u32>) -> u32 {
    let module = modules.iter().find(|module| module.name == name).expect("a module");
    let lines = || module.text.lines();
    let here = lines().filter_map(|line| ram(line, given)).map(|(width, depth)| width << (depth - address));
    let beneath = lines().filter_map(|line| {
        let instance = line.strip_prefix("    ")?.split(' ').next()?;
        let is_module = modules.iter().any(|module| module.name == instance && instance != "weft_ram_sdp");
        is_module.then(|| bits_of(modules, instance, address, &parameters(line, given)))
    });
    here.chain(beneath).sum()
}

/// Compares with a file of `docs`; with `WEFT_BLESS=1` writes the file.
pub fn committed(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("WEFT_BLESS").is_some() {
        std::fs::write(&path, made).expect("docs can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == made,
        "docs/{name} is not what the RTL does. Run this test with WEFT_BLESS=1 and look at the difference"
    );
}
