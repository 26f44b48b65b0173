// Sources in Mermaid, by their kind.

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
  entities: 'erDiagram\n CUSTOMER ||--o{ ORDER : places\n ORDER { string id }',
  pie: 'pie title Cost\n "compute" : 60\n "storage" : 40',
  git: 'gitGraph\n commit\n branch fix\n commit\n checkout main\n merge fix',
  requirement: `requirementDiagram
    requirement latency {
      id: 1
      text: below 100 ms
      risk: high
      verifymethod: test
    }`,
  journey: 'journey\n title Order\n section Shop\n  choose: 5: customer',
  timeline: 'timeline\n title Plan\n 2026 : pilot\n 2027 : roll-out',
  quadrant:
    'quadrantChart\n title Options\n x-axis cheap --> dear\n y-axis slow --> fast\n A: [0.3, 0.6]',
  chart: 'xychart-beta\n title Load\n x-axis [mon, tue]\n bar [1, 2]',
  packet: 'packet-beta\n 0-15: "port"\n 16-31: "length"',
  radar: 'radar-beta\n axis a["cost"], b["speed"], c["risk"]\n curve now{1, 2, 3}',
  kanban: 'kanban\n todo[To decide]\n  item[Region]',
}

export const mermaidRefused: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
  'settings in a directive': [
    '%%{init: {"securityLevel": "loose"}}%%\nflowchart TD\n a --> b',
    /settings .* not taken/,
  ],
  'settings in front matter': [
    '---\ntitle: x\nconfig:\n  htmlLabels: true\n---\nflowchart TD\n a --> b',
    /settings .* not taken/,
  ],
  'kinds that need a browser': ['mindmap\n root\n  leaf', /mindmap needs a browser .*beta/],
}
