"""Renamed keys: of objects that a name holds, and of rows that are alike."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

STYLES = """\
const styles = {
  wrapper: { padding: 4 },
  title: { color: "red", wrapper: 1 },
};
const other = { wrapper: 3 };

export function Card({ title, children }) {
  const { wrapper } = styles;
  return (
    <div style={styles.wrapper} wrapper={other.wrapper}>
      <h1 style={styles["wrapper"]}>{title}</h1>
      <div style={wrapper} color={styles.title.color}>{children}</div>
    </div>
  );
}
"""
HOOKS = """\
import { makeStyles } from "./styles";

const useStyles = makeStyles({
  wrapper: { padding: 4 },
  button: { color: "red" },
});

export function Editor({ label, others }) {
  const classes = useStyles();
  return (
    <div className={classes.wrapper} title={others.wrapper}>
      <button className={classes.button}>{label}</button>
    </div>
  );
}
"""
SERVICES = """\
{
  "services": [
    { "name": "web", "host_name": "a", "port": 80 },
    { "name": "db", "host_name": "b", "port": 81 },
    { "name": "cache", "host_name": "c", "port": 82 },
    { "name": "queue", "port": 83 }
  ],
  "host_name": "d"
}
"""
TABLES = """\
[[service]]
name = "web"
host_name = "a"

[[service]]
name = "db"
host_name = "b"

[[other]]
host_name = "c"

[servers.a]
address = "x"

[servers.b]
address = "y"
"""
ROWS = """\
rows = [
    {"name": "a", "size": 1},
    {"name": "b", "size": 2},
    {"name": "c", "size": 3},
    {"name": "d", "size": 4},
]
print(rows[0]["name"], {"name": "e"})
"""
KEYS = (
    case(
        "a key of a literal",
        STYLES,
        ("  wrapper: {", "  container: {"),
        then=(
            ("const { wrapper } = styles", "const { container: wrapper } = styles"),
            ("{styles.wrapper}", "{styles.container}"),
            ('styles["wrapper"]', 'styles["container"]'),
        ),
        language="javascriptreact",
    ),
    case(
        "a key within another one",
        STYLES,
        ("{ color:", "{ colour:"),
        then=(("styles.title.color", "styles.title.colour"),),
        language="javascriptreact",
    ),
    case(
        "a key that comes in the place of another one that is there, too",
        STYLES,
        ("  wrapper: {", "  title: {"),
        language="javascriptreact",
    ),
    case(
        "a key of what a hook is made of",
        HOOKS,
        ("  wrapper: {", "  container: {"),
        then=(("{classes.wrapper}", "{classes.container}"),),
        language="javascriptreact",
    ),
)


BESIDE = (
    case(
        "a key of a row",
        SERVICES,
        ('"host_name": "a"', '"host": "a"'),
        then=(('"host_name": "b"', '"host": "b"'), ('"host_name": "c"', '"host": "c"')),
        language="json",
    ),
    case(
        "a key of a row, where those in front were left alone",
        SERVICES,
        ('"host_name": "c"', '"host": "c"'),
        language="json",
    ),
    case(
        "a key that came into two rows",
        SERVICES,
        ('"port": 80', '"port": 80, "tls": true'),
        ('"port": 81', '"port": 81, "tls": true'),
        then=(('"port": 82', '"port": 82, "tls": true'), ('"port": 83', '"port": 83, "tls": true')),
        language="json",
    ),
    case(
        "a key that came into two rows with other values",
        SERVICES,
        ('"port": 80', '"port": 80, "tls": true'),
        ('"port": 81', '"port": 81, "tls": false'),
        language="json",
    ),
    case(
        "a key of tables of one name",
        TABLES,
        ('host_name = "a"', 'host = "a"'),
        then=(('host_name = "b"', 'host = "b"'),),
        language="toml",
    ),
    case(
        "a key of tables within one",
        TABLES,
        ("address =", "ip ="),
        then=(("address =", "ip ="),),
        language="toml",
    ),
    case(
        "a key that came on a line of its own",
        ROWS.replace(", ", ",\n     "),
        ('"size": 1}', '"size": 1,\n     "unit": "m"}'),
        ('"size": 2}', '"size": 2,\n     "unit": "m"}'),
        then=(
            ('"size": 3}', '"size": 3,\n     "unit": "m"}'),
            ('"size": 4}', '"size": 4,\n     "unit": "m"}'),
        ),
    ),
)


@pytest.mark.parametrize("one", [*KEYS, *BESIDE], ids=lambda one: f"{one.language}: {one.name}")
def test_keys_follow(one: Case) -> None:
    check(one)
