"""Runs a program that a model wrote in this process, after the process was made harmless.

Started by `sandbox.py` as `python -I jail.py PROGRAM SECONDS MEGABYTES CHANNEL ENGINE IS_COUNTED`. The
limits are set here, not between fork and exec, where a process with threads must not run Python.
"""

import os
import sys
import sysconfig
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from types import ModuleType

# The places of the C library, its translations' and time zones' tables, and those of Python.
SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/dev/urandom",
)
# Calls that would let a program jump over its own tests, or look for the proof of its end where it is kept.
# Another interpreter in this process would have no hook.
REFUSED = frozenset(
    (
        *("sys.settrace", "sys.setprofile", "sys.monitoring.register_callback"),
        *("gc.get_objects", "gc.get_referrers", "gc.get_referents", "cpython.PyInterpreterState_New"),
    )
)
# Modules of C that read and write all memory, call whatever lies there, or make other interpreters, by the
# last part of the name that they are imported under.
REFUSED_MODULES = frozenset(
    (
        *("_ctypes", "_ctypes_test", "_cffi_backend"),
        *("_testcapi", "_testlimitedcapi", "_testinternalcapi"),
        *("_xxsubinterpreters", "_interpreters"),
    )
)
N_TASKS = 64


def limit_process(seconds: int, megabytes: int, is_counted: bool) -> None:
    """Limits processor time, memory, what may be written, and how many files and threads there may be."""
    import resource
    import signal

    signal.signal(signal.SIGXCPU, out_of_time)
    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_AS: megabytes * 2**20,
        resource.RLIMIT_FSIZE: 2**20,
        resource.RLIMIT_NOFILE: 32,
        resource.RLIMIT_CORE: 0,
    }
    if is_counted:
        # Other systems count all processes of the user together.
        limits[resource.RLIMIT_NPROC] = N_TASKS
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # One second later the kernel kills a program that does not return to Python to see the signal.
        resource.setrlimit(limit, (soft, soft + 1 if limit == resource.RLIMIT_CPU else soft))


def out_of_time(*_: object) -> None:
    print("Timeout", file=sys.stderr, flush=True)
    os._exit(1)


def readable() -> list[str]:
    """The folders that Python needs, and those of the packages that are installed with it."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    own = [sysconfig.get_path(name) for name in names]
    return [*own, os.path.join(sys.base_prefix, "lib"), *SYSTEM]  # noqa: PTH118


def refuse(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook, which cannot be taken away again."""
    if event == "import" and str(arguments[0]).rpartition(".")[2] in REFUSED_MODULES:
        raise PermissionError(f"{arguments[0]} is refused to programs under test")
    # A Python with `_ctypes` built in has it without an import.
    if event in REFUSED or event.startswith("ctypes."):
        raise PermissionError(f"{event} is refused to programs under test")


def extension_at(path: str) -> ModuleType:
    """The engine's extension of those who started this, whichever is installed, without the package that it
    lies in: that would bring modules in with it."""
    loader = ExtensionFileLoader("_native", path)
    extension = loader.create_module(ModuleSpec("_native", loader, origin=path))
    loader.exec_module(extension)
    return extension


def main() -> None:
    program, seconds, megabytes, channel, engine, is_counted = sys.argv[1:]
    with open(program, encoding="utf-8", errors="surrogatepass") as file:  # noqa: PTH123
        text = file.read()
    native = extension_at(engine)
    limit_process(int(seconds), int(megabytes), is_counted == "True")
    sys.argv = [program]
    confine = getattr(native, "confine", None)
    missing = ["Landlock", "seccomp"] if confine is None else confine(readable())
    if missing:
        print("missing", *missing, file=sys.stderr, flush=True)
    sys.addaudithook(refuse)
    try:
        native.run_to_the_end(text, program, int(channel))
    except SystemExit:
        end_with("SystemExit")
    except BaseException as error:
        end_with(type(error).__name__)
    os._exit(0)


def end_with(error: str) -> None:
    with suppress(Exception):
        print(error, file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    main()
