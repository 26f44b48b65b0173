// Sources in D2, by what they show.

/** A diagram of many boxes, each connected to two others. */
function large(nodes: number): string {
  const boxes = Array.from({ length: nodes }, (_, i) => `s${i}: Service ${i}`)
  const arrows = Array.from({ length: nodes - 1 }, (_, i) => `s${i >> 1} -> s${i + 1}`)
  return [...boxes, ...arrows].join('\n')
}

/** What boards inherit, and boards themselves, are at the top of a source. */
const AT_TOP = new Set(['layers'])

export const d2Samples: Readonly<Record<string, string>> = {
  'one edge': 'client -> server: asks',
  chain: 'a -> b -> c -> d -> e',
  'both ways': 'a <-> b: talks\nb -- c: knows\nc <- a: answers',
  shapes: `
    db: Orders {shape: cylinder}
    q: Queue {shape: queue}
    user: User {shape: person}
    edge: Edge {shape: cloud}
    page: Report {shape: page}
    gate: Decision {shape: diamond}
    user -> edge -> q -> db
    gate -> page`,
  nested: `
    region: Frankfurt {
      zone-a: {
        web: Web
        app: App
        web -> app
      }
      zone-b: {
        web: Web
        app: App
        web -> app
      }
      zone-a.app -> zone-b.app: replicates
    }
    users -> region.zone-a.web
    users -> region.zone-b.web`,
  'nested deeply': 'a: {b: {c: {d: {e: {f: {g -> h}}}}}}',
  sequence: `
    login: {
      shape: sequence_diagram
      browser -> gateway: GET /
      gateway -> identity: token?
      identity -> gateway: claims
      gateway -> browser: 200
    }`,
  'sequence with groups and notes': `
    shape: sequence_diagram
    shop: Shop
    pay: Payments
    shop.order -> pay.charge: charge
    retry: {
      shop.order -> pay.charge: again
    }
    pay.charge -> shop.order: receipt
    shop."keeps the receipt"`,
  'entity tables': `
    customers: {
      shape: sql_table
      id: uuid {constraint: primary_key}
      name: text
    }
    orders: {
      shape: sql_table
      id: uuid {constraint: primary_key}
      customer_id: uuid {constraint: foreign_key}
    }
    orders.customer_id -> customers.id`,
  classes: `
    Cache: {
      shape: class
      +get(key string): "Value | undefined"
      -entries: Map
    }
    Cache -> Store: reads through`,
  grid: `
    racks: {
      grid-rows: 2
      grid-columns: 3
      r1; r2; r3; r4; r5; r6
    }`,
  markdown: `
    note: |md
      ## Why two regions
      Because *one* fails:
      - power
      - network
    |
    note -> region`,
  code: `
    job: |go
      func main() {
        println("hello")
      }
    |
    job -> queue`,
  formula: 'load: |latex \\frac{\\lambda}{\\mu} | \nload -> queue',
  classed: `
    classes: {
      critical: {style: {fill: "#fde8e8"; stroke: "#b91c1c"; stroke-width: 3}}
    }
    api.class: critical
    api -> db
    api.style.shadow: true`,
  'globs and variables': `
    vars: {
      tier: Production
    }
    web: "\${tier} web"
    app: "\${tier} app"
    *.style.border-radius: 8
    web -> app`,
  arrowheads: `
    a -> b: {source-arrowhead: 1; target-arrowhead: "*" {shape: cf-many}}
    b -> c: {style: {animated: true; stroke-dash: 4}}`,
  layers: `
    a -> b
    layers: {
      inside: {
        c -> d
      }
    }`,
  'other scripts': '"Zürich Süd" -> "Αθήνα": "→ 10 Gbit/s"\n"Київ" -> "Αθήνα"',
  large: large(120),
}

/** What D2 places or writes in a way of its own. */
const ON_SHEET = new Set(['nested', 'sequence', 'markdown', 'layers'])

/** Those in one source, most of them in a box of their own. */
export const d2Sheet: string = Object.entries(d2Samples)
  .filter(([name]) => ON_SHEET.has(name))
  .map(([name, source]) => (AT_TOP.has(name) ? source : `"${name}": {\n${source}\n}`))
  .join('\n')
