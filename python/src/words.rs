//! Inputs and outputs of the models: registers by name, records, wide numbers.

use crate::error::value;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use weft_handle::RegisterError;
use weft_params::registers::{at, counter_at, register};

/// A register: its name in `docs/registers.md`, or an offset of `weft_nic.h`.
#[derive(FromPyObject)]
pub(crate) enum Where {
    Name(String),
    Offset(u32),
}

impl Where {
    /// The offsets of the register's words.
    fn offsets(&self) -> PyResult<Vec<u32>> {
        match self {
            Self::Offset(offset) => Ok(vec![*offset]),
            Self::Name(name) => {
                let found = register(name);
                let found =
                    found.ok_or_else(|| value(format!("register {name:?}: there is no such register")))?;
                Ok(found.offsets().map(u32::from).collect())
            }
        }
    }

    /// The index of a counter.
    pub(crate) fn counter(&self) -> PyResult<usize> {
        let offset = *self.offsets()?.first().expect("a register has a word");
        counter_at(offset).ok_or_else(|| {
            let what = match self {
                Self::Name(name) => format!("register {name:?}"),
                Self::Offset(offset) => format!("offset {offset:#x}"),
            };
            value(format!("{what} is not a counter; Nic.counters has the names"))
        })
    }

    /// Writes the words of a register, the lowest word first.
    pub(crate) fn write(
        &self,
        number: u128,
        mut word: impl FnMut(u32, u32) -> Result<(), RegisterError>,
    ) -> PyResult<()> {
        let offsets = self.offsets()?;
        if number.checked_shr(32 * offsets.len() as u32).is_some_and(|rest| rest > 0) {
            return Err(value(format!("{number:#x}: the register has {} bits", 32 * offsets.len())));
        }
        for (place, offset) in (0..).zip(offsets) {
            word(offset, (number >> (32 * place)) as u32).map_err(|error| self.told(offset, &error))?;
        }
        Ok(())
    }

    /// Reads the words of a register.
    pub(crate) fn read(&self, mut word: impl FnMut(u32) -> Result<u32, RegisterError>) -> PyResult<u128> {
        let mut number = 0;
        for (place, offset) in (0..).zip(self.offsets()?) {
            let read = word(offset).map_err(|error| self.told(offset, &error))?;
            number |= u128::from(read) << (32 * place);
        }
        Ok(number)
    }

    fn told(&self, offset: u32, error: &RegisterError) -> PyErr {
        let name = u16::try_from(offset).ok().and_then(at).map(|(register, _)| register.name.clone());
        match (error, name) {
            (RegisterError::None(_), Some(name)) => {
                value(format!("register {name:?}: this block does not have this register"))
            }
            _ => value(error),
        }
    }
}

/// A class of numbers with names, which never change.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[pyclass(frozen, get_all, skip_from_py_object, module = "weft_sim")]
        #[derive(Clone)]
        pub(crate) struct $name { $($(#[$field_doc])* pub(crate) $field: $type),+ }

        #[pymethods]
        impl $name {
            /// The fields by their names.
            fn asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
                let dict = pyo3::types::PyDict::new(py);
                $(dict.set_item(stringify!($field), self.$field.clone())?;)+
                Ok(dict)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let mut fields = Vec::new();
                for (name, value) in self.asdict(py)? {
                    fields.push(format!("{name}={}", value.repr()?));
                }
                Ok(format!("{}({})", stringify!($name), fields.join(", ")))
            }

            fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
                self.asdict(py)?.eq(other.asdict(py)?)
            }
        }
    };
}
pub(crate) use record;

/// A bitmap of 256 bits, which Python sees as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bitmap(pub(crate) [u64; 4]);

impl<'py> IntoPyObject<'py> for Bitmap {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        py.get_type::<PyInt>().call_method1("from_bytes", (bytes.as_slice(), "little"))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Bitmap {
    type Error = PyErr;

    fn extract(number: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let bytes: Vec<u8> = number.cast::<PyInt>()?.call_method1("to_bytes", (32, "little"))?.extract()?;
        let mut words = [0; 4];
        for (word, eight) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = eight.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Ok(Self(words))
    }
}
