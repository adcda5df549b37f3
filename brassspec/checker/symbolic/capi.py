"""Z3's C interface, with contexts, formulas and declarations as plain numbers.

To build formulas is most of a proof's work, and a call takes half as long so as by the wrapper of Z3's package, which makes
objects of the numbers and asks after each call whether it failed. Here a call that failed gives None; `Terms.wrap` says why.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import z3

_POINTER, _UNSIGNED, _BOOL = ctypes.c_void_p, ctypes.c_uint, ctypes.c_bool


def _function(name: str, result: Any, *parameters: Any, long: bool = False) -> Callable[..., Any]:
    """The function of the library that Z3's package loaded. parameters: those after the context; long: other threads go on."""
    loaded = getattr(z3, f"Z3_{name}").__defaults__[0].f
    prototype = (ctypes.CFUNCTYPE if long else ctypes.PYFUNCTYPE)(result, _POINTER, *parameters)
    return prototype(ctypes.cast(loaded, _POINTER).value or 0)


def _maker(name: str, count: int) -> Callable[..., Any]:
    """What makes a formula of so many others."""
    return _function(name, _POINTER, *[_POINTER] * count)


mk_true, mk_false = _maker("mk_true", 0), _maker("mk_false", 0)
mk_not = _maker("mk_not", 1)
mk_eq = _maker("mk_eq", 2)
mk_ite = _maker("mk_ite", 3)
mk_and, mk_or, mk_add, mk_sub, mk_mul = (
    _function(name, _POINTER, _UNSIGNED, _POINTER) for name in ("mk_and", "mk_or", "mk_add", "mk_sub", "mk_mul")
)
mk_div, mk_le = _maker("mk_div", 2), _maker("mk_le", 2)
mk_bvadd, mk_bvsub, mk_bvmul, mk_bvudiv, mk_bvule, mk_bvsle, mk_concat = (
    _maker(name, 2) for name in ("mk_bvadd", "mk_bvsub", "mk_bvmul", "mk_bvudiv", "mk_bvule", "mk_bvsle", "mk_concat")
)
mk_extract = _function("mk_extract", _POINTER, _UNSIGNED, _UNSIGNED, _POINTER)
mk_zero_ext, mk_sign_ext = (_function(name, _POINTER, _UNSIGNED, _POINTER) for name in ("mk_zero_ext", "mk_sign_ext"))
mk_int64 = _function("mk_int64", _POINTER, ctypes.c_int64, _POINTER)
mk_unsigned_int64 = _function("mk_unsigned_int64", _POINTER, ctypes.c_uint64, _POINTER)
mk_string_symbol = _function("mk_string_symbol", _POINTER, ctypes.c_char_p)
mk_const = _maker("mk_const", 2)
inc_ref, dec_ref = (_function(name, None, _POINTER) for name in ("inc_ref", "dec_ref"))
get_app_decl = _function("get_app_decl", _POINTER, _POINTER)
get_app_num_args = _function("get_app_num_args", _UNSIGNED, _POINTER)
get_app_arg = _function("get_app_arg", _POINTER, _POINTER, _UNSIGNED)
get_ast_hash = _function("get_ast_hash", _UNSIGNED, _POINTER)
get_numeral_string = _function("get_numeral_string", ctypes.c_char_p, _POINTER)
get_error_code = _function("get_error_code", _UNSIGNED)
get_error_msg = _function("get_error_msg", ctypes.c_char_p, _UNSIGNED)
solver_assert = _function("solver_assert", None, _POINTER, _POINTER)
solver_check_assumptions = _function("solver_check_assumptions", ctypes.c_int, _POINTER, _UNSIGNED, _POINTER, long=True)
model_get_const_interp = _function("model_get_const_interp", _POINTER, _POINTER, _POINTER)
model_eval = _function("model_eval", _BOOL, _POINTER, _POINTER, _BOOL, _POINTER)


def failed(context: int) -> None:
    """Raises Z3Exception with what was wrong about the last call."""
    raise z3.Z3Exception(get_error_msg(context, get_error_code(context)).decode())


def array(asts: list[int]) -> bytes:
    """As the C interface takes several formulas."""
    return struct.pack(f"{len(asts)}P", *asts)
