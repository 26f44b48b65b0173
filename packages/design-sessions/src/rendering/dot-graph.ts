import { sourceError } from './render-error.ts'

/** Graphviz attributes by name. */
export type Attributes = Readonly<Record<string, string>>

/** A diagram of nodes, edges and clusters. */
export interface DiagramGraph {
  /** @returns its id */
  node(attributes: Attributes, line: number): string
  edge(from: string, to: string, attributes: Attributes, line: number): void
  openCluster(attributes: Attributes): void
  closeCluster(): void
  dot(defaults: GraphDefaults): string
}

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

/** Escapes a text: in DOT a backslash can mean a node's name. */
function quoted(text: string): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `"${plain}"`
}

/** Border and filling of each provider. */
const PROVIDERS: Readonly<Record<string, readonly [border: string, filling: string]>> = {
  aws: ['#d97706', '#fff4e0'],
  azure: ['#0369a1', '#e3f2fd'],
  gcp: ['#2563eb', '#e8f0fe'],
  k8s: ['#3155c6', '#e9eefb'],
  openstack: ['#be123c', '#ffe9ee'],
  oci: ['#b91c1c', '#fdeaea'],
  ibm: ['#1d4ed8', '#e6ecff'],
  alibabacloud: ['#c2410c', '#fff0e5'],
  digitalocean: ['#0284c7', '#e5f5ff'],
  elastic: ['#0f766e', '#e2f7f4'],
  onprem: ['#475569', '#f1f5f9'],
}

const OTHER = ['#4b5563', '#f6f7f9'] as const

/** Shapes by the last part of a module's name. */
const SHAPES: Readonly<Record<string, string>> = {
  database: 'cylinder',
  inmemory: 'cylinder',
  storage: 'cylinder',
  queue: 'cds',
  integration: 'cds',
  messaging: 'cds',
  analytics: 'component',
  network: 'hexagon',
  dns: 'hexagon',
  cdn: 'hexagon',
  security: 'octagon',
  identity: 'octagon',
  auth: 'octagon',
  client: 'ellipse',
  general: 'ellipse',
  device: 'ellipse',
  compute: 'box3d',
  container: 'box3d',
  containers: 'box3d',
}

/**
 * Appearance of a node, in place of the library's icon.
 *
 * @param module  such as `diagrams.aws.compute`
 */
export function nodeLooks(module: string): Attributes {
  const [, provider, kind = ''] = module.split('.')
  const [color, fillcolor] = PROVIDERS[provider] ?? OTHER
  return { shape: SHAPES[kind] ?? 'box', style: 'filled', color, fillcolor }
}

/** Appearance of a cluster at a depth. */
export function clusterLooks(depth: number): Attributes {
  const filling = ['#eef3fb', '#e4ebf7', '#f3f0fb', '#eef7f1'][depth % 4]
  return {
    style: 'rounded,filled',
    color: '#aebacd',
    fillcolor: filling,
    labeljust: 'l',
    fontsize: '14',
  }
}
