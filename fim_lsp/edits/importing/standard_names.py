"""Standard names, which mean one thing in all Python code, and their modules."""

from __future__ import annotations

from fim_lsp.context.importable import ImportSource

# A name is listed if no other standard module defines one that a user could mean.
BY_MODULE = {
    "abc": "ABC ABCMeta abstractmethod",
    "argparse": "ArgumentParser Namespace",
    "collections": "defaultdict OrderedDict deque namedtuple Counter ChainMap",
    "collections.abc": (
        "Awaitable AsyncIterator AsyncIterable AsyncGenerator Coroutine Callable Collection Container"
        " Generator"
        " Hashable ItemsView Iterable Iterator KeysView Mapping MutableMapping MutableSequence MutableSet"
        " Reversible Sequence Sized ValuesView"
    ),
    "concurrent.futures": "ThreadPoolExecutor ProcessPoolExecutor",
    "contextlib": "contextmanager asynccontextmanager suppress ExitStack AsyncExitStack nullcontext closing"
    " redirect_stdout redirect_stderr",
    "copy": "deepcopy",
    "dataclasses": "dataclass field asdict astuple",
    "datetime": "datetime timedelta timezone",
    "decimal": "Decimal",
    "enum": "Enum IntEnum Flag IntFlag StrEnum",
    "fractions": "Fraction",
    "functools": "partial wraps lru_cache cached_property reduce total_ordering singledispatch partialmethod",
    "importlib": "import_module",
    "io": "StringIO BytesIO TextIOWrapper",
    "itertools": "chain groupby islice product permutations combinations zip_longest accumulate takewhile"
    " dropwhile starmap pairwise",
    "operator": "itemgetter attrgetter methodcaller",
    "pathlib": "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath",
    "tempfile": "TemporaryDirectory NamedTemporaryFile",
    "textwrap": "dedent",
    "threading": "Thread Lock RLock",
    "types": "SimpleNamespace MappingProxyType ModuleType TracebackType",
    "typing": "Any Optional Union TypeVar Generic Protocol TypedDict NamedTuple Literal Final ClassVar"
    " Annotated TYPE_CHECKING NewType NoReturn ParamSpec Self TypeAlias Type Dict List Tuple Set FrozenSet"
    " cast"
    " overload get_args get_type_hints IO TextIO BinaryIO",
    "unittest": "TestCase",
    "unittest.mock": "Mock MagicMock AsyncMock patch",
    "urllib.parse": "urlparse urljoin urlencode urlsplit urlunparse quote unquote",
    "uuid": "uuid4",
    "warnings": "warn",
}
# Conventional aliases of packages.
ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}
NAMES = {
    name: ImportSource(module, name, name) for module, said in BY_MODULE.items() for name in said.split()
}
