import type { SyntaxNode } from '@lezer/common'
import type { DiagramGraph } from './dot-graph.ts'
import type { Program } from './program.ts'
import { type EdgeValue, type NodeValue, type Value, objectOf } from './values.ts'

type Direction = 'forward' | 'back' | undefined

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  '>>': 'forward',
  '<<': 'back',
  '-': undefined,
}

/** What draws an edge. */
interface Drawing {
  readonly graph: DiagramGraph
  readonly program: Program
  readonly node: SyntaxNode
}

/**
 * `a >> b`, `a << b`, `a - b` between nodes, edges and lists of them, with the library's results.
 *
 * @returns undefined for other operands
 */
export function edgeOperators(
  program: Program,
  graph: DiagramGraph | undefined,
  node: SyntaxNode,
  operator: string,
  [left, right]: readonly [Value, Value],
): Value | undefined {
  if (!Object.hasOwn(DIRECTIONS, operator)) return undefined
  if (!isJoined(left) && !isJoined(right)) return undefined
  if (!graph) throw program.error(node, 'an edge belongs into a Diagram')
  const drawing = { graph, program, node }
  const direction = DIRECTIONS[operator]
  if (Array.isArray(left)) {
    if (isNode(right)) {
      for (const one of left) joined(drawing, turned(edgeFrom(drawing, one), direction), right)
      return right
    }
    // The edge becomes one of each element.
    if (isEdge(right)) {
      return left.map((one) => {
        const edge = edgeFrom(drawing, one)
        if (isEdge(one)) right.attributes = one.attributes
        return turned({ ...edge, attributes: right.attributes }, direction)
      })
    }
  }
  if (isNode(left)) {
    if (isEdge(right)) {
      const edge = turned(right, direction)
      // The library draws `a << edge` at once where the edge has its node.
      if (direction === 'back' && edge.from) return joined(drawing, edge, left)
      edge.from = left
      return edge
    }
    return joined(drawing, turned(edgeFrom(drawing, left), direction), right)
  }
  if (isEdge(left)) {
    const edge = turned(left, direction)
    if (isEdge(right)) {
      edge.attributes = right.attributes
      return edge
    }
    if (edge.from) return joined(drawing, edge, right)
    if (!isNode(right)) throw program.error(node, 'an Edge needs a node on its left')
    edge.from = right
    return edge
  }
  throw program.refusal(node)
}

function isNode(value: Value): value is NodeValue {
  return objectOf(value)?.kind === 'node'
}

function isEdge(value: Value): value is EdgeValue {
  return objectOf(value)?.kind === 'edge'
}

function isJoined(value: Value): boolean {
  return (
    isNode(value) ||
    isEdge(value) ||
    (Array.isArray(value) && value.some((one) => isNode(one) || isEdge(one)))
  )
}

/** An edge that begins at an element of a list. */
function edgeFrom({ program, node }: Drawing, value: Value): EdgeValue {
  if (isEdge(value)) return value
  if (isNode(value))
    return { kind: 'edge', from: value, forward: false, back: false, attributes: {} }
  throw program.error(node, 'only nodes and edges are connected')
}

function turned(edge: EdgeValue, direction: Direction): EdgeValue {
  if (direction) edge[direction] = true
  return edge
}

/** Draws an edge to a node or to each of a list. */
function joined(drawing: Drawing, edge: EdgeValue, to: Value): Value {
  const { graph, program, node } = drawing
  const { from, forward, back, attributes } = edge
  const dir = forward ? (back ? 'both' : 'forward') : back ? 'back' : 'none'
  for (const end of Array.isArray(to) ? to : [to]) {
    if (!from || !isNode(end)) throw program.error(node, 'only nodes and edges are connected')
    program.spend(node)
    const refused = (message: string): Error => program.error(node, message)
    graph.edge([from.id, end.id], { ...attributes, dir }, refused)
  }
  return to
}
