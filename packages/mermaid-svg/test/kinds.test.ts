// Goal: kinds whose layout depends on measured boxes are drawn as in a browser. Method: a source of
// each with long and odd labels; their words are in the picture, those of a part lie in its
// outline, and parts lie beside each other.
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Part, contains, overlap, partsOf, picture, words } from './picture.ts'

/** Parts whose label sticks out, and pairs that overlap. */
function faults(parts: readonly Part[]): readonly string[] {
  const out = parts.filter(({ outline, label }) => !contains(outline, label, 1))
  const pairs = parts.flatMap((a, i) =>
    parts.slice(i + 1).flatMap((b) => (overlap(a.outline, b.outline) ? [[a, b]] : [])),
  )
  return [
    ...out.map((part) => `${part.words} sticks out`),
    ...pairs.map(([a, b]) => `${a.words} on ${b.words}`),
  ]
}

const LONG = 'Takes orders & payments, for amounts 1 < 2 and 3 > 2, of everybody who wants to buy'

const C4: Readonly<Record<string, string>> = {
  Context: `title Orders
    Person(buyer, "Buyer<br/>at home", "${LONG}")
    Enterprise_Boundary(shop, "Shop") {
      System(orders, "Orders", "${LONG}")
      SystemDb_Ext(bank, "Zürich Bank", "${LONG}")
      SystemQueue(mail, "Mail", "Sends")
    }
    Rel(buyer, orders, "Orders at", "HTTPS")
    BiRel(orders, bank, "Asks")
    UpdateElementStyle(buyer, $bgColor="grey")`,
  Container: `Container_Boundary(shop, "Shop") {
      Container(web, "Web", "TypeScript", "${LONG}")
      ContainerDb(store, "Store", "PostgreSQL", "Keeps")
    }
    Rel(web, store, "Reads", "SQL")`,
  Component: `Container_Boundary(web, "Web") {
      Component(sign, "Sign in", "OIDC", "${LONG}")
      ComponentDb(cache, "Cache", "Redis", "Keeps")
    }
    Rel(sign, cache, "Asks")`,
  Dynamic: `Container(web, "Web", "TypeScript", "${LONG}")
    Component(sign, "Sign in", "OIDC")
    Rel(web, sign, "Submits", "JSON")`,
  Deployment: `Deployment_Node(region, "Frankfurt", "region") {
      Deployment_Node(zone, "Zone A", "zone") {
        Container(web, "Web", "TypeScript", "${LONG}")
      }
      Node(base, "Base", "managed") {
        ContainerDb(store, "Store", "PostgreSQL")
      }
    }
    Rel(web, store, "Reads")`,
}

/** By day the two with every kind of part. */
const KINDS = byTier({ gate: ['Context', 'Deployment'], night: Object.keys(C4) })

test.each(KINDS.map((kind) => [kind, C4[kind]] as const))(
  'C4%s has its elements beside each other, with their words inside',
  async (kind, source) => {
    const svg = await picture(`C4${kind}\n    ${source}`)
    const parts = partsOf(svg, '.c4-shape', '.label-container')
    expect(faults(parts)).toEqual([])
    const elements = /\b(?:Person|System|Container|Component)(?!_Boundary)\w*\(/g
    expect(parts.length).toBe(source.match(elements)?.length)
    expect(words(svg)).toMatch(/1 &lt; 2 and 3 &gt; 2, of everybody/)
  },
)

test('C4 has four elements in a row, and no wide margins', async () => {
  const persons = ['a', 'b', 'c', 'd'].map((name) => ` Person(${name}, "${name}")`)
  const svg = await picture(`C4Context\n${persons.join('\n')}`)
  const boxes = partsOf(svg, '.c4-shape', '.label-container').map(({ outline }) => outline)
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1)
  const [left] = /viewBox="(\S+)/.exec(svg)?.slice(1).map(Number) ?? []
  expect(Math.min(...boxes.map(({ x }) => x)) - left).toBeLessThan(120)
})

test('architecture places services by their sides, in groups, with icons and words', async () => {
  const svg = await picture(`architecture-beta
      group cloud(cloud)[Frankfurt]
      service web(server)[Web servers of the shop] in cloud
      service store(database)[Store] in cloud
      service mail(internet)[Mail]
      service odd(logos:aws-lambda)[Unknown icon]
      junction middle in cloud
      web:R -[reads]-> L:store
      web:B -- T:middle
      middle:R -- L:odd
      mail:R --> L:web`)
  const parts = partsOf(svg, '.architecture-service', 'svg rect')
  const at = (name: string): Part['outline'] =>
    parts.find((part) => part.words.startsWith(name))!.outline
  expect(parts.map((part) => part.words)).toEqual([
    'Web servers of the shop',
    'Store',
    'Mail',
    'Unknown icon ?',
  ])
  expect(faults(parts).filter((fault) => fault.includes(' on '))).toEqual([])
  expect(at('Mail').x + 80).toBeLessThan(at('Web').x)
  expect(at('Web').x + 80).toBeLessThan(at('Store').x)
  expect(at('Web').y).toBeCloseTo(at('Store').y, 0)
  expect(at('Unknown').y).toBeGreaterThan(at('Web').y + 80)
  const [group] = partsOf(svg, '.architecture-groups', '.node-bkg')
  expect(['Web', 'Store'].filter((name) => !contains(group.outline, at(name)))).toEqual([])
  expect(contains(group.outline, at('Mail'))).toBe(false)
  expect(words(svg)).toContain('reads')
})

