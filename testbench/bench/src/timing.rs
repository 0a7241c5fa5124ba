//! Timing diagrams for the pages: written as WaveJSON, the text format of WaveDrom, and drawn as SVG.
//!
//! A diagram is made from a recording of ports clock by clock, so that a test can make it again and compare.

mod svg;

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A timing diagram: the part of WaveJSON that the pages need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    /// The lanes, from top to bottom.
    pub signal: Vec<Lane>,
    /// Spans between two nodes of a lane, such as `a<->b 8 clocks`.
    #[serde(default)]
    pub edge: Vec<String>,
    /// The text above the lanes.
    #[serde(default)]
    pub head: Head,
}

/// The text above the lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The numbers of the clocks.
    pub tick: Ticks,
}

/// The numbers of the clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ticks {
    /// The number of the first clock; the numbers of all others follow.
    From(u32),
    /// A number for each clock, if [`Diagram::cut`] left out some clocks.
    Each(Vec<String>),
}

impl Default for Ticks {
    fn default() -> Self {
        Ticks::From(0)
    }
}

/// One lane. A lane without a wave is a gap, which may have nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// The text next to the lane.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// One character per clock: `p` clock, `0` and `1` level, `=` and `3` to `9` data of a shade, `x`
    /// undefined, `.` unchanged, `|` omitted clocks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wave: String,
    /// A label for each piece of data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<String>,
    /// One character per clock: a letter names a node at the clock's beginning, `.` is no node.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub node: String,
}

/// A value on a data lane: its shade, as in [`Lane::wave`], and its label.
pub type Value = (char, String);

impl Lane {
    /// The clock.
    pub fn clock(name: &str, clocks: usize) -> Self {
        Self { name: name.to_owned(), wave: repeats((0..clocks).map(|_| 'p')), ..Self::default() }
    }

    /// A port of one bit.
    pub fn level(name: &str, levels: impl IntoIterator<Item = bool>) -> Self {
        let levels = levels.into_iter().map(|level| if level { '1' } else { '0' });
        Self { name: name.to_owned(), wave: repeats(levels), ..Self::default() }
    }

    /// A port of several bits; `None` is a clock in which its value has no meaning.
    pub fn data(name: &str, values: impl IntoIterator<Item = Option<Value>>) -> Self {
        let mut lane = Self { name: name.to_owned(), ..Self::default() };
        let mut before = None;
        for value in values {
            if before.as_ref() == Some(&value) {
                lane.wave.push('.');
                continue;
            }
            lane.wave.push(value.as_ref().map_or('x', |(shade, _)| *shade));
            lane.data.extend(value.as_ref().map(|(_, label)| label.clone()));
            before = Some(value);
        }
        lane
    }

    /// A gap with the nodes `a` and `b` at the beginning of two clocks.
    pub fn span(from: usize, to: usize) -> Self {
        let node = |clock| if clock == from { 'a' } else { 'b' };
        let node = (0..=to).map(|clock| if clock == from || clock == to { node(clock) } else { '.' });
        Self { node: node.collect(), ..Self::default() }
    }
}

impl Lane {
    /// The clocks of `columns`; `None` is clocks left out.
    fn cut(&self, columns: &[Option<usize>]) -> Self {
        let mut values: Vec<(char, Option<&String>)> = Vec::new();
        let mut labels = self.data.iter();
        for character in self.wave.chars() {
            let value = match (character, values.last()) {
                ('.', Some(before)) => *before,
                ('=' | '3'..='9', _) => (character, labels.next()),
                _ => (character, None),
            };
            values.push(value);
        }
        let mut lane = Self { name: self.name.clone(), ..Self::default() };
        let mut before = None;
        for column in columns {
            let Some(value) = column.and_then(|clock| values.get(clock)) else {
                if !values.is_empty() {
                    lane.wave.push('|');
                }
                continue;
            };
            if before.replace(value) == Some(value) {
                lane.wave.push('.');
            } else {
                lane.wave.push(value.0);
                lane.data.extend(value.1.cloned());
            }
        }
        let node = |column: &Option<usize>| column.and_then(|clock| self.node.chars().nth(clock));
        if !self.node.is_empty() {
            lane.node = columns.iter().map(|column| node(column).unwrap_or('.')).collect();
        }
        lane
    }
}

