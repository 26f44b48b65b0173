// Sources in Mermaid, by their kind.

/** The most common kinds, and some that no test of `mermaid-svg` draws. */
export const mermaidSamples: Readonly<Record<string, string>> = {
  flowchart: `flowchart LR
    a[Start] -->|yes| b{Choice}
    subgraph inside
      b --> c[(Store)]
    end`,
  sequence: `sequenceDiagram
    browser->>gateway: asks for a page
    gateway-->>browser: 200
    Note over gateway: caches`,
  class: 'classDiagram\n Store <|-- Cache\n Store : +int entries',
  state: 'stateDiagram-v2\n [*] --> draft\n draft --> approved : review',
  timeline: 'timeline\n title Plan\n 2026 : pilot\n 2027 : roll-out',
  quadrant:
    'quadrantChart\n title Options\n x-axis cheap --> dear\n y-axis slow --> fast\n A: [0.3, 0.6]',
}

/** All others; at night. */
export const rareMermaidSamples: Readonly<Record<string, string>> = {
  elk: 'flowchart-elk LR\n a --> b',
  entities: 'erDiagram\n CUSTOMER ||--o{ ORDER : places\n ORDER { string id }',
  pie: 'pie title Cost\n "compute" : 60\n "storage" : 40',
  git: 'gitGraph\n commit\n branch fix\n commit\n checkout main\n merge fix',
  events: 'eventmodeling\ntf 01 ui Cart\ntf 02 cmd AddItem\ntf 03 evt ItemAdded',
  requirement: `requirementDiagram
    requirement latency {
      id: 1
      text: below 100 ms
      risk: high
      verifymethod: test
    }`,
  journey: 'journey\n title Order\n section Shop\n  choose: 5: customer',
  chart: 'xychart-beta\n title Load\n x-axis [mon, tue]\n bar [1, 2]',
  packet: 'packet-beta\n 0-15: "port"\n 16-31: "length"',
  radar: 'radar-beta\n axis a["cost"], b["speed"], c["risk"]\n curve now{1, 2, 3}',
  kanban: 'kanban\n todo[To decide]\n  item[Region]',
  swimlanes: 'swimlane-beta LR\n subgraph one\n a\n end\n subgraph two\n b\n end\n a --> b',
  sankey: 'sankey-beta\nGas,Grid,50\nSolar,Grid,168\nGrid,Homes,218',
  treemap: 'treemap-beta\n"Cost"\n    "Compute": 12\n    "Storage": 20',
  tree: 'treeView-beta\n    "docs"\n        "build"',
  venn: 'venn-beta\n set Frontend\n set Backend\n union Frontend,Backend["APIs"]',
  ishikawa: 'ishikawa-beta\n    Outage\n    Process\n        No review',
  wardley:
    'wardley-beta\ntitle Tea\ncomponent Cup [0.79, 0.61]\ncomponent Tea [0.63, 0.81]\nCup -> Tea',
  usecase: 'usecase-beta\n actor User\n User --> Login',
  cynefin: 'cynefin-beta\n  title Decisions\n  complex\n    "Try it"',
}

export const mermaidRefused: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
  'kinds that it does not bring': ['zenuml\n a->b: x', /no kind of diagram .* architecture, block/],
  'relations to unknown ones': [
    'C4Context\n Person(a, "A")\n Rel(a, missing, "x")',
    /cannot draw this c4: .*"missing" references an unknown/,
  ],
}