test('blocks stand in their columns', async () => {
  const svg = await picture(`block
      columns 3
      wide["A block over three & more <br/> in two lines, 1 < 2"]:3
      left("Left") middle[("Store")] right{"Choice"}
      left -- "asks" --> middle
      style left fill:#fde8e8`)
  const parts = partsOf(svg, '.node', '.label-container')
  expect(faults(parts.slice(0, 3))).toEqual([])
  const [wide, left, , right] = parts.map(({ outline }) => outline)
  expect(wide.width).toBeGreaterThan(right.x + right.width - left.x - 1)
  expect(left.y).toBeGreaterThan(wide.y + wide.height)
  expect(words(svg)).toMatch(/two lines, 1 &lt; 2 .*asks/)
  expect(svg).toMatch(/fill:#fde8e8/)
})

test('a mind map has its branches around its root', async () => {
  const svg = await picture(`mindmap
      root((Shop))
        Orders of everybody who wants to buy, that is a long text on a branch
          Payments<br/>and refunds
            Cards
        [Mail & more]
        ))Outages((
        {{Costs}}`)
  const parts = partsOf(svg, '.mindmap-node', '.label-container, path, polygon, circle, rect')
  expect(parts.length).toBe(7)
  expect(faults(parts)).toEqual([])
  expect(words(svg)).toMatch(/Payments and refunds/)
  // Readers of style sheets differ in what they make of less than nothing.
  expect(svg).not.toMatch(/stroke-width:-/)
})

test('a Gantt chart has bars under their dates and turned milestones', async () => {
  const svg = await picture(`gantt
      title Plan
      dateFormat YYYY-MM-DD
      section Build
      First : first, 2026-01-01, 30d
      Second : crit, after first, 30d
      section Run
      Go live : milestone, live, 2026-03-02, 0d`)
  const bars = [...svg.matchAll(/<rect id="diagram-[^>]* x="([\d.]+)"[^>]* width="([\d.]+)"/g)]
  const [first, second] = bars.map(([, x, width]) => [Number(x), Number(width)])
  expect(second[0]).toBeCloseTo(first[0] + first[1], 3)
  for (const name of ['Plan', 'First', 'Second', 'Go live', 'Build', 'Run']) {
    expect(words(svg)).toContain(name)
  }
  const [, x, width, turn] =
    /id="diagram-live"[^>]* x="([\d.]+)"[^>]* width="([\d.]+)"[^>]*translate\(([\d.]+),/.exec(
      svg,
    ) ?? []
  expect(Number(turn)).toBeCloseTo(Number(x) + Number(width) / 2, 3)
  expect(svg).not.toMatch(/\.milestone\{transform/)
})

test('a gantt chart is as wide as a page, or as its source says', async () => {
  const chart =
    'gantt\n dateFormat YYYY-MM-DD\n section a\n b: 2026-01-01, 30d\n c: 2026-02-01, 45d'
  expect(await picture(chart)).toMatch(/viewBox="0 0 800 /)
  const directive = "%%{init: {'gantt': {'useWidth': 1400}}}%%"
  expect(await picture(`${directive}\n${chart}`)).toMatch(/viewBox="0 0 1400 /)
})

test.runIf(IS_NIGHT)('dates of a Gantt chart do not touch, and each mark stays', async () => {
  const svg = await picture('gantt\n dateFormat YYYY-MM-DD\n section a\n b: 2026-01-01, 90d')
  const ticks = svg.match(/class="tick".*?<\/g>/g) ?? []
  const dated = ticks.filter((tick) => tick.includes('<text'))
  const places = dated.map((tick) => Number(/translate\(([\d.]+)/.exec(tick)?.[1]))
  expect([ticks.length, dated.length]).toEqual([13, 7])
  expect(Math.min(...places.slice(1).map((x, i) => x - places[i]))).toBeGreaterThan(60)
})

test.runIf(IS_NIGHT)('bars of a Gantt chart begin behind the names of their sections', async () => {
  const chart = (name: string): string =>
    `gantt\n dateFormat YYYY-MM-DD\n section ${name}\n b: 2026-01-01, 30d`
  const startOf = async (name: string): Promise<number> =>
    Number(/<rect id="diagram-[^>]* x="([\d.]+)"/.exec(await picture(chart(name)))?.[1])
  expect(await startOf('Short')).toBeCloseTo(75, 0)
  expect(await startOf('Discovery of the whole estate')).toBeGreaterThan(150)
  expect(await startOf('Discovery of the <br/>whole estate')).toBeLessThan(120)
  expect(await startOf('long '.repeat(100))).toBeLessThan(251)
})

test('a Gantt chart shows the day of its drawing only where its source says how', async () => {
  const chart = 'gantt\n dateFormat YYYY-MM-DD\n section a\n b: 2026-01-01, 30d'
  expect(await picture(chart)).not.toContain('class="today"')
  expect(await picture(`${chart}\n todayMarker stroke:#00f`)).toContain('class="today"')
})

test('looks that only browsers understand are written out', async () => {
  const flow = await picture(`flowchart LR
      subgraph inner
        a -->|1 < 2 and 2 >= 1| b
      end`)
  expect(words(flow)).toMatch(/1 &lt; 2 and 2 &gt;= 1/)
  expect(flow).not.toMatch(/\[data-|:not\(|:root|hsl\(/)
  const [, look] = /class="([^"]*\bcluster\b[^"]*)"/.exec(flow) ?? []
  expect(look.split(' ')).toEqual(
    expect.arrayContaining(['data-look-neo', 'data-color-id-color-0']),
  )
  const calls = await picture('sequenceDiagram\n a->>b: x\n loop y\n b-->>a: z\n end')
  expect(calls).not.toMatch(/auto-start-reverse|filter:url\(#drop-shadow\)/)
})
