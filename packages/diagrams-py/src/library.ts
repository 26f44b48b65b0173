import type { SyntaxNode } from '@lezer/common'
import { type DiagramGraph, createGraph } from './dot-graph.ts'
import { blockOf, edgeOf, nodeLooks } from './elements.ts'
import { THEMES, clusterLooks, graphDefaults } from './looks.ts'
import type { Program } from './program.ts'
import { type Arguments, type Block, type ClassValue, type Value, bound } from './values.ts'

/** A finished diagram as a Graphviz source. */
export interface DrawnDiagram {
  readonly dot: string
  readonly name: string
}

/** The classes of the library, and the diagrams that a program draws with them. */
export interface Library {
  /** the diagram that is open */
  readonly graph: DiagramGraph | undefined
  readonly drawn: readonly DrawnDiagram[]
  make(node: SyntaxNode, called: ClassValue, given: Arguments): Value
  open(node: SyntaxNode, block: Block): void
  close(block: Block): void
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  Diagram: 'name filename direction curvestyle outformat autolabel show strict theme'.split(' '),
  Cluster: ['label', 'direction', 'graph_attr'],
  Edge: ['node', 'forward', 'reverse', 'label', 'color', 'style'],
  Custom: ['label', 'icon_path'],
  C4Node: ['name', 'technology', 'description', 'type'],
  Container: ['name', 'technology', 'description'],
  Database: ['name', 'technology', 'description'],
  System: ['name', 'description', 'external'],
  Person: ['name', 'description', 'external'],
  SystemBoundary: ['name'],
  Relationship: ['label'],
}

/** Classes with parameters of their own, by module. */
export const OWN_CLASSES: Readonly<Record<string, readonly string[]>> = {
  '': ['Diagram', 'Cluster', 'Group', 'Node', 'Edge'],
  custom: ['Custom'],
  c4: ['C4Node', 'Container', 'Database', 'System', 'Person', 'SystemBoundary', 'Relationship'],
}

const DIAGRAMS_MAX = 20

export function createLibrary(program: Program): Library {
  const drawn: DrawnDiagram[] = []
  let open: { readonly graph: DiagramGraph; readonly block: Block } | undefined

  const make: Library['make'] = (node, { module, name }, { positional, named }) => {
    const isOwn = OWN_CLASSES[module]?.includes(name) ?? false
    const type = name === 'Group' ? 'Cluster' : isOwn ? name : 'Node'
    // The library's first parameter of an edge is a node, which programs leave out.
    const isLabelled = type === 'Edge' && typeof positional[0] === 'string'
    const names = isLabelled ? ['label'] : (PARAMETERS[type] ?? ['label'])
    const given = bound({ positional, named }, names)
    const called = { kind: 'class', module, name: type === 'Cluster' ? type : name } as const
    const construction = { program, node, called, given }
    if (/^(Diagram|Cluster|SystemBoundary)$/.test(type)) return blockOf(construction)
    if (type === 'Edge' || type === 'Relationship') return edgeOf(construction)
    if (!open) throw program.error(node, 'a node belongs into a Diagram')
    const looks = nodeLooks(construction, open.block.autolabel)
    return { kind: 'node', id: open.graph.node(looks, (message) => program.error(node, message)) }
  }
  const begin: Library['open'] = (node, block) => {
    if (block.kind === 'cluster') {
      if (!open) throw program.error(node, 'a Cluster belongs into a Diagram')
      const { graph, block: diagram } = open
      const look = clusterLooks(THEMES[diagram.theme], graph.depth)
      graph.openCluster({ ...look, ...block.graph, label: block.label })
      return
    }
    if (open) throw program.error(node, 'a Diagram does not belong into another one')
    if (drawn.length >= DIAGRAMS_MAX) {
      throw program.error(node, `more than ${DIAGRAMS_MAX} diagrams`)
    }
    open = { graph: createGraph(), block }
  }
  const end: Library['close'] = (block) => {
    if (block.kind === 'cluster' || !open) return open?.graph.closeCluster()
    const { graph, node, edge } = graphDefaults(THEMES[block.theme])
    const dot = open.graph.dot({
      graph: { ...graph, rankdir: 'LR', label: block.label, ...block.graph },
      node: { ...node, ...block.node },
      edge: { ...edge, ...block.edge },
    })
    drawn.push({ dot, name: fileName(block.filename ?? block.label) })
    open = undefined
  }
  return {
    drawn,
    get graph() {
      return open?.graph
    },
    make,
    open: begin,
    close: end,
  }
}

/** A file name without extension. */
function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return name.slice(0, 80) || 'diagram'
}
