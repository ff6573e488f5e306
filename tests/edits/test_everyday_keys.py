"""Keys that are called otherwise: of objects that a name is given, and of rows that are alike."""

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


@pytest.mark.parametrize("one", KEYS, ids=lambda one: f"{one.language}: {one.name}")
def test_keys_follow(one: Case) -> None:
    check(one)
