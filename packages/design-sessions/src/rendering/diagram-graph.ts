import { sourceError } from './render-error.ts'

/** Texts by the names that Graphviz has for them. */
export type Attributes = Readonly<Record<string, string>>

/** Nodes, edges, clusters: a diagram before it is drawn. */
export interface DiagramGraph {
  /** @returns its id */
  node(attributes: Attributes, line: number): string
  edge(from: string, to: string, attributes: Attributes, line: number): void
  openCluster(attributes: Attributes): void
  closeCluster(): void
  /** in the DOT language */
  dot(defaults: GraphDefaults): string
}

/** What holds for all of a graph. */
export interface GraphDefaults {
  readonly graph: Attributes
  readonly node: Attributes
  readonly edge: Attributes
}

const NODES_MAX = 2000
const EDGES_MAX = 10_000

/** Attributes that only change looks: none loads, links or names a file. */
const LOOKS = new Set(
  (
    'label xlabel headlabel taillabel color fillcolor fontcolor fontsize style penwidth minlen ' +
    'weight constraint dir arrowhead arrowtail arrowsize labeldistance labelangle labelfloat ' +
    'bgcolor pencolor rankdir nodesep ranksep splines pad margin labelloc labeljust rank ' +
    'concentrate compound newrank shape width height fixedsize peripheries ordering'
  ).split(' '),
)

export function createGraph(): DiagramGraph {
  const body: string[] = []
  let nodes = 0
  let edges = 0
  let clusters = 0
  return {
    node: (attributes, line) => {
      if (nodes >= NODES_MAX) throw sourceError(`more than ${NODES_MAX} nodes`, line)
      const id = `n${nodes++}`
      body.push(`${id} ${list(attributes)}`)
      return id
    },
    edge: (from, to, attributes, line) => {
      if (edges++ >= EDGES_MAX) throw sourceError(`more than ${EDGES_MAX} edges`, line)
      body.push(`${from} -> ${to} ${list(attributes)}`)
    },
    openCluster: (attributes) => {
      body.push(`subgraph cluster_${clusters++} {`, `graph ${list(attributes)}`)
    },
    closeCluster: () => void body.push('}'),
    dot: ({ graph, node, edge }) =>
      [
        'digraph {',
        `graph ${list(graph)}`,
        `node ${list(node)}`,
        `edge ${list(edge)}`,
        ...body,
        '}',
      ].join('\n'),
  }
}

function list(attributes: Attributes): string {
  const kept = Object.entries(attributes).filter(([name]) => LOOKS.has(name) || name === 'fontname')
  return `[${kept.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}]`
}

/** A text as it is; in DOT a backslash may stand for a node's name and more. */
function quoted(text: string): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `"${plain}"`
}
