// Goal: programs for the Python library `diagrams` are drawn without being run; anything beyond the
// subset is an error with its line. Method: programs, and their pictures.
import { afterAll, expect, test } from 'vitest'
import { createRenderer } from '../../src/rendering/renderer.ts'
import { PATIENCE_MS } from '../patience.ts'

const renderer = createRenderer({ timeoutMs: PATIENCE_MS })
afterAll(() => renderer.close())

const HEAD = `from diagrams import Cluster, Diagram, Edge
from diagrams.aws.compute import EC2, ECS as Container
from diagrams.aws.database import (
    RDS,
)
`

async function drawn(body: string, title = 'Web Shop'): Promise<string> {
  const source = `${HEAD}with Diagram("${title}", show=False):\n${body.replaceAll(/^/gm, '    ')}`
  const result = await renderer.render({ engine: 'diagrams_py', source })
  if (!result.ok) throw new Error(result.error)
  return Buffer.from(result.outputs[0].bytes).toString()
}

async function fault(source: string): Promise<string> {
  const result = await renderer.render({ engine: 'diagrams_py', source })
  return result.ok ? 'drawn' : result.error
}

/** Edges of a picture, such as `n0->n1`, sorted. */
function edges(svg: string): string[] {
  return [...svg.matchAll(/<title>(n\d+&(?:#45;|gt;|#45;&gt;).*?|n\d+-(?:>|&gt;)n\d+)<\/title>/g)]
    .map(([, title]) => title.replaceAll('&gt;', '>').replaceAll('&#45;', '-'))
    .toSorted()
}

test('nodes, lists and edges mean the same as in the library', async () => {
  expect(edges(await drawn('EC2("a") >> EC2("b") >> EC2("c")'))).toEqual(['n0->n1', 'n1->n2'])
  expect(edges(await drawn('EC2("a") >> [EC2("b"), EC2("c")] >> RDS("d")'))).toEqual([
    'n0->n1',
    'n0->n2',
    'n1->n3',
    'n2->n3',
  ])
  expect(edges(await drawn('a = EC2("a")\nb = [EC2("b"), EC2("c")]\nb >> a\na - b'))).toHaveLength(
    4,
  )
  expect(edges(await drawn('a, b = EC2("a"), RDS("b")\n(a\n >> Edge(label="q") >> b)'))).toEqual([
    'n0->n1',
  ])
  // `-` binds before `>>`: the result of `b - c` is `c`.
  expect(edges(await drawn('EC2("a") >> EC2("b") - EC2("c")'))).toEqual(['n0->n2', 'n1->n2'])
})

test('labels, clusters and aliases are in the picture; text is only text', async () => {
  const svg = await drawn(
    [
      'label = "x" "y"',
      'with Cluster(r"raw \\n"):',
      '    Container("<b>&\\u00e9 {x|y} \\\\N") >> Edge(label="q\\"q", color="red") >> RDS(label)',
    ].join('\n'),
  )
  expect(svg).toContain('raw \\n')
  expect(svg).toContain('&lt;b&gt;&amp;é {x|y} \\N')
  expect(svg).toContain('q&quot;q'.replace('&quot;', '"'))
  expect(svg).toContain('(ECS)')
  expect(svg).toContain('>xy<')
})

test('both formats are named by the title', async () => {
  const options = 'show=False, outformat=["svg", "png"]'
  const source = `${HEAD}with Diagram("../Web & Shop/ 2", ${options}):\n    EC2("a")`
  const files = await renderer.run('diagram', { engine: 'diagrams_py', source })
  expect(files.map(({ filename }) => filename)).toEqual(['web_shop_2.svg', 'web_shop_2.png'])
})

const REFUSED: readonly (readonly [line: number, body: string])[] = [
  [1, 'import os'],
  [1, 'from os import system'],
  [1, 'from diagrams import os'],
  [1, 'from diagrams import *'],
  [1, '__import__("os").system("id")'],
  [1, 'open("/etc/passwd")'],
  [2, 'x = 1\neval("1")'],
  [2, 'with Diagram("x", show=False):\n    for i in range(3): pass'],
  [2, 'with Diagram("x", show=False):\n    [EC2(str(i)) for i in "ab"]'],
  [2, 'with Diagram("x", show=False):\n    EC2(f"{1}")'],
  [2, 'with Diagram("x", show=False):\n    EC2("a").connect(EC2("b"))'],
  [2, 'with Diagram("x", show=False):\n    lambda: 1'],
  [2, 'with Diagram("x", show=False):\n    [EC2("a")] >> [EC2("b")]'],
  [2, 'with Diagram("x", show=False):\n    S3("unknown")'],
  [1, 'def f(): pass'],
  [1, 'EC2("outside")'],
  [1, 'with open("x") as f:\n    pass'],
  [1, 'with Diagram("x":\n    pass'],
  [1, 'with Diagram("x"):\n    pass'],
  [2, 'with Diagram("x", show=False):\n    ["a"] >> EC2("b")'],
]

test.each(REFUSED)('refused at line %i: %s', async (line, body) => {
  expect(await fault(HEAD + body)).toMatch(new RegExp(`^line ${line + 5}: `))
})

test('programs that are too large are refused', async () => {
  const nested = '('.repeat(50_000) + ')'.repeat(50_000)
  expect(await fault(HEAD + nested)).toMatch(/bad syntax|nested too deeply|not supported/)
  const many = `with Diagram("x", show=False):\n    n = [${'EC2("a"),'.repeat(3000)}]`
  expect(await fault(HEAD + many)).toMatch(/more than 2000 nodes/)
  expect(await fault('x = 1')).toMatch(/no `with Diagram/)
})
