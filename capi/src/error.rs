//! Codes, and the message of the last error.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use weft_handle::RegisterError;
use weft_params::ParamError;

/// Success. Functions that return the next of several items return this code if there is none.
pub const WEFT_OK: i32 = 0;
/// There is an item, and the function has written it to the caller's memory.
pub const WEFT_ONE: i32 = 1;
/// A required pointer is NULL.
pub const WEFT_NULL: i32 = -1;
/// A number is out of range: a connection, a kind, a shape or the value of a register.
pub const WEFT_RANGE: i32 = -2;
/// No register of this block that software can write or read is at the offset.
pub const WEFT_NO_REGISTER: i32 = -3;
/// The caller's buffer is too small. The message has the required number of bytes.
pub const WEFT_ROOM: i32 = -4;
/// The call is not permitted at this time.
pub const WEFT_ORDER: i32 = -5;
/// A defect of the library. The handle must not be used any more, except in `weft_X_free`.
pub const WEFT_DEFECT: i32 = -6;

/// A setup that is not valid. The message has file, line and key.
pub const WEFT_SETUP: i32 = -7;

/// The reason why a call failed: code and message.
pub(crate) struct Fault(pub(crate) i32, pub(crate) String);

impl From<ParamError> for Fault {
    fn from(error: ParamError) -> Self {
        Self(WEFT_RANGE, error.to_string())
    }
}

impl From<RegisterError> for Fault {
    fn from(error: RegisterError) -> Self {
        let code = if matches!(error, RegisterError::None(_)) { WEFT_NO_REGISTER } else { WEFT_RANGE };
        Self(code, error.to_string())
    }
}

/// An error of range.
#[cold]
pub(crate) fn range(what: &str, value: impl Display, least_to_most: &str) -> Fault {
    Fault(WEFT_RANGE, format!("{what} {value}: use {least_to_most}"))
}

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

#[cold]
fn remember(code: i32, message: String) -> i32 {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    MESSAGE.with(|last| last.replace(message));
    code
}

/// Returns the message of this thread's last failed call, as one line of UTF-8. The text stays until the next
/// call that fails.
#[unsafe(no_mangle)]
pub extern "C" fn weft_error() -> *const c_char {
    MESSAGE.with(|last| last.borrow().as_ptr())
}

/// Runs a call. Returns the code of the call, or that of its error or panic.
#[inline]
pub(crate) fn call(body: impl FnOnce() -> Result<i32, Fault>) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(code)) => code,
        Ok(Err(Fault(code, message))) => remember(code, message),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            remember(WEFT_DEFECT, format!("a defect of libweft, please report it: {text}"))
        }
    }
}

/// Makes a handle. Returns NULL if the handle cannot be made.
pub(crate) fn make<T>(body: impl FnOnce() -> Result<T, Fault>) -> *mut T {
    let mut made = None;
    let code = call(|| {
        made = Some(body()?);
        Ok(WEFT_OK)
    });
    match made {
        Some(made) if code == WEFT_OK => Box::into_raw(Box::new(made)),
        _ => std::ptr::null_mut(),
    }
}

/// Frees a handle. NULL is permitted.
///
/// # Safety
/// `handle` is a result of [`make`], and the caller never uses it again.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // A panic of `drop` is ignored, because the caller has no remedy for it.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(handle) })));
    }
}

/// The caller's handle, or the memory that a call writes.
///
/// # Safety
/// NULL, or valid and used only by this call.
pub(crate) unsafe fn at<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    unsafe { pointer.as_mut() }.ok_or_else(|| Fault(WEFT_NULL, format!("{name} is NULL")))
}

/// A word of the caller, valid during the call.
///
/// # Safety
/// NULL, or valid and unchanged during the call.
pub(crate) unsafe fn of<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Fault> {
    unsafe { pointer.as_ref() }.ok_or_else(|| Fault(WEFT_NULL, format!("{name} is NULL")))
}

/// Runs a call on a handle.
///
/// # Safety
/// As for [`at`].
pub(crate) unsafe fn on<T>(
    handle: *mut T,
    name: &str,
    then: impl FnOnce(&mut T) -> Result<i32, Fault>,
) -> i32 {
    call(|| then(unsafe { at(handle, name) }?))
}

/// Runs a call that writes an answer. The arguments are the handle, the caller's words and the memory for the
/// answer, each with its name.
///
/// # Safety
/// As for [`at`] and [`of`].
#[inline]
pub(crate) unsafe fn answer<T, G, A>(
    handle: (*mut T, &str),
    given: (*const G, &str),
    place: (*mut A, &str),
    then: impl FnOnce(&mut T, &G) -> Result<A, Fault>,
) -> i32 {
    call(|| {
        let (handle, given) = unsafe { (at(handle.0, handle.1)?, of(given.0, given.1)?) };
        let place = unsafe { at(place.0, place.1) }?;
        *place = then(handle, given)?;
        Ok(WEFT_OK)
    })
}

/// Runs a call that writes the next one of several items, if there is one.
///
/// # Safety
/// As [`at`].
pub(crate) unsafe fn next<T, A>(
    handle: (*mut T, &str),
    place: (*mut A, &str),
    then: impl FnOnce(&mut T) -> Result<Option<A>, Fault>,
) -> i32 {
    call(|| {
        let (handle, place) = unsafe { (at(handle.0, handle.1)?, at(place.0, place.1)?) };
        Ok(then(handle)?.map_or(WEFT_OK, |one| {
            *place = one;
            WEFT_ONE
        }))
    })
}

/// Bytes of the caller, valid during the call. NULL is permitted for no bytes.
///
/// # Safety
/// NULL, or `count` bytes that are valid and unchanged during the call.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, count: usize, name: &str) -> Result<&'a [u8], Fault> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Fault(WEFT_NULL, format!("{name} is NULL"))),
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// Checks that a number is below `count`.
#[inline]
pub(crate) fn below(what: &str, value: u32, count: u32) -> Result<(), Fault> {
    if value < count { Ok(()) } else { Err(range(what, value, &format!("0 to {}", count - 1))) }
}

/// Reads a bit of C: 0 or 1.
#[inline]
pub(crate) fn bit(what: &str, value: u8) -> Result<bool, Fault> {
    below(what, value.into(), 2)?;
    Ok(value == 1)
}

/// Reads a value of an enumeration.
pub(crate) fn one_of<T: Copy>(what: &str, value: u8, all: &[T]) -> Result<T, Fault> {
    below(what, value.into(), all.len() as u32)?;
    Ok(all[usize::from(value)])
}

/// Writes a value to the caller's memory.
///
/// # Safety
/// NULL, or valid and used only by this call.
pub(crate) unsafe fn put<T>(place: *mut T, value: T, name: &str) -> Result<i32, Fault> {
    if place.is_null() {
        return Err(Fault(WEFT_NULL, format!("{name} is NULL")));
    }
    unsafe { place.write(value) };
    Ok(WEFT_OK)
}
