//! Parameters of the top, passed down to the modules that use them.

use super::SELF;
use crate::prim::TopParameter;
use std::fmt::Write as _;

/// A module's text, with those parameters of the top that the module or a module below it has, and with the
/// parameters that an instance sets. With `all` the text also has the top's other parameters.
pub(super) fn with_top_parameters(text: &str, all: bool) -> (String, String) {
    let has = |it: &TopParameter| text.contains(it.stands_for());
    let unused: Vec<_> = TopParameter::ALL.into_iter().filter(|it| all && !has(it)).collect();
    let met: Vec<_> = TopParameter::ALL.into_iter().filter(|it| all || has(it)).collect();
    let Some(last) = met.last() else {
        return (text.to_owned(), String::new());
    };
    let (mut text, mut head, mut set) = (text.to_owned(), String::new(), Vec::new());
    for parameter in &met {
        let (name, stands_for) = (parameter.name(), parameter.stands_for());
        let (value, meaning) = parameter.default_and_meaning();
        let comma = if parameter == last { "" } else { "," };
        let _ = writeln!(head, "    parameter {name} = {value}{comma} // {meaning}");
        set.push(format!(".{name}({stands_for})"));
        text = text.replace(stands_for, name);
    }
    let mut text = text.replacen(&format!("module {SELF} ("), &format!("module {SELF} #(\n{head}) ("), 1);
    if !unused.is_empty() {
        let is_default = |it: &TopParameter| format!("{} == {}", it.name(), it.default_and_meaning().0);
        let names = unused.iter().map(is_default).collect::<Vec<_>>().join(", ");
        let note = "    // Parameters of memories or products that this shape has not.";
        let wire = format!("    wire unused_parameters = &{{1'b0, {names}}};");
        text = text.replacen("\nendmodule\n", &format!("\n{note}\n{wire}\n\nendmodule\n"), 1);
    }
    (text, format!(" #({})", set.join(", ")))
}
