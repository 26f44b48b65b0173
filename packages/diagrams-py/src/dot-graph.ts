/** Graphviz attributes by name. */
export type Attributes = Readonly<Record<string, string | Markup>>

/** A label in Graphviz's HTML, of escaped text. */
export interface Markup {
  readonly html: string
}

/** A diagram of nodes, edges and clusters. */
export interface DiagramGraph {
  /**
   * @param refused  the error beyond the limit
   * @returns its id
   */
  node(attributes: Attributes, refused: Refused): string
  edge(ends: readonly [string, string], attributes: Attributes, refused: Refused): void
  openCluster(attributes: Attributes): void
  closeCluster(): void
  /** clusters that are open */
  readonly depth: number
  dot(defaults: GraphDefaults): string
}

type Refused = (message: string) => Error

/** Default attributes. */
export interface GraphDefaults {
  readonly graph: Attributes
  readonly node: Attributes
  readonly edge: Attributes
}

const NODES_MAX = 2000
const EDGES_MAX = 10_000

/** Attributes that change only the appearance: none loads, links or names a file. */
const LOOKS = new Set(
  (
    'label xlabel headlabel taillabel color fillcolor fontcolor fontname fontsize style penwidth ' +
    'minlen weight constraint dir arrowhead arrowtail arrowsize labeldistance labelangle ' +
    'labelfloat bgcolor pencolor rankdir nodesep ranksep splines pad margin labelloc labeljust ' +
    'rank concentrate compound newrank shape width height fixedsize peripheries ordering ' +
    'headport tailport lhead ltail group samehead sametail decorate image imagepos imagescale'
  ).split(' '),
)

export function createGraph(): DiagramGraph {
  const body: string[] = []
  // Inside of a cluster an edge would draw its nodes into it.
  const edges: string[] = []
  let nodes = 0
  let clusters = 0
  let depth = 0
  return {
    node: (attributes, refused) => {
      const id = `n${nodes++}`
      body.push(`${id} ${list(attributes)}`)
      if (nodes > NODES_MAX) throw refused(`more than ${NODES_MAX} nodes`)
      return id
    },
    edge: ([from, to], attributes, refused) => {
      const count = edges.push(`${from} -> ${to} ${list(attributes)}`)
      if (count > EDGES_MAX) throw refused(`more than ${EDGES_MAX} edges`)
    },
    openCluster: (attributes) => {
      depth++
      body.push(`subgraph cluster_${clusters++} {`, `graph ${list(attributes)}`)
    },
    closeCluster: () => {
      depth--
      body.push('}')
    },
    get depth() {
      return depth
    },
    dot: ({ graph, node, edge }) =>
      [
        'digraph {',
        `graph ${list(graph)}`,
        `node ${list(node)}`,
        `edge ${list(edge)}`,
        ...body,
        ...edges,
        '}',
      ].join('\n'),
  }
}

function list(attributes: Attributes): string {
  const kept = Object.entries(attributes).filter(([name]) => LOOKS.has(name))
  return `[${kept.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}]`
}

/** Escapes a text: in DOT a backslash can mean a node's name. */
function quoted(text: string | Markup): string {
  if (typeof text !== 'string') return `<${text.html}>`
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `"${plain}"`
}
