//! Compares the words and headers of `weft_interface` with their pages and with the emitted Verilog.

use weft_house::{WORDS_PAGE, files, read, words_page};
use weft_interface::{HEADERS, Header, HeaderField, STREAMS, WORDS, Word};
use weft_params::registers::codes::SENT;

#[test]
fn the_page_has_the_words_of_today() {
    let page = read(WORDS_PAGE);
    assert!(
        page == words_page(&page),
        "stale: `cargo run --release -p weft-house --example words` writes {WORDS_PAGE}"
    );
}

/// The bits of a port in the emitted module of a block.
fn bits(block: &str, port: &str) -> u32 {
    let text = read(&format!("hdl/verilog/block/weft_{block}.v"));
    let is_port = |line: &&str| {
        let mut words = line.split_whitespace();
        matches!(words.next(), Some("input" | "output"))
            && words.any(|word| word.trim_end_matches(',') == port)
    };
    let line = text.lines().find(is_port).unwrap_or_else(|| panic!("weft_{block} has no port {port}"));
    let range = line.split_once('[').and_then(|(_, rest)| rest.split_once(':'));
    range.map_or(1, |(high, _)| high.trim().parse::<u32>().expect("a number") + 1)
}

#[test]
fn ports_are_as_wide_as_their_words() {
    for stream in STREAMS {
        let word = Word::named(stream.word).expect("a word");
        // DMA addresses and lengths are padded to whole bytes at the NIC.
        let padded = |of_nic: bool| if of_nic && word.name == "Place" { 80 } else { word.bits() };
        let ends = match (stream.from, stream.to) {
            (("", name), to) => [("nic", name, "s"), (to.0, to.1, "s")],
            (from, ("", name)) => [(from.0, from.1, "m"), ("nic", name, "m")],
            (from, to) => [(from.0, from.1, "m"), (to.0, to.1, "s")],
        };
        for (block, name, direction) in ends {
            let port = format!("{direction}_axis_{name}_tdata");
            assert_eq!(
                bits(block, &port),
                padded(block == "nic"),
                "weft_{block}: {port} carries {}",
                word.name
            );
            if !word.user.is_empty() {
                let user = word.user.iter().map(|field| field.bits).sum::<u32>();
                assert_eq!(
                    bits(block, &format!("{direction}_axis_{name}_tuser")),
                    user,
                    "weft_{block}: {name}"
                );
            }
        }
    }
    for word in WORDS {
        assert!(STREAMS.iter().any(|stream| stream.word == word.name), "{} travels nowhere", word.name);
    }
}

/// The page of the packets.
const PACKETS_PAGE: &str = "docs/packets.md";

/// The name of a header on the page.
fn on_page(header: &Header) -> String {
    match header.name {
        "ImmDt" => header.name.into(),
        "CcState" => "CC_STATE".into(),
        name => name.to_uppercase(),
    }
}

/// The rows of the table in a section: byte, highest and lowest bit.
fn rows(page: &str, section: &str) -> Vec<(u32, u32, u32)> {
    let (_, text) =
        page.split_once(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("no section {section}"));
    let text = text.split("\n## ").next().expect("a section");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let byte = cells.next()?.parse().ok()?;
        let bits = cells.next()?;
        let (high, low) = bits.split_once(':').unwrap_or((bits, bits));
        Some((byte, high.parse().ok()?, low.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn the_page_of_packets_has_every_field_where_it_lies() {
    let page = read(PACKETS_PAGE);
    for header in HEADERS {
        let rows = rows(&page, &on_page(header));
        assert!(!rows.is_empty(), "no table of {}", header.name);
        // FECN and BECN are bits of a row of the page that names all three.
        let inside = |field: &&HeaderField| matches!(field.name, "fecn" | "becn");
        for field in header.fields.iter().filter(|field| !inside(field)) {
            let place = (field.byte, field.high, field.low);
            assert!(rows.contains(&place), "{}.{} at {place:?} is not on the page", header.name, field.name);
        }
        for row in rows {
            let is_field = |field: &HeaderField| (field.byte, field.high, field.low) == row;
            assert!(header.fields.iter().any(is_field), "{} has no field at {row:?}", header.name);
        }
    }
}

/// Lists of the results of work requests are repeated next to ports and fields, for the readers of those
/// files. Each list must have all codes.
#[test]
fn every_list_of_completions_has_all_codes() {
    let list = SENT.map(|code| format!("{} {}", code.value, code.name)).join(", ");
    let mut found = 0;
    for path in
        files().iter().filter(|path| path.ends_with(".rs") || path.ends_with(".v") || path.ends_with(".md"))
    {
        for (number, line) in read(path).lines().enumerate() {
            if line.contains("2 refused, 3 unanswered") && !line.contains("line.contains") {
                assert!(line.contains(&list), "{path}:{}: the codes are {list}", number + 1);
                found += 1;
            }
        }
    }
    assert!(found >= 6, "{found} lists");
}
