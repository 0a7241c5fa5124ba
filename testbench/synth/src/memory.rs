//! The memories of the NIC whose size depends on the connections, read from its Verilog.

use crate::table::grouped;
use weft_hdl::catalogue::Shape;
use weft_hdl::{EmitError, Module};

/// Numbers of connections that the table compares.
const SHAPES: [u32; 3] = [256, 1024, 4096];
/// Bits per connection below which memories share one line.
const SMALL: u32 = 64;
/// Width of a ring in `weft_ring_store`, in bits.
const RING_BITS: u32 = 256;
/// Words and bits of an UltraRAM.
const ULTRA: (u32, u32) = (4096, 72);

/// A memory of 2^`a` words of `w` bits.
#[derive(Clone, Debug)]
struct Memory {
    place: String,
    w: u32,
    a: u32,
    /// Whether the parameter LARGE_RAM selects the kind of the memory.
    large: bool,
}

impl Memory {
    /// Reads the first line of an instance. `None` if the instance is not a memory, or is one of LUTs.
    fn read(module: &str, line: &str) -> Option<Memory> {
        let (part, rest) = line.trim().strip_prefix("weft_")?.split_once(" #(")?;
        let (given, instance) = rest.strip_suffix(" (")?.rsplit_once(") ")?;
        let value = |name: &str| {
            let (_, behind) = given.split_once(&format!(".{name}("))?;
            behind.split_once(')').map(|(value, _)| value)
        };
        let number = |name: &str| value(name)?.parse::<u32>().ok();
        let (w, a) = match part {
            "ram_sdp" | "ram_tdp" | "context" | "published" => (number("W")?, number("A")?),
            "ram_sdp_be" => (8 * number("B")?, number("A")?),
            "ring_store" => (RING_BITS, number("A")?),
            "fifo" => (number("W")?, number("D")?),
            _ => return None,
        };
        let style = value("RAM_STYLE");
        let place = format!("{}.{instance}", module.trim_start_matches("weft_"));
        (style != Some("\"distributed\"")).then_some(Memory {
            place,
            w,
            a,
            large: style == Some("LARGE_RAM"),
        })
    }

    fn all(modules: &[Module]) -> Vec<Memory> {
        let of = |module: &Module| {
            module.text.lines().filter_map(|line| Memory::read(&module.name, line)).collect::<Vec<_>>()
        };
        modules.iter().flat_map(of).collect()
    }

    fn bits(&self) -> u32 {
        self.w << self.a
    }

    /// Halves of block RAMs of 36 kbit: the minimum over the widths and depths that a whole block RAM and a
    /// half can have.
    fn ram_halves(&self) -> u32 {
        let words = 1u32 << self.a;
        let of = |(width, depth): (u32, u32)| self.w.div_ceil(width) * words.div_ceil(depth);
        let half = [(36, 512), (18, 1024), (9, 2048), (4, 4096), (2, 8192), (1, 16384)].map(of);
        let whole = [(72, 512), (1, 32768)].map(of).map(|blocks| 2 * blocks);
        half.into_iter().chain(whole).min().unwrap_or(0)
    }

    fn ultra(&self) -> u32 {
        (1u32 << self.a).div_ceil(ULTRA.0) * self.w.div_ceil(ULTRA.1)
    }
}

/// Resources of memories, in a column of the table.
#[derive(Clone, Copy, Default)]
struct Column {
    ram_halves: u32,
    /// Number of halves in large memories.
    large_halves: u32,
    /// Number of UltraRAMs that could replace these halves.
    ultra: u32,
}

impl Column {
    fn of(memory: &Memory) -> Self {
        let ram_halves = memory.ram_halves();
        let (large_halves, ultra) = if memory.large { (ram_halves, memory.ultra()) } else { (0, 0) };
        Column { ram_halves, large_halves, ultra }
    }
}

impl std::iter::Sum for Column {
    fn sum<I: Iterator<Item = Column>>(all: I) -> Column {
        all.fold(Column::default(), |sum, one| Column {
            ram_halves: sum.ram_halves + one.ram_halves,
            large_halves: sum.large_halves + one.large_halves,
            ultra: sum.ultra + one.ultra,
        })
    }
}

/// A table in Markdown of the memories whose size depends on the connections, and of all memories of the NIC.
pub fn memories() -> Result<String, EmitError> {
    let nic = weft_hdl::catalogue::named("nic").into_iter();
    let emitted: Vec<_> = nic.flat_map(|nic| SHAPES.map(|n| (nic.emit)(&Shape::of(n)))).collect();
    let shapes: Vec<Vec<Memory>> =
        emitted.into_iter().map(|modules| Ok(Memory::all(&modules?))).collect::<Result<_, EmitError>>()?;
    let alike = |place: &str| -> Vec<&Memory> {
        shapes.iter().filter_map(|all| all.iter().find(|memory| memory.place == place)).collect()
    };
    let of_connections = |memory: &&Memory| alike(&memory.place).last().is_some_and(|last| last.a > memory.a);
    let mut growing: Vec<&Memory> = shapes[0].iter().filter(of_connections).collect();
    growing.sort_by_key(|memory| std::cmp::Reverse(memory.bits()));
    let (long, short): (Vec<&Memory>, Vec<&Memory>) =
        growing.into_iter().partition(|memory| memory.bits() / SHAPES[0] >= SMALL);
    let columns = |places: &[&Memory]| {
        let sum =
            |n: usize| places.iter().filter_map(|m| alike(&m.place).get(n).map(|m| Column::of(m))).sum();
        [0, 1, 2].map(sum)
    };
    let bits = |memories: &[&Memory]| memories.iter().map(|m| m.bits() / SHAPES[0]).sum::<u32>().to_string();
    let head = format!("| memory | bits a connection | {} |\n", SHAPES.map(grouped).join(" | "));
    let mut text = head + "|---|---|---|---|---|\n";
    let mut line = |name: &str, bits: String, columns: [Column; 3]| {
        text += &format!("| {name} | {bits} | {} |\n", columns.map(cell).join(" | "));
    };
    for memory in &long {
        line(&format!("`{}`", memory.place), bits(&[memory]), columns(&[memory]));
    }
    line(&format!("{} of fewer than {SMALL} bits", short.len()), bits(&short), columns(&short));
    let all: Vec<Column> = shapes.iter().map(|all| all.iter().map(Column::of).sum()).collect();
    if let [a, b, c] = all[..] {
        line("with those that do not grow", String::new(), [a, b, c]);
    }
    Ok(text)
}

/// A cell of the table: the number of block RAMs, and the number of UltraRAMs that could replace some of them.
fn cell(column: Column) -> String {
    let whole = |halves: u32| format!("{}{}", grouped(halves / 2), if halves % 2 == 1 { ".5" } else { "" });
    let ram = whole(column.ram_halves);
    match column.large_halves {
        0 => ram,
        all if all == column.ram_halves => format!("{ram} or {} U", grouped(column.ultra)),
        large => format!("{ram} or {} + {} U", whole(column.ram_halves - large), grouped(column.ultra)),
    }
}
