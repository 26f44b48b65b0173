import type { SyntaxNode } from '@lezer/common'
import { type Attributes, type DiagramGraph, nodeLooks } from './dot-graph.ts'
import { type RenderError, sourceError } from './render-error.ts'

/** The text of a program by nodes of its syntax tree. */
export interface PythonSource {
  textOf(this: void, node: SyntaxNode): string
  /** from 1 */
  lineOf(this: void, node: Pick<SyntaxNode, 'from'>): number
  refusal(this: void, node: SyntaxNode): RenderError
}

export type Name =
  | { readonly kind: 'class'; readonly module: string; readonly name: string }
  | Value

/** The value of an expression. */
type Value =
  | { readonly kind: 'nodes'; readonly ids: readonly string[]; readonly isList: boolean }
  | Edge
  | Block
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'attributes'; readonly attributes: Attributes }
  | { readonly kind: 'none' }

/** An edge without its second end, and possibly without its first. */
interface Edge {
  readonly kind: 'edge'
  readonly attributes: Attributes
  readonly from?: readonly string[]
  readonly forward: boolean
  readonly back: boolean
}

/** A diagram or cluster opened by `with`. */
interface Block {
  readonly kind: 'block'
  readonly type: 'Diagram' | 'Cluster'
  readonly label: string
  readonly attributes: Attributes
  readonly defaults: { readonly node: Attributes; readonly edge: Attributes }
}

/** The state while a program is read. */
export interface Scope {
  readonly graph: DiagramGraph
  readonly names: Map<string, Name>
  /** whether nodes are allowed: inside a diagram */
  isDrawing: boolean
}

export function createScope(graph: DiagramGraph): Scope {
  return { graph, names: new Map(), isDrawing: false }
}

/** Evaluates an expression; draws its nodes and edges. */
export function expressionValue(program: PythonSource, scope: Scope, node: SyntaxNode): Value {
  const { textOf, lineOf, refusal } = program
  const inside = (child: SyntaxNode): Value => expressionValue(program, scope, child)
  switch (node.name) {
    case 'String':
      return { kind: 'text', text: pythonText(textOf(node), lineOf(node)) }
    case 'ContinuedString':
      return { kind: 'text', text: items(node).map(inside).map(textIn).join('') }
    case 'Number':
    case 'Boolean':
      return { kind: 'text', text: textOf(node) }
    case 'None':
      return { kind: 'none' }
    case 'UnaryExpression':
      if (!/^-\s*[\d.]+$/.test(textOf(node))) throw refusal(node)
      return { kind: 'text', text: textOf(node).replaceAll(/\s/g, '') }
    case 'VariableName':
      return named(program, scope, node)
    case 'ParenthesizedExpression':
      return inside(items(node)[0])
    case 'ArrayExpression':
    case 'TupleExpression': {
      const values = items(node).map((child) => [child, inside(child)] as const)
      // Texts such as formats change nothing: both are made in any case.
      if (values.length > 0 && values.every(([, { kind }]) => kind === 'text')) {
        return { kind: 'none' }
      }
      const ids = values.flatMap(([child, value]) => {
        if (value.kind !== 'nodes') throw refusal(child)
        return value.ids
      })
      return { kind: 'nodes', ids, isList: true }
    }
    case 'DictionaryExpression': {
      const texts = items(node).map(inside).map(textIn)
      const pairs = texts.flatMap((key, i) => (i % 2 === 0 ? [[key, texts[i + 1] ?? '']] : []))
      return { kind: 'attributes', attributes: Object.fromEntries(pairs) as Attributes }
    }
    case 'CallExpression':
      return called(program, scope, node)
    case 'BinaryExpression':
      return connected(program, scope, node)
    default:
      throw refusal(node)
  }
}

function items(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all.filter(({ name }) => !/^\W+$|^Comment$/.test(name))
}

function textIn(value: Value): string {
  return value.kind === 'text' ? value.text : ''
}

function named({ textOf, lineOf }: PythonSource, { names }: Scope, node: SyntaxNode): Value {
  const value = names.get(textOf(node))
  if (value && value.kind !== 'class') return value
  throw sourceError(`${textOf(node)} has no value`, lineOf(node))
}

interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

function argumentsOf(program: PythonSource, scope: Scope, list: SyntaxNode): Arguments {
  const positional: Value[] = []
  const named = new Map<string, Value>()
  let parts: SyntaxNode[] = []
  const take = (): void => {
    const [first, sign, value] = parts
    if (sign?.name === 'AssignOp') {
      named.set(program.textOf(first), expressionValue(program, scope, value))
    } else if (parts.length === 1) positional.push(expressionValue(program, scope, first))
    else if (parts.length > 0) throw program.refusal(first)
    parts = []
  }
  for (let child = list.firstChild; child; child = child.nextSibling) {
    if (child.name === ',' || child.name === ')') take()
    else if (child.name !== '(' && child.name !== 'Comment') parts.push(child)
  }
  return { positional, named }
}

