//! The ports of a stream that carries a word: `tvalid`, `tid`, `tdata`, and with `user` `tuser`.

/// Shows an input stream.
macro_rules! taken {
    ($visit:ident, $name:literal, $input:expr $(, $user:ident)?) => {
        let (id, word) = $input.unwrap_or_default();
        $visit(concat!("s_axis_", $name, "_tvalid"), &[$input.is_some().into()]);
        $visit(concat!("s_axis_", $name, "_tid"), &[id.into()]);
        $visit(concat!("s_axis_", $name, "_tdata"), &word.words());
        $($visit(concat!("s_axis_", $name, "_tuser"), &word.$user());)?
    };
}

/// Shows an output stream.
macro_rules! offered {
    ($visit:ident, $name:literal, $offer:expr $(, $user:ident)?) => {
        let offer = &$offer;
        $visit(concat!("m_axis_", $name, "_tvalid"), &[offer.valid.into()]);
        $visit(concat!("m_axis_", $name, "_tid"), &[offer.id.into()]);
        $visit(concat!("m_axis_", $name, "_tdata"), &offer.word.words());
        $($visit(concat!("m_axis_", $name, "_tuser"), &offer.word.$user());)?
    };
}

pub(crate) use {offered, taken};
