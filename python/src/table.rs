//! Tables of columns. Other libraries (pandas, polars, pyarrow, DuckDB) read them without a copy by Arrow's C
//! stream interface in a capsule. Python reads a column as a list.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// A column; `None` is a null.
pub(crate) enum Column {
    U32(Vec<u32>),
    U64(Vec<Option<u64>>),
    F64(Vec<Option<f64>>),
    Text(Vec<String>),
}

/// A column with its name, and its bytes in Arrow's layout.
struct Laid {
    name: CString,
    format: CString,
    column: Column,
    /// One bit for each value that is present; empty if all values are.
    validity: Vec<u8>,
    /// Offsets of texts.
    offsets: Vec<i64>,
    /// Values, in little-endian order.
    values: Vec<u8>,
    nulls: i64,
}

impl Laid {
    fn new(name: &str, column: Column) -> Self {
        let mut offsets = Vec::new();
        let missing: Vec<bool> = match &column {
            Column::U32(_) | Column::Text(_) => Vec::new(),
            Column::U64(them) => them.iter().map(Option::is_none).collect(),
            Column::F64(them) => them.iter().map(Option::is_none).collect(),
        };
        let nulls = missing.iter().filter(|it| **it).count() as i64;
        let byte = |eight: &[bool]| (0..).zip(eight).fold(0, |byte, (at, no)| byte | u8::from(!no) << at);
        let validity = if nulls == 0 { Vec::new() } else { missing.chunks(8).map(byte).collect() };
        let (format, values) = match &column {
            Column::U32(them) => ("I", them.iter().flat_map(|it| it.to_le_bytes()).collect()),
            Column::U64(them) => ("L", them.iter().flat_map(|it| it.unwrap_or(0).to_le_bytes()).collect()),
            Column::F64(them) => ("g", them.iter().flat_map(|it| it.unwrap_or(0.0).to_le_bytes()).collect()),
            Column::Text(them) => {
                let mut text = Vec::new();
                offsets.push(0);
                for it in them {
                    text.extend_from_slice(it.as_bytes());
                    offsets.push(text.len() as i64);
                }
                ("U", text)
            }
        };
        let text = |text: &str| CString::new(text.replace('\0', " ")).unwrap_or_default();
        Self { name: text(name), format: text(format), column, validity, offsets, values, nulls }
    }

    fn len(&self) -> usize {
        match &self.column {
            Column::U32(them) => them.len(),
            Column::U64(them) => them.len(),
            Column::F64(them) => them.len(),
            Column::Text(them) => them.len(),
        }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match &self.column {
            Column::U32(them) => PyList::new(py, them),
            Column::U64(them) => PyList::new(py, them),
            Column::F64(them) => PyList::new(py, them),
            Column::Text(them) => PyList::new(py, them),
        }
    }
}

/// Columns with names, all of one length.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Table(Arc<Vec<Laid>>);

impl Table {
    /// Columns of one length.
    pub(crate) fn new(columns: Vec<(String, Column)>) -> Self {
        Self(Arc::new(columns.into_iter().map(|(name, column)| Laid::new(&name, column)).collect()))
    }

    fn rows(&self) -> usize {
        self.0.first().map_or(0, Laid::len)
    }

    fn column(&self, name: &str) -> PyResult<&Laid> {
        let found = self.0.iter().find(|column| column.name.to_bytes() == name.as_bytes());
        found.ok_or_else(|| PyKeyError::new_err(format!("{name}: there are {}", self.columns().join(", "))))
    }
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.iter().map(|column| column.name.to_string_lossy().into_owned()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    /// A column as a list, with None for nulls.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        self.column(name)?.list(py)
    }

    /// All columns as lists, by their names.
    fn asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.columns().iter().zip(self.0.iter()) {
            dict.set_item(name, column.list(py)?)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<weft_sim.Table of {} rows: {}>", self.rows(), self.columns().join(", "))
    }

    /// Arrow's stream of one batch. The stream ignores the types that the reader requests, as the interface
    /// allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let stream = ArrowStream::of(self.0.clone());
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

// The structs of https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.

/// The function that frees a struct; `None` after that.
type Release<T> = Option<unsafe extern "C" fn(*mut T)>;

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Release<ArrowSchema>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Release<ArrowArray>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowStream) -> *const c_char>,
    release: Release<ArrowStream>,
    private_data: *mut c_void,
}

// The pointers lead to the stream's own box, which holds shared columns that never change.
unsafe impl Send for ArrowStream {}

/// A nullable field.
const NULLABLE: i64 = 2;

/// The memory behind the pointers of a schema or an array.
struct Held<T> {
    _columns: Arc<Vec<Laid>>,
    children: Vec<*mut T>,
    buffers: Vec<*const c_void>,
}

/// The memory behind the pointer of a stream.
struct Flowing {
    columns: Arc<Vec<Laid>>,
    is_over: bool,
}

