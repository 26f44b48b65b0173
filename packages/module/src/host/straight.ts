import { type Node, parse } from 'acorn'
import { EXACT_MATH } from '../purity.ts'

/** What a beat may call of what it is given: the host's, which ends. */
const GIVEN: ReadonlySet<string> = new Set(['claim', 'destroy', 'emit', 'near', 'random'])

/** Names that are what they seem unless a source declares them itself. */
const OUTER = ['Math', 'undefined', 'refusal']

/** Kinds of nodes of a schema that calls no code of its own. */
const PLAIN: ReadonlySet<string> = new Set([
  'CallExpression',
  'Identifier',
  'Literal',
  'MemberExpression',
  'ObjectExpression',
  'Property',
])

/** Kinds of nodes of code that comes to its end, whatever is in it. */
const STRAIGHT: ReadonlySet<string> = new Set([
  'ArrowFunctionExpression',
  'AssignmentExpression',
  'BinaryExpression',
  'BlockStatement',
  'CallExpression',
  'ConditionalExpression',
  'ExpressionStatement',
  'FunctionExpression',
  'Identifier',
  'IfStatement',
  'Literal',
  'LogicalExpression',
  'MemberExpression',
  'ObjectExpression',
  'ObjectPattern',
  'Property',
  'ReturnStatement',
  'ThrowStatement',
  'UnaryExpression',
  'VariableDeclaration',
  'VariableDeclarator',
])

type Tree = Node & Readonly<Record<string, unknown>>

/**
 * Ids of the modules of a source whose beat and loads have no loops and call nothing that could:
 * they end, so no watchdog has to look after them. What is not certain is left out.
 *
 * @param source  JavaScript
 */
export function straightModules(source: string): ReadonlySet<string> {
  const { body } = parse(source, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as {
    readonly body: readonly Tree[]
  }
  const tops = new Set(body.flatMap(namesIn))
  if (OUTER.some((name) => tops.has(name))) return new Set()
  const numbers = new Set(body.flatMap(numbersIn))
  const declared = body.flatMap(callsIn).filter(({ callee }) => nameOf(callee) === 'defineModule')
  const ids = declared.flatMap(({ arguments: given }) => {
    const { beat, events, id, mass, thrustLimit } = partsOf((given as readonly Tree[])[0])
    const functions = [partsOf(beat)['run'], mass, thrustLimit]
    const isStraight =
      functions.every((one) => !one || isEnding(one, numbers)) && (!events || isPlain(events))
    return isStraight && typeof id?.['value'] === 'string' ? [id['value']] : []
  })
  return new Set(ids)
}

/** Whether a declaration has no function and no pattern of its own. */
function isPlain(node: Tree): boolean {
  return PLAIN.has(node.type) && !node['regex'] && childrenOf(node).every(isPlain)
}

/** Names of the constants of a statement that are numbers: to look at them calls nothing. */
function numbersIn({ declarations, kind }: Tree): string[] {
  if (kind !== 'const') return []
  return (declarations as readonly Tree[]).flatMap(({ id, init }) => {
    const isNumber = typeof (init as Tree | null)?.['value'] === 'number'
    return isNumber ? [nameOf(id) ?? ''] : []
  })
}

function callsIn(node: Tree): Tree[] {
  const inner = childrenOf(node).flatMap(callsIn)
  return node.type === 'CallExpression' ? [node, ...inner] : inner
}

/** Values of an object's properties by name. */
function partsOf(object: unknown): Readonly<Record<string, Tree | undefined>> {
  const { properties = [] } = Object(object) as { readonly properties?: readonly Tree[] }
  return Object.fromEntries(
    properties.map(({ key, value }) => [nameOf(key) ?? '', value as Tree | undefined]),
  )
}

/** Whether a function comes to its end, whatever it is given. */
function isEnding(node: Tree, numbers: ReadonlySet<string>): boolean {
  const given = new Set(
    [node['params']]
      .flat()
      .flatMap(boundIn)
      .filter((name) => GIVEN.has(name)),
  )
  const names = new Set([...numbers, ...OUTER, ...namesIn(node)])
  const hasEnded = (one: Tree, above: Tree): boolean => {
    if (!STRAIGHT.has(one.type) || one['regex']) return false
    if (one.type === 'Identifier' && !names.has(nameOf(one) ?? '')) return false
    if (one.type === 'MemberExpression' && one['computed']) return false
    // Another function could call itself, or be called by what looks at a value.
    const isFunction = /Function/.test(one.type) && one !== node
    if (isFunction && !(above.type === 'CallExpression' && nameOf(above['callee']) === 'claim')) {
      return false
    }
    if (one.type === 'CallExpression' && !isCalled(one['callee'] as Tree, given)) return false
    return childrenOf(one).every((child) => isNamed(one, child) || hasEnded(child, one))
  }
  return hasEnded(node, node)
}

function isCalled(callee: Tree, given: ReadonlySet<string>): boolean {
  const name = nameOf(callee) ?? ''
  if (callee.type === 'Identifier') return given.has(name) || name === 'refusal'
  const isMath = nameOf(callee['object']) === 'Math'
  return isMath && EXACT_MATH.has(nameOf(callee['property']) ?? '')
}

/** Whether a child is a name that stands for no value of its own. */
function isNamed({ computed, key, property, type, value }: Tree, child: Tree): boolean {
  if (type === 'MemberExpression') return child === property && !computed
  return type === 'Property' && child === key && key !== value && !computed
}

/** Names of functions, classes, parameters and variables in a node. */
function namesIn(node: Tree): string[] {
  const isNaming = /^(?:Variable|Function|Class)Decl/.test(node.type)
  const own = [node['params'], isNaming ? node['id'] : undefined]
  return [...own.flat().flatMap(boundIn), ...childrenOf(node).flatMap(namesIn)]
}

function boundIn(pattern: unknown): string[] {
  const name = nameOf(pattern)
  return name === undefined ? Object.values(partsOf(pattern)).flatMap(boundIn) : [name]
}

function nameOf(node: unknown): string | undefined {
  const { name, type } = Object(node) as { readonly name?: string; readonly type?: string }
  return type === 'Identifier' ? name : undefined
}

function childrenOf(node: Tree): Tree[] {
  return Object.values(node)
    .flat()
    .filter((one): one is Tree => typeof Object(one).type === 'string')
}
