"""Packages that are known by the names that they define: those of Go's and Java's standard libraries, and
React's hooks.

Left out are packages of one name (`math/rand` and `crypto/rand`) and names that a project often has itself.
"""

from __future__ import annotations

GO_MEMBERS = {
    "bufio": "NewReader NewScanner NewWriter Reader Scanner Writer",
    "bytes": "Buffer Contains Equal NewBuffer NewBufferString NewReader TrimSpace",
    "context": "Background CancelFunc Canceled Context DeadlineExceeded TODO WithCancel WithTimeout",
    "encoding/base64": "RawStdEncoding RawURLEncoding StdEncoding URLEncoding",
    "encoding/csv": "NewReader NewWriter",
    "encoding/hex": "DecodeString EncodeToString",
    "encoding/json": "Decoder Encoder Marshal MarshalIndent NewDecoder NewEncoder RawMessage Unmarshal",
    "errors": "As Is Join New Unwrap",
    "fmt": "Errorf Fprint Fprintf Fprintln Print Printf Println Sprint Sprintf Sprintln Sscanf Stringer",
    "io": "Closer Copy Discard EOF MultiWriter NopCloser Pipe ReadAll ReadCloser Reader WriteString Writer",
    "log/slog": "Debug Error Info Logger Warn",
    "maps": "Clone Copy Keys Values",
    "math": "Abs Ceil Floor Inf IsNaN Log Max MaxInt MaxInt64 Min Mod Pi Pow Round Sqrt",
    "net/http": "Client DefaultClient Error Get Handle HandleFunc Handler HandlerFunc ListenAndServe"
    " MethodGet MethodPost NewRequest NewRequestWithContext NotFound Redirect Request Response Server"
    " ResponseWriter"
    " StatusBadRequest StatusInternalServerError StatusNotFound StatusOK StatusText",
    "net/url": "Parse PathEscape QueryEscape URL Values",
    "os": "Args Create Exit File Getenv Getwd IsNotExist LookupEnv MkdirAll Open ReadDir ReadFile Remove"
    " RemoveAll Stat Stderr Stdin Stdout WriteFile",
    "os/exec": "Command CommandContext LookPath",
    "os/signal": "Notify NotifyContext",
    "path/filepath": "Abs Base Clean Dir Ext Glob Join Rel Walk WalkDir",
    "reflect": "DeepEqual TypeOf ValueOf",
    "regexp": "MatchString MustCompile Regexp",
    "slices": "Contains Index IndexFunc Max Min Reverse Sort SortFunc",
    "sort": "Ints Slice SliceStable Sort Strings",
    "strconv": "Atoi FormatFloat FormatInt Itoa ParseBool ParseFloat ParseInt ParseUint Quote",
    "strings": "Builder Contains ContainsAny Count Cut EqualFold Fields HasPrefix HasSuffix Index Join"
    " LastIndex NewReader NewReplacer Repeat Replace ReplaceAll Split SplitN Title ToLower ToUpper Trim"
    " TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix",
    "sync": "Map Mutex Once Pool RWMutex WaitGroup",
    "sync/atomic": "AddInt32 AddInt64 Bool Int32 Int64 LoadInt32 LoadInt64 StoreInt32 StoreInt64",
    "testing": "B F M T TB",
    "time": "After AfterFunc Date Duration Hour Millisecond Minute NewTicker NewTimer Now ParseDuration"
    " RFC3339 Second Since Sleep Tick Ticker Time Timer UTC Until",
    "unicode": "IsDigit IsLetter IsSpace IsUpper ToLower ToUpper",
    "unicode/utf8": "DecodeRuneInString RuneCountInString RuneError ValidString",
}
# The paths of Go's packages, by the name of the package and that of a member.
GO = {(path.rpartition("/")[2], member): path for path, said in GO_MEMBERS.items() for member in said.split()}
JAVA_MEMBERS = {
    "java.io": "BufferedReader File FileNotFoundException IOException InputStream InputStreamReader"
    " OutputStream PrintWriter UncheckedIOException",
    "java.math": "BigDecimal BigInteger RoundingMode",
    "java.nio.charset": "StandardCharsets",
    "java.nio.file": "Files Paths",
    "java.time": "Duration Instant LocalDate LocalDateTime LocalTime ZoneId ZoneOffset ZonedDateTime",
    "java.util": "ArrayDeque ArrayList Arrays Collection Collections Comparator Deque EnumMap HashMap HashSet"
    " Iterator LinkedHashMap LinkedHashSet LinkedList List Locale Map NoSuchElementException Objects Optional"
    " OptionalInt PriorityQueue Queue Random Scanner Set StringJoiner TreeMap TreeSet UUID",
    "java.util.concurrent": "CompletableFuture ConcurrentHashMap CountDownLatch ExecutorService Executors"
    " TimeUnit",
    "java.util.concurrent.atomic": "AtomicBoolean AtomicInteger AtomicLong AtomicReference",
    "java.util.function": "BiConsumer BiFunction Consumer Function Predicate Supplier UnaryOperator",
    "java.util.regex": "Matcher Pattern",
    "java.util.stream": "Collectors IntStream Stream",
}
JAVA = {name: package for package, said in JAVA_MEMBERS.items() for name in said.split()}
HOOKS = (
    "createContext forwardRef lazy memo startTransition useCallback useContext useDebugValue"
    " useDeferredValue useEffect useId useImperativeHandle useLayoutEffect useMemo useReducer useRef useState"
    " useSyncExternalStore useTransition"
)
REACT = frozenset(HOOKS.split())
