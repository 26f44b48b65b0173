// Goal: programs for the Python library `diagrams` mean what they mean to it, without being run;
// what is beyond the subset, and what is too much, is an error with its line. Method: programs, and
// the Graphviz sources they become.
import { expect, test } from 'vitest'
import { diagramsPy } from '@orrery/diagrams-py'

const HEAD = `from diagrams import Cluster, Diagram, Edge, Node
from diagrams.aws.compute import EC2, ECS as Container
from diagrams.aws.database import (
    RDS,
)
`

function dotOf(body: string, options = ''): string {
  const inside = body.replaceAll(/^/gm, '    ')
  const [{ dot }] = diagramsPy(`${HEAD}with Diagram("Web Shop"${options}):\n${inside}`)
  return dot
}

/** Edges such as `n0->n1 forward`, in order. */
function edges(body: string): string[] {
  return [...dotOf(body).matchAll(/^(n\d+) -> (n\d+) \[.*dir="(\w+)"/gm)].map(
    ([, from, to, direction]) => `${from}->${to} ${direction}`,
  )
}

function labels(dot: string): string[] {
  return [...dot.matchAll(/^n\d+ \[.*label="((?:[^"\\]|\\.)*)"/gm)].map(([, label]) => label)
}

function fault(source: string): string {
  try {
    diagramsPy(source)
    return 'drawn'
  } catch (error) {
    return String(error)
  }
}

test('nodes, lists and edges are joined as the library joins them', () => {
  expect(edges('EC2("a") >> EC2("b") << EC2("c")')).toEqual(['n0->n1 forward', 'n1->n2 back'])
  expect(edges('EC2("a") >> [EC2("b"), EC2("c")] >> RDS("d")')).toEqual([
    'n0->n1 forward',
    'n0->n2 forward',
    'n1->n3 forward',
    'n2->n3 forward',
  ])
  // `-` binds before `>>`: the result of `b - c` is `c`.
  expect(edges('EC2("a") >> EC2("b") - EC2("c")')).toEqual(['n1->n2 none', 'n0->n2 forward'])
  expect(edges('a, b = EC2("a"), RDS("b")\n(a\n >> Edge(label="q") << b)')).toEqual(['n0->n1 both'])
  const listed =
    'x = EC2("x")\ng = [EC2("a"), EC2("b")]\nx >> Edge() << g >> Edge(color="red") >> x'
  expect(edges(listed)).toEqual(['n0->n1 both', 'n0->n2 both', 'n1->n0 forward', 'n2->n0 forward'])
  expect(edges('EC2("a") >> Edge(label="e") >> [EC2("b")] - RDS("c")')).toHaveLength(2)
})

test('the constructs of an architect draw the same nodes', () => {
  const body = `
base: dict = {"fontsize": "20"}; both = {**base, "color": "red"}
def pair(): return 1, 2
first, second = pair()
def tier(name, n=2, *rest, size: int = 1, **more) -> list:
    return [EC2(f"{name}-{i + 1:02d}") for i in range(n) if i >= 0]
names = []
for i, name in enumerate(["web", "app"], start=1):
    if name == "web" and i < 2:
        names.append(tier(name))
    elif not names:
        pass
    else:
        names.extend([tier(name, n=1)])
names[0] >> names[-1][0]
last = names[0][0] if len(names) > 1 else None
last - RDS("%s of %d" % ("db", 2)); RDS("a" + "b" * 2, **both)
x = y = "{} {}".format("a", ", ".join(str(n) for n in [first, second]))
Node(x[:3].upper()); Node(f"{'q'!r}\\n{{}} {1.5:.2f}")`
  const dot = dotOf(body.trim())
  expect(labels(dot)).toEqual([
    'web-01',
    'web-02',
    'app-01',
    'db of 2',
    'abb',
    'A 1',
    "'q'\\n{} 1.50",
  ])
  expect(dot).toContain('color="red"')
  expect(edges(body.trim())).toEqual(['n0->n2 forward', 'n1->n2 forward', 'n0->n3 none'])
})

test('modules, aliases, several blocks of one `with`, and a main function', () => {
  const drawn = diagramsPy(`
"""Two pictures."""
from __future__ import annotations
import diagrams.aws.compute as compute
from diagrams import Cluster as Group, Diagram
from diagrams.onprem import client
import diagrams

def main():
    with Diagram("One", direction="TB", theme="blues") as d, Group("g"):
        compute.EC2("a"); client.Users("b")
    with (Diagram("", filename="Second Picture"), Group("h"),):
        diagrams.aws.database.RDS("c")

if __name__ == "__main__":
    main()
`)
  expect(drawn.map(({ name }) => name)).toEqual(['one', 'second_picture'])
  expect(drawn[0].dot).toMatch(/rankdir="TB"[^]*subgraph cluster_0 \{[^]*bgcolor="#e7f5ff"/)
  expect(drawn[1].dot).toMatch(/subgraph cluster_0 \{[^]*image="icon:aws-amazon-rds"/)
})

test('edges in a cluster stay outside of it', () => {
  const dot = dotOf('a = EC2("a")\nwith Cluster("c"):\n    b = EC2("b")\n    a >> b')
  expect(dot).toMatch(/\nn1 \[.*\n\}\nn0 -> n1/)
})

test('icons of providers, of kinds of things, of uploads', () => {
  const dot = diagramsPy(`from diagrams import Diagram, Node
from diagrams.custom import Custom
from diagrams.oci.database import Autonomous
from diagrams.k8s.compute import Pod
with Diagram("icons", autolabel=True):
    Autonomous("x"); Pod(); Custom("bank", "./img/bank.png"); Node("n", image="own.svg")`)[0].dot
  expect([...dot.matchAll(/image="([^"]+)"/g)].map(([, image]) => image)).toEqual([
    'icon:oci:database',
    'icon:k8s-pod',
    './img/bank.png',
    'own.svg',
  ])
  expect(labels(dot)[0]).toBe('Autonomous\\nx')
})

test('C4 elements have their names, kinds and wrapped descriptions, as text only', () => {
  const [{ dot }] = diagramsPy(`from diagrams import Diagram
from diagrams.c4 import Container, Database, Person, Relationship, System, SystemBoundary
with Diagram("c4"):
    user = Person(name="A <b>", description="${'word '.repeat(40)}")
    with SystemBoundary("Bank"):
        db = Database("Ledger", technology="SQL", description="d", fillcolor="red")
    user >> Relationship("reads & writes") >> db >> System("Mail", external=True)`)
  expect(dot).toContain('<b>A &lt;b&gt;</b>')
  expect(dot).toMatch(/fillcolor="red"[^\n]*\[Database: SQL\]/)
  expect(dot).toContain('[External System]')
  expect(dot).toContain('reads &amp; writes')
  expect(dot).toMatch(/word …/)
})

test('text is only text', () => {
  const dot = dotOf('Node(r"raw \\n" "\\u00e9 {x|y} <b>")\nNode("quote\\" \\\\N")')
  expect(labels(dot)).toEqual(['raw \\\\né {x|y} <b>', 'quote\\" \\\\N'])
  expect(dotOf('Node("x", URL="javascript:alert(1)", href="file:///x")')).not.toMatch(/URL|href/)
})

const REFUSED: readonly (readonly [line: number, body: string, reason?: RegExp])[] = [
  [1, 'import os'],
  [1, 'from os import system'],
  [1, 'from diagrams import os', /diagrams has no os/],
  [1, 'from diagrams.aws.compute import ECX', /nearest is diagrams\.aws\.compute\.EC/],
  [1, 'from diagrams.aws.compute import RDS', /nearest is diagrams\.aws\.database\.RDS/],
  [1, 'from diagrams.aws.computer import EC2', /no module diagrams\.aws\.computer/],
  [
    2,
    'import diagrams.aws.compute as c\nc.Lamda("x")',
    /nearest is diagrams\.aws\.compute\.Lambda/,
  ],
  [1, '__import__("os").system("id")'],
  [1, 'open("/etc/passwd")', /open has no value/],
  [1, '"".__class__.__mro__'],
  [2, 'x = 1\neval("1")'],
  [1, 'lambda: 1'],
  [1, 'class A: pass'],
  [1, 'while True: pass'],
  [1, '(x for x in 5)', /5 is not a list/],
  [2, 'def f(n):\n    return f(n)\nf(1)', /f calls itself/],
  [2, 'with Diagram("x"):\n    [EC2("a")] >> [EC2("b")]'],
  [2, 'with Diagram("x"):\n    ["a"] >> EC2("b")', /only nodes and edges/],
  [2, 'with Diagram("x"):\n    Unknown("x")', /Unknown has no value/],
  [1, 'EC2("outside")', /belongs into a Diagram/],
  [1, 'with Cluster("outside"):\n    pass', /belongs into a Diagram/],
  [2, 'with Diagram("x"):\n    with Diagram("y"): pass', /does not belong/],
  [1, 'with open("x") as f:\n    pass'],
  [1, 'with Diagram("x":\n    pass', /bad syntax/],
  [1, 'with Diagram("x", direction="UP"):\n    pass', /direction UP/],
  [1, 'with Diagram("x", theme="neon"):\n    pass', /theme neon/],
  [1, 'a, b = 1, 2, 3', /3 values for 2 names/],
  [1, 'f"{1:99999}"', /the format 99999/],
]

test.each(REFUSED)('refused at line %i: %s', (...[line, body, reason = /./]) => {
  const message = fault(HEAD + String(body))
  expect(message).toMatch(new RegExp(`line ${Number(line) + 5}: `))
  expect(message).toMatch(reason as RegExp)
})

const NESTED = 'bcdefgh'
  .split('')
  .reduce(
    (program, name, i) => `${program}\n${name} = [${`${'abcdefg'[i]},`.repeat(10)}]`,
    'a = [Node("x")]',
  )

const BOMBS: readonly (readonly [name: string, body: string])[] = [
  ['lists in lists as text', `${NESTED}\nf"{h}"`],
  ['a text that doubles', 'x = "a"\nfor i in range(100): x = x + x'],
  ['a list that doubles', 'x = [1]\nfor i in range(100): x += x'],
  ['a repeated text', '"a" * 10**9'],
  ['a repeated list', '[1] * 10**12'],
  ['a long range', 'range(10**12)'],
  ['loops in loops', '[1 for a in range(999) for b in range(999) for c in range(999)]'],
  ['a list that grows while it is read', 'x = [1]\nfor i in range(30): x.extend(x)'],
  ['calls that multiply', 'def f(x): return [x] * 1000\nf(f(f(f(1))))\nstr(f(f(f(f(1)))))'],
  ['a list inside of itself', 'x = []\nx.append(x)\nstr(x)'],
]

test.each(BOMBS)('a bomb of %s ends soon', (_, body) => {
  const before = process.memoryUsage().rss
  expect(fault(`${HEAD}with Diagram("x"):\n${body.replaceAll(/^/gm, '    ')}`)).toMatch(
    /too many steps|nested too deeply/,
  )
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
})

test('programs that are too large are refused', () => {
  expect(fault(HEAD + '('.repeat(50_000) + ')'.repeat(50_000))).toMatch(/bad syntax|too deeply/)
  const many = `with Diagram("x"):\n    n = [${'EC2("a"),'.repeat(3000)}]`
  expect(fault(HEAD + many)).toMatch(/line 7: more than 2000 nodes/)
  const dense =
    'with Diagram("x"):\n    n = [EC2("a") for i in range(200)]\n    [a >> n for a in n]'
  expect(fault(HEAD + dense)).toMatch(/line 8: more than 10000 edges/)
  expect(fault('x = 1')).toMatch(/no `with Diagram/)
  expect(diagramsPy('from diagrams.aws.compute import EC2')).toEqual([])
})
