"""Names in paths of routes, in options and in lists of parameters: each belongs to one function."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "a part of a path, and another path",
        """\
from fastapi import FastAPI

app = FastAPI()


@app.get("/users/{<<user_id|uid>>}")
def get_user([[user_id|uid]]: int):
    return {"user_id": [[user_id|uid]]}


@app.get("/orders/{user_id}")
def get_orders(user_id: int):
    return user_id
""",
    ),
    drawn(
        "a converted part of a path, and another path",
        """\
from flask import Flask

app = Flask(__name__)


@app.route("/items/<int:<<id|item_id>>>")
def show([[id|item_id]]):
    return str([[id|item_id]])


@app.route("/carts/<int:id>")
def cart(id):
    return str(id)
""",
    ),
    drawn(
        "an option, and that of another command",
        """\
import click


@click.command()
@click.option("--<<cnt|count>>", default=1)
@click.option("--name")
def hello([[cnt|count]], name):
    for _ in range([[cnt|count]]):
        click.echo(name)


@click.command()
@click.option("--cnt", default=2)
def other(cnt):
    click.echo(cnt)
""",
    ),
    drawn(
        "parameters of a test, and those of another",
        """\
import pytest


@pytest.mark.parametrize("<<a|left>>, b", [(1, 2), (3, 4)])
def test_add([[a|left]], b):
    assert [[a|left]] + b


@pytest.mark.parametrize("a, b", [(1, 2)])
def test_sub(a, b):
    assert a - b
""",
    ),
    drawn(
        "a part of a path in express",
        """\
const express = require("express");
const app = express();

app.get("/users/:<<id|userId>>", (req, res) => {
  res.send(find(req.params.[[id|userId]]));
});

app.get("/orders/:id", (req, res) => {
  res.send(order(req.params.id));
});

app.delete("/orders/:id", (req, res) => {
  res.send(drop(req.params.id, req.query.id));
});
""",
        "javascript",
    ),
    drawn(
        "a path's part in a handler that has a name",
        """\
function show(req, res) {
  const { [[id|userId: id]] } = req.params;
  res.json(find(id, req.query.id));
}

function cart(req, res) {
  res.json(req.params.id);
}

router.get("/users/:<<id|userId>>", show);
router.get("/carts/:id", cart);
""",
        "javascript",
    ),
    drawn(
        "a path's part in a decorator",
        """\
@Controller("users")
class Users {
  @Get(":<<id|userId>>")
  findOne(@Param("[[id|userId]]") id: string) {
    return this.users.find(id);
  }

  @Delete(":id")
  drop(@Param("id") id: string) {
    return this.users.drop(id);
  }
}
""",
        "typescript",
    ),
    drawn(
        "a path's part in a handler of go",
        """\
package main

func getUser(c *gin.Context) {
	id := c.Param("[[id|uid]]")
	c.JSON(200, c.Query("id")+id)
}

func getCart(c *gin.Context) {
	c.JSON(200, c.Param("id"))
}

func routes(r *gin.Engine) {
	r.GET("/users/:<<id|uid>>", getUser)
	r.GET("/carts/:id", getCart)
}
""",
        "go",
    ),
    drawn(
        "a path's part in go's own server",
        """\
package main

func routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /users/{<<id|uid>>}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.PathValue("[[id|uid]]"))
	})
	mux.HandleFunc("GET /carts/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.PathValue("id"))
	})
}
""",
        "go",
    ),
    drawn(
        "a path's variable in java",
        """\
class Users {
    @GetMapping("/users/{<<id|userId>>}")
    User get(@PathVariable("[[id|userId]]") String id) {
        return find(id);
    }

    @GetMapping("/carts/{id}")
    Cart cart(@PathVariable("id") String id) {
        return cart(id);
    }
}
""",
        "java",
    ),
    drawn(
        "calls in a row",
        """\
class Cart {
  <<add|push>>(item) {
    this.items.push(item);
    return this;
  }

  fill(items) {
    items.forEach((item) => this.[[add|push]](item));
  }
}

const cart = new Cart();
cart.[[add|push]](1).[[add|push]](2);
other.add(3);
new Set().add(4);
""",
        "javascript",
    ),
    drawn(
        "props of elements of a list, by a type without a name",
        """\
type CardProps = { <<ttl|title>>: string; body: string };

export const Card = (props: CardProps) => <h1 title={props.[[ttl|title]]}>{props.body}</h1>;

export const List = ({ rows }: { rows: CardProps[] }) => (
  <ul>
    {rows.map((row) => (
      <Card [[ttl|title]]={row.[[ttl|title]]} body={row.body} />
    ))}
  </ul>
);
""",
        "typescriptreact",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