/// Writes `.` for a repeated character.
fn repeats(characters: impl Iterator<Item = char>) -> String {
    let mut before = None;
    characters.map(|now| if before.replace(now) == Some(now) { '.' } else { now }).collect()
}

impl Diagram {
    /// Reads WaveJSON.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// WaveJSON with a line per lane.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let lanes: Result<Vec<_>, _> = self.signal.iter().map(serde_json::to_string).collect();
        let lanes = lanes?.join(",\n    ");
        let (edge, head) = (serde_json::to_string(&self.edge)?, serde_json::to_string(&self.head)?);
        Ok(format!("{{\n  \"signal\": [\n    {lanes}\n  ],\n  \"edge\": {edge},\n  \"head\": {head}\n}}\n"))
    }

    /// The clocks in `kept`, in order; the clocks between two ranges become one column.
    pub fn cut(&self, kept: &[Range<usize>]) -> Self {
        let ranges: Vec<Vec<Option<usize>>> =
            kept.iter().map(|range| range.clone().map(Some).collect()).collect();
        let columns = ranges.join(&None);
        let signal = self.signal.iter().map(|lane| lane.cut(&columns)).collect();
        let tick = columns.iter().map(|column| column.map(|clock| clock.to_string()).unwrap_or_default());
        Self { signal, edge: self.edge.clone(), head: Head { tick: Ticks::Each(tick.collect()) } }
    }

    /// The drawing with a white background.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_written_as_wavejson() {
        let value = |label: &str| Some(('=', label.to_owned()));
        let diagram = Diagram {
            signal: vec![
                Lane::clock("clk", 4),
                Lane::level("valid", [false, true, true, false]),
                Lane::data("id", [None, value("7"), value("7"), value("8")]),
                Lane::span(1, 3),
            ],
            edge: vec!["a<->b 2 clocks".to_owned()],
            head: Head::default(),
        };
        let text = diagram.to_json().expect("JSON");
        let expected = r#"{
  "signal": [
    {"name":"clk","wave":"p..."},
    {"name":"valid","wave":"01.0"},
    {"name":"id","wave":"x=.=","data":["7","8"]},
    {"node":".a.b"}
  ],
  "edge": ["a<->b 2 clocks"],
  "head": {"tick":0}
}
"#;
        assert_eq!(text, expected);
        assert_eq!(Diagram::from_json(&text).expect("a diagram"), diagram);
        assert!(Diagram::from_json(r#"{"signal": [], "group": 1}"#).is_err());
    }

    #[test]
    fn clocks_are_left_out() {
        let value = |label: &str| Some(('=', label.to_owned()));
        let diagram = Diagram {
            signal: vec![
                Lane::clock("clk", 6),
                Lane::level("valid", [false, true, true, false, false, true]),
                Lane::data("id", [value("7"), value("7"), value("8"), value("8"), value("8"), None]),
                Lane::span(1, 4),
            ],
            ..Diagram::default()
        };
        let cut = diagram.cut(&[0..2, 4..6]);
        let waves: Vec<&str> = cut.signal.iter().map(|lane| lane.wave.as_str()).collect();
        assert_eq!(waves, ["p.|..", "01|01", "=.|=x", ""]);
        assert_eq!(cut.signal[2].data, ["7", "8"]);
        assert_eq!(cut.signal[3].node, ".a.b.");
        assert_eq!(cut.head.tick, Ticks::Each(["0", "1", "", "4", "5"].map(str::to_owned).to_vec()));
        assert_eq!(Diagram::from_json(&cut.to_json().expect("JSON")).expect("a diagram"), cut);
    }

    #[test]
    fn names_and_labels_are_escaped() {
        let lane = Lane::data("a<b", [Some(('=', "1 & 2".to_owned()))]);
        let drawing = Diagram { signal: vec![lane], ..Diagram::default() }.to_svg();
        assert!(drawing.contains("a&lt;b") && drawing.contains("1 &amp; 2"), "{drawing}");
    }
}