impl<T> Held<T> {
    /// The box with pointers to its parts: children, buffers, itself.
    fn boxed(
        columns: Arc<Vec<Laid>>,
        children: Vec<T>,
        buffers: Vec<*const c_void>,
    ) -> (*mut *mut T, *mut *const c_void, *mut c_void) {
        let children = children.into_iter().map(|it| Box::into_raw(Box::new(it))).collect();
        let held = Box::leak(Box::new(Self { _columns: columns, children, buffers }));
        let (children, buffers) = (held.children.as_mut_ptr(), held.buffers.as_mut_ptr());
        (children, buffers, std::ptr::from_mut(held).cast())
    }

    /// Frees the box of a schema or array and its children, and marks it as released. `of` returns its box
    /// and its `release`.
    unsafe fn let_go(it: &mut T, of: fn(&mut T) -> (*mut c_void, &mut Release<T>)) {
        let (private_data, own) = of(it);
        *own = None;
        let held = unsafe { Box::from_raw(private_data.cast::<Self>()) };
        for child in &held.children {
            let mut child = unsafe { Box::from_raw(*child) };
            // A reader may have moved a child out. Such a child is marked as released.
            let release = *of(&mut child).1;
            if let Some(release) = release {
                unsafe { release(&raw mut *child) };
            }
        }
    }
}

impl ArrowSchema {
    fn of(columns: &Arc<Vec<Laid>>, which: Option<usize>) -> Self {
        let each = 0..if which.is_none() { columns.len() } else { 0 };
        let children: Vec<Self> = each.map(|at| Self::of(columns, Some(at))).collect();
        let (format, name) = match which {
            None => (c"+s".as_ptr(), c"".as_ptr()),
            Some(at) => (columns[at].format.as_ptr(), columns[at].name.as_ptr()),
        };
        let (n_children, flags) = (children.len() as i64, if which.is_none() { 0 } else { NULLABLE });
        let (children, _, private_data) = Held::boxed(columns.clone(), children, Vec::new());
        Self {
            format,
            name,
            metadata: null(),
            flags,
            n_children,
            children,
            dictionary: null_mut(),
            release: Some(Self::release),
            private_data,
        }
    }

    unsafe extern "C" fn release(it: *mut Self) {
        unsafe { Held::let_go(&mut *it, |it| (it.private_data, &mut it.release)) };
    }
}

impl ArrowArray {
    fn of(columns: &Arc<Vec<Laid>>, which: Option<usize>) -> Self {
        let each = 0..if which.is_none() { columns.len() } else { 0 };
        let children: Vec<Self> = each.map(|at| Self::of(columns, Some(at))).collect();
        let (mut buffers, mut null_count) = (vec![null()], 0);
        if let Some(at) = which {
            let Laid { validity, offsets, values, nulls, .. } = &columns[at];
            null_count = *nulls;
            if *nulls > 0 {
                buffers[0] = validity.as_ptr().cast();
            }
            if !offsets.is_empty() {
                buffers.push(offsets.as_ptr().cast());
            }
            buffers.push(values.as_ptr().cast());
        }
        let length = columns.first().map_or(0, Laid::len) as i64;
        let (n_children, n_buffers) = (children.len() as i64, buffers.len() as i64);
        let (children, buffers, private_data) = Held::boxed(columns.clone(), children, buffers);
        Self {
            length,
            null_count,
            offset: 0,
            n_buffers,
            n_children,
            buffers,
            children,
            dictionary: null_mut(),
            release: Some(Self::release),
            private_data,
        }
    }

    /// The end of the stream.
    fn none() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }

    unsafe extern "C" fn release(it: *mut Self) {
        unsafe { Held::let_go(&mut *it, |it| (it.private_data, &mut it.release)) };
    }
}

impl ArrowStream {
    fn of(columns: Arc<Vec<Laid>>) -> Self {
        Self {
            get_schema: Some(Self::get_schema),
            get_next: Some(Self::get_next),
            get_last_error: Some(Self::get_last_error),
            release: Some(Self::release),
            private_data: Box::into_raw(Box::new(Flowing { columns, is_over: false })).cast(),
        }
    }

    unsafe extern "C" fn get_schema(it: *mut Self, out: *mut ArrowSchema) -> c_int {
        unsafe {
            let flowing = &*(*it).private_data.cast::<Flowing>();
            out.write(ArrowSchema::of(&flowing.columns, None));
        }
        0
    }

    unsafe extern "C" fn get_next(it: *mut Self, out: *mut ArrowArray) -> c_int {
        unsafe {
            let flowing = &mut *(*it).private_data.cast::<Flowing>();
            let is_over = std::mem::replace(&mut flowing.is_over, true);
            out.write(if is_over { ArrowArray::none() } else { ArrowArray::of(&flowing.columns, None) });
        }
        0
    }

    unsafe extern "C" fn get_last_error(_: *mut Self) -> *const c_char {
        null()
    }

    unsafe extern "C" fn release(it: *mut Self) {
        unsafe {
            drop(Box::from_raw((*it).private_data.cast::<Flowing>()));
            (*it).release = None;
        }
    }
}

impl Drop for ArrowStream {
    /// Releases a capsule that no reader has read. A reader that has taken over the stream has marked it as
    /// released.
    fn drop(&mut self) {
        if let Some(release) = self.release {
            unsafe { release(self) };
        }
    }
}
