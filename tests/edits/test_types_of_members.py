"""Members of values whose type the file states: returned, stored, passed and annotated values."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

USERS = """\
export interface User {
  id: number;
  email: string;
}

interface Team {
  lead: User;
  users: User[];
}

export class Store {
  private users: Map<number, User> = new Map();

  add(user: User): void {
    this.users.set(user.id, user);
  }

  find(id: number): User | undefined {
    return this.users.get(id);
  }

  all(): User[] {
    return [...this.users.values()].filter((user) => user.email !== "");
  }
}

class Desk {
  constructor(private readonly store: Store) {}

  mail(id: number): string {
    return this.store.find(id)!.email;
  }
}

async function load(id: number): Promise<User> {
  const email = `${id}@x`;
  return { id, email };
}

function first({ lead, users }: Team): string {
  const [one] = users;
  for (const user of users) {
    console.log(user.email);
  }
  return lead.email + one.email + users[0].email;
}

export async function main(store: Store, strangers: Other[]) {
  const user = store.find(1);
  const { email } = await load(2);
  store.add({ id: 1, email: "a@x" });
  const team: Team = { lead: { id: 3, email: "b@x" }, users: [{ id: 4, email: "c@x" }] };
  team.users.push({ id: 5, email });
  const other = { email: "d@x" };
  return [user?.email, email, other.email, strangers.map((one) => one.email)];
}

const copy = (user: User): User => ({ ...user, email: "e@x" });
const mails = new Store().all().map(({ email }) => email);
"""
SHOP = """\
package shop

type Item struct {
	Name  string
	Price int
}

type Store struct {
	items map[string]Item
	list  []Item
}

func NewStore() *Store {
	return &Store{items: map[string]Item{"a": {Name: "a", Price: 1}}, list: []Item{{Name: "b", Price: 2}}}
}

func (s *Store) Get(name string) (Item, error) {
	if item, ok := s.items[name]; ok {
		return item, nil
	}
	return Item{}, nil
}

func total(other []Other) int {
	store, sum := NewStore(), 0
	item, err := store.Get("a")
	if err != nil {
		return other[0].Price
	}
	for _, one := range store.list {
		sum += one.Price
	}
	return sum + item.Price + store.list[0].Price
}
"""
CART = """\
import java.util.ArrayList;
import java.util.List;

class Cart {
    private final List<Item> items = new ArrayList<>();
    private String owner;

    Cart(String owner) {
        this.owner = owner;
    }

    String getOwner() {
        return owner;
    }

    String owner() {
        return owner.trim();
    }

    Item first() {
        return items.get(0);
    }

    int total() {
        int sum = items.get(0).price() + first().price();
        for (var item : items) {
            sum += item.price();
        }
        return sum + items.stream().filter(one -> one.price() > 1).mapToInt(one -> one.price()).sum();
    }

    static class Item {
        int price;

        int price() {
            return price;
        }
    }

    record Row(String name, int size) {
        String shown() {
            return name + size;
        }
    }

    static void main() {
        Cart cart = new Cart("me");
        System.out.println(cart.getOwner() + cart.owner() + cart.owner);
    }
}
"""
TYPES = (
    case(
        "an interface's property",
        USERS,
        ("email: string", "mail: string"),
        then=(
            ("user.email !==", "user.mail !=="),
            ("find(id)!.email", "find(id)!.mail"),
            ("{ id, email };", "{ id, mail: email };"),
            ("console.log(user.email", "console.log(user.mail"),
            ("users[0].email", "users[0].mail"),
            ("lead.email + one.email", "lead.mail + one.mail"),
            ("const { email } =", "const { mail: email } ="),
            ('email: "a@x"', 'mail: "a@x"'),
            ('email: "b@x"', 'mail: "b@x"'),
            ('email: "c@x"', 'mail: "c@x"'),
            ("{ id: 5, email }", "{ id: 5, mail: email }"),
            ("user?.email", "user?.mail"),
            ('email: "e@x"', 'mail: "e@x"'),
            ("({ email }) =>", "({ mail: email }) =>"),
        ),
        language="typescript",
    ),
    case(
        "a method that is reached over others",
        USERS,
        ("  find(id", "  lookup(id"),
        then=(("this.store.find", "this.store.lookup"), ("= store.find", "= store.lookup")),
        language="typescript",
    ),
    case(
        "a field of a struct",
        SHOP,
        ("Price int", "Cents int"),
        then=(
            ("Price: 1", "Cents: 1"),
            ("Price: 2", "Cents: 2"),
            ("one.Price", "one.Cents"),
            ("item.Price + store.list[0].Price", "item.Cents + store.list[0].Cents"),
        ),
        language="go",
    ),
    case(
        "a method of what a function gives back",
        SHOP,
        (") Get(", ") Find("),
        then=(("store.Get", "store.Find"),),
        language="go",
    ),
    case(
        "a field beside a method of its name, where an inner record has a part of the new name",
        CART,
        ("private String owner", "private String name"),
        then=(
            ("this.owner =", "this.name ="),
            ("return owner;", "return name;"),
            ("return owner.trim", "return name.trim"),
            ("cart.owner)", "cart.name)"),
        ),
        language="java",
    ),
    case(
        "a method that is called as a field is",
        CART.replace("    String owner() {\n        return owner.trim();\n    }\n\n", "").replace(
            " + cart.owner()", ""
        ),
        ("String getOwner", "String owner"),
        then=(("cart.getOwner", "cart.owner"),),
        language="java",
    ),
    case(
        "a method of things that a list holds",
        CART,
        ("        int price() {", "        int cents() {"),
        then=(
            ("get(0).price() + first().price()", "get(0).cents() + first().cents()"),
            ("item.price()", "item.cents()"),
            ("one -> one.price() > 1", "one -> one.cents() > 1"),
            ("one -> one.price())", "one -> one.cents())"),
        ),
        language="java",
    ),
)


@pytest.mark.parametrize("one", TYPES, ids=lambda one: f"{one.language}: {one.name}")
def test_members_follow(one: Case) -> None:
    check(one)
