import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/python'
import { type Attributes, type DiagramGraph, clusterLooks, createGraph } from './dot-graph.ts'
import { type Name, type PythonSource, createScope, expressionValue } from './python-values.ts'
import { graphviz } from './graphviz.ts'
import { type RenderError, sourceError } from './render-error.ts'

const DIRECTIONS = new Set(['TB', 'BT', 'LR', 'RL'])

/**
 * Renders a program for the Python library `diagrams` without running it. Supports imports, `with
 * Diagram`, `with Cluster`, nodes, edges, lists and variables; the rest is an error.
 */
export async function diagramsPy(source: string): Promise<{ svg: string; name: string }> {
  const { dot, title } = diagramOf(source)
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return { svg: await graphviz(dot), name: name.slice(0, 80) || 'diagram' }
}

function diagramOf(source: string): { dot: string; title: string } {
  const program: PythonSource = {
    textOf: ({ from, to }) => source.slice(from, to),
    lineOf: ({ from }) => source.slice(0, from).split('\n').length,
    refusal: (node) => refusal(program, node),
  }
  const tree = parser.parse(source)
  tree.iterate({
    enter: (reference) => {
      if (reference.type.isError) throw sourceError('bad syntax', program.lineOf(reference))
    },
  })
  const reader = createReader(program)
  try {
    for (const statement of children(tree.topNode)) reader.read(statement)
  } catch (error) {
    if (error instanceof RangeError) throw sourceError('nested too deeply')
    throw error
  }
  return reader.result()
}

/** An error with the line and its first words. */
function refusal({ textOf, lineOf }: PythonSource, node: SyntaxNode): RenderError {
  const [text] = textOf(node).split('\n')
  return sourceError(`not supported in diagrams: ${text.slice(0, 80)}`, lineOf(node))
}

function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all.filter(({ name }) => name !== 'Comment')
}

interface Reader {
  read(statement: SyntaxNode): void
  result(): { dot: string; title: string }
}

function createReader(program: PythonSource): Reader {
  const graph = createGraph()
  const scope = createScope(graph)
  let drawn: { readonly title: string; readonly dot: string } | undefined
  let depth = -1

  const readWith = (statement: SyntaxNode): void => {
    const [, call, ...rest] = children(statement)
    const body = rest.at(-1)
    const block = call.name === 'CallExpression' ? expressionValue(program, scope, call) : undefined
    if (block?.kind !== 'block' || body?.name !== 'Body') throw program.refusal(statement)
    const [first, alias] = rest
    if (first.name === 'as' && alias.name === 'VariableName') {
      scope.names.set(program.textOf(alias), { kind: 'text', text: block.label })
    } else if (first !== body) throw program.refusal(statement)
    if (block.type === 'Diagram') {
      if (depth >= 0 || drawn) throw sourceError('only one Diagram is drawn', program.lineOf(call))
      readBody(body)
      drawn = { title: block.label, dot: dotOf(graph, block) }
      return
    }
    if (depth < 0) throw sourceError('a Cluster belongs into a Diagram', program.lineOf(call))
    graph.openCluster({ ...clusterLooks(depth), ...block.attributes, label: block.label })
    readBody(body)
    graph.closeCluster()
  }
  const readBody = (body: SyntaxNode): void => {
    depth++
    for (const statement of children(body).slice(1)) read(statement)
    depth--
  }
  const read = (statement: SyntaxNode): void => {
    scope.isDrawing = depth >= 0
    if (statement.name === 'ImportStatement') readImport(program, scope.names, statement)
    else if (statement.name === 'WithStatement') readWith(statement)
    else if (statement.name === 'AssignStatement') readAssignment(statement)
    else if (statement.name === 'ExpressionStatement') {
      for (const child of children(statement)) expressionValue(program, scope, child)
    } else if (!['PassStatement', ';'].includes(statement.name)) throw program.refusal(statement)
  }
  const readAssignment = (statement: SyntaxNode): void => {
    const parts = children(statement)
    const at = parts.findIndex(({ name }) => name === 'AssignOp')
    const isItem = ({ name }: SyntaxNode): boolean => name !== ','
    const targets = parts.slice(0, at).filter(isItem)
    const values = parts.slice(at + 1).filter(isItem)
    const isPlain = targets.every(({ name }) => name === 'VariableName')
    if (at < 0 || !isPlain || targets.length !== values.length) throw program.refusal(statement)
    const found = values.map((value) => expressionValue(program, scope, value))
    for (const [i, target] of targets.entries()) scope.names.set(program.textOf(target), found[i])
  }
  return {
    read,
    result: () => {
      if (!drawn) throw sourceError('there is no `with Diagram(...)`')
      return drawn
    },
  }
}

/** `from diagrams.x.y import A as B, C` defines names of nodes; modules are not loaded. */
function readImport(program: PythonSource, names: Map<string, Name>, statement: SyntaxNode): void {
  const parts = children(statement)
  const at = parts.findIndex(({ name }) => name === 'import')
  const module = parts.slice(1, at).map(program.textOf).join('')
  if (parts[0].name !== 'from' || !/^diagrams(?:\.\w+){0,2}$/.test(module)) {
    throw program.refusal(statement)
  }
  const imported = parts.slice(at + 1).filter(({ name }) => !['(', ')', ','].includes(name))
  for (let i = 0; i < imported.length; i++) {
    if (imported[i].name !== 'VariableName') throw program.refusal(statement)
    const name = program.textOf(imported[i])
    if (imported[i + 1]?.name === 'as') i += 2
    const alias = program.textOf(imported[i])
    if (module === 'diagrams' && !['Diagram', 'Cluster', 'Edge', 'Node'].includes(name)) {
      throw program.refusal(statement)
    }
    names.set(alias, { kind: 'class', module, name })
  }
}

interface DiagramBlock {
  readonly label: string
  readonly attributes: Attributes
  readonly defaults: { readonly node: Attributes; readonly edge: Attributes }
}

function dotOf(graph: DiagramGraph, { label, attributes, defaults }: DiagramBlock): string {
  const { direction = 'LR', ...looks } = attributes
  return graph.dot({
    graph: {
      fontname: 'Arial',
      fontsize: '18',
      pad: '0.4',
      nodesep: '0.5',
      ranksep: '0.7',
      compound: 'true',
      rankdir: DIRECTIONS.has(direction) ? direction : 'LR',
      label,
      ...looks,
    },
    node: { fontname: 'Arial', fontsize: '12', margin: '0.2,0.12', ...defaults.node },
    edge: { fontname: 'Arial', fontsize: '11', color: '#64748b', ...defaults.edge },
  })
}