function called(program: PythonSource, scope: Scope, node: SyntaxNode): Value {
  const [callee, list] = [node.firstChild, node.lastChild]
  if (callee?.name !== 'VariableName' || list?.name !== 'ArgList') throw program.refusal(node)
  const found = scope.names.get(program.textOf(callee))
  const line = program.lineOf(node)
  if (found?.kind !== 'class') {
    throw sourceError(`${program.textOf(callee)} is not imported from diagrams`, line)
  }
  const { positional, named } = argumentsOf(program, scope, list)
  const texts: Record<string, string> = {}
  for (const [name, value] of named) if (value.kind === 'text') texts[name] = value.text
  const type = found.module === 'diagrams' ? found.name : 'Node'
  if (type === 'Edge') {
    const label = positional.length > 0 ? { label: textIn(positional[0]) } : {}
    const forward = texts['forward'] === 'True'
    return {
      kind: 'edge',
      attributes: { ...label, ...texts },
      forward,
      back: texts['reverse'] === 'True',
    }
  }
  const label = texts['label'] ?? texts['name'] ?? textIn(positional[0] ?? { kind: 'none' })
  if (type === 'Diagram' || type === 'Cluster') {
    // Without it the program opens a window where it is run.
    if (type === 'Diagram' && texts['show'] !== 'False') {
      throw sourceError('Diagram needs show=False', line)
    }
    const inDictionary = (name: string): Attributes => {
      const value = named.get(name)
      return value?.kind === 'attributes' ? value.attributes : {}
    }
    const { direction } = texts
    return {
      kind: 'block',
      type,
      label,
      attributes: {
        ...(direction !== undefined && { direction }),
        ...inDictionary('graph_attr'),
      },
      defaults: { node: inDictionary('node_attr'), edge: inDictionary('edge_attr') },
    }
  }
  if (!scope.isDrawing) throw sourceError('a node belongs into a Diagram', line)
  const kind = found.name === 'Custom' || found.name === 'Node' ? '' : found.name
  const shown = [label, kind === '' ? '' : `(${kind})`].filter(Boolean).join('\n')
  const id = scope.graph.node({ ...nodeLooks(found.module), ...texts, label: shown }, line)
  return { kind: 'nodes', ids: [id], isList: false }
}

/** `a >> b`, `a << b`, `a - b`: draws the edge; its value is the right operand. */
function connected(program: PythonSource, scope: Scope, node: SyntaxNode): Value {
  const [first, sign, second] = [node.firstChild, node.firstChild?.nextSibling, node.lastChild]
  const operator = sign ? program.textOf(sign) : ''
  if (!first || !second || !['>>', '<<', '-'].includes(operator)) throw program.refusal(node)
  const left = expressionValue(program, scope, first)
  const right = expressionValue(program, scope, second)
  const forward = operator === '>>'
  const back = operator === '<<'
  const line = program.lineOf(node)
  const draw = (from: readonly string[], to: readonly string[], edge: Edge): void => {
    for (const a of from) for (const b of to) scope.graph.edge(a, b, directed(edge), line)
  }
  const plain: Edge = { kind: 'edge', attributes: {}, forward, back }
  if (left.kind === 'nodes' && right.kind === 'nodes') {
    if (left.isList && right.isList) {
      throw sourceError('a list cannot be connected to a list', line)
    }
    draw(left.ids, right.ids, plain)
    return right
  }
  if (left.kind === 'nodes' && right.kind === 'edge' && !right.from) {
    return { ...right, from: left.ids, forward: right.forward || forward, back: right.back || back }
  }
  if (left.kind === 'edge' && right.kind === 'nodes') {
    const edge = { ...left, forward: left.forward || forward, back: left.back || back }
    if (!left.from) throw sourceError('an Edge needs a node on its left', line)
    draw(left.from, right.ids, edge)
    return right
  }
  throw program.refusal(node)
}

function directed({ attributes, forward, back }: Edge): Attributes {
  const dir = forward ? (back ? 'both' : 'forward') : back ? 'back' : 'none'
  return { ...attributes, dir }
}

const LITERAL = /^([A-Za-z]*)("""|'''|"|')([^]*)\2$/

const ESCAPE =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([^]))/g

const SINGLES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  f: '',
  v: '',
}

/**
 * The value of a Python string literal.
 *
 * @param line  for the error
 * @throws {RenderError} for bytes
 */
export function pythonText(literal: string, line: number): string {
  const [, prefix, , content] = LITERAL.exec(literal) ?? []
  if (prefix === undefined || /b/i.test(prefix)) throw sourceError('not a text', line)
  if (/r/i.test(prefix)) return printable(content)
  const text = content.replaceAll(ESCAPE, (escape: string, ...groups: (string | undefined)[]) => {
    const [x, u, long, octal, end, single = ''] = groups
    const hex = x ?? u ?? long
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8))
    if (end !== undefined) return ''
    // Python keeps the backslash of an unknown escape.
    return SINGLES[single] ?? (/["'\\]/.test(single) ? single : escape)
  })
  return printable(text)
}

function codePoint(value: number): string {
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : ''
}

/** Removes control characters. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.toWellFormed().replaceAll(/[\0-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, '')
}
