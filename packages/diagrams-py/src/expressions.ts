import type { SyntaxNode } from '@lezer/common'
import { edgeOperators } from './edges.ts'
import { type Context, iterated, shown } from './context.ts'
import { member } from './methods.ts'
import { type Program, children, commaParts } from './program.ts'
import { formatted, percentFormatted, pythonText } from './texts.ts'
import { type Arguments, type Scope, type Value, isSame, isTrue } from './values.ts'

/** Evaluates an expression; draws its nodes and edges. */
export function expressionValue(context: Context, scope: Scope, node: SyntaxNode): Value {
  const { program } = context
  const inside = (child: SyntaxNode): Value => expressionValue(context, scope, child)
  const parts = children(node)
  program.spend(node)
  switch (node.name) {
    case 'String':
      return pythonText(program, node)
    case 'ContinuedString':
      return parts.map((part) => shown(context, part, inside(part))).join('')
    case 'FormatString':
      return formatted(
        { program, node, show: (value, isQuoted) => shown(context, node, value, isQuoted) },
        inside,
      )
    case 'Number':
      return numberOf(program, node)
    case 'Boolean':
      return program.textOf(node) === 'True'
    case 'None':
    case 'Ellipsis':
      return null
    case 'VariableName':
      return named(context, scope, node)
    case 'ParenthesizedExpression':
      return inside(parts[1])
    case 'UnaryExpression':
      return unary(context, parts, inside(parts[1]))
    case 'ConditionalExpression':
      return isTrue(inside(parts[2])) ? inside(parts[0]) : inside(parts[4])
    case 'ArrayExpression':
    case 'TupleExpression':
    case 'SetExpression':
      return elements(context, scope, parts)
    case 'ArrayComprehensionExpression':
    case 'ComprehensionExpression':
    case 'SetComprehensionExpression':
      return comprehension(context, scope, parts.slice(1, -1), (local) =>
        expressionValue(context, local, parts[1]),
      )
    case 'DictionaryExpression':
      return dictionary(context, scope, parts)
    case 'DictionaryComprehensionExpression': {
      const pairs = comprehension(context, scope, parts.slice(3, -1), (local) => [
        expressionValue(context, local, parts[1]),
        expressionValue(context, local, parts[3]),
      ]) as [Value, Value][]
      return new Map(pairs.map(([key, value]) => [shown(context, node, key), value]))
    }
    case 'MemberExpression':
      return parts[1].name === '.'
        ? member(context, parts[2], inside(parts[0]))
        : indexed(context, scope, node)
    case 'CallExpression': {
      const callee = inside(parts[0])
      return context.call(node, callee, argumentsOf(context, scope, parts[1]))
    }
    case 'BinaryExpression':
      return binary(context, scope, node)
    default:
      throw program.refusal(node)
  }
}

function numberOf(program: Program, node: SyntaxNode): number {
  const value = Number(program.textOf(node).replaceAll('_', ''))
  if (Number.isNaN(value)) throw program.refusal(node)
  return value
}

function named({ program }: Context, scope: Scope, node: SyntaxNode): Value {
  const name = program.textOf(node)
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    const value = around.names.get(name)
    if (value !== undefined) return value
  }
  throw program.error(node, `${name} has no value`)
}

function unary({ program }: Context, [sign]: SyntaxNode[], value: Value): Value {
  const operator = program.textOf(sign)
  if (operator === 'not') return !isTrue(value)
  if (typeof value !== 'number' || operator === '~') throw program.refusal(sign)
  return operator === '-' ? -value : value
}

/** Values of a list, with `*other` unpacked. */
function elements(context: Context, scope: Scope, parts: readonly SyntaxNode[]): Value[] {
  return commaParts(parts).flatMap((part): Value[] => {
    const value = expressionValue(context, scope, part[part.length - 1])
    return part[0].name === '*' ? iterated(context, part[0], value) : [value]
  })
}

function dictionary(context: Context, scope: Scope, parts: readonly SyntaxNode[]): Value {
  const entries = commaParts(parts).flatMap((part): (readonly [string, Value])[] => {
    const value = expressionValue(context, scope, part[part.length - 1])
    if (part[0].name !== '**') {
      return [[shown(context, part[0], expressionValue(context, scope, part[0])), value]]
    }
    if (value instanceof Map) return [...value]
    throw context.program.error(part[0], '** needs a dictionary')
  })
  return new Map(entries)
}

/** `for x in y if z ...`, whose clauses follow the element. */
function comprehension(
  context: Context,
  outer: Scope,
  parts: readonly SyntaxNode[],
  element: (scope: Scope) => Value,
): Value[] {
  const results: Value[] = []
  const from = (at: number, scope: Scope): void => {
    const [{ name }] = parts.slice(at)
    const next = (i: number, inner: Scope): void =>
      i < parts.length ? from(i, inner) : void results.push(element(inner))
    if (name === 'if') {
      if (isTrue(expressionValue(context, scope, parts[at + 1]))) next(at + 2, scope)
      return
    }
    const within = parts.findIndex((part, i) => i > at && part.name === 'in')
    for (const value of iterated(
      context,
      parts[within + 1],
      expressionValue(context, scope, parts[within + 1]),
    )) {
      const inner: Scope = { names: new Map(), outer: scope }
      assign(context, inner, parts.slice(at + 1, within), value)
      next(within + 2, inner)
    }
  }
  from(
    parts.findIndex(({ name }) => name === 'for'),
    outer,
  )
  return results
}

/** Gives a value to names, `a, b` and `(a, b)` among them, or to an item. */
export function assign(
  context: Context,
  scope: Scope,
  targets: readonly SyntaxNode[],
  value: Value,
): void {
  const { program } = context
  const parts = commaParts(targets)
  const [[target]] = parts
  if (parts.length > 1 || targets.length > 1) {
    const values = iterated(context, target, value)
    if (values.length !== parts.length) {
      throw program.error(target, `${values.length} values for ${parts.length} names`)
    }
    for (const [i, part] of parts.entries()) assign(context, scope, part, values[i])
  } else if (target.name === 'VariableName') scope.names.set(program.textOf(target), value)
  else if (/^(Tuple|Array)Expression$/.test(target.name)) {
    assign(context, scope, [...children(target), target], value)
  } else if (target.name === 'MemberExpression') {
    const [owner, bracket, key] = children(target)
    const list = expressionValue(context, scope, owner)
    const at = bracket.name === '[' ? expressionValue(context, scope, key) : null
    if (list instanceof Map && at !== null) list.set(shown(context, key, at), value)
    else if (Array.isArray(list) && typeof at === 'number' && at < list.length) {
      list[at < 0 ? list.length + at : at] = value
    } else throw program.refusal(target)
  } else throw program.refusal(target)
}

/** `a[0]`, `a[-1]`, `a['key']`, `a[1:3]`. */
function indexed(context: Context, scope: Scope, node: SyntaxNode): Value {
  const { program } = context
  const [owner, , ...rest] = children(node)
  const list = expressionValue(context, scope, owner)
  const colon = rest.findIndex(({ name }) => name === ':')
  const value = (part: SyntaxNode | undefined): Value | undefined =>
    part && !/^[:\]]$/.test(part.name) ? expressionValue(context, scope, part) : undefined
  if (colon >= 0 && (Array.isArray(list) || typeof list === 'string')) {
    const [from, to] = [value(rest[0]), value(rest[colon + 1])]
    if ([from, to].some((end) => end !== undefined && typeof end !== 'number')) {
      throw program.refusal(node)
    }
    program.spend(node, list.length)
    return list.slice(from as number | undefined, to as number | undefined)
  }
  const key = value(rest[0])
  if (key === undefined || rest.length > 2) throw program.refusal(node)
  const found =
    list instanceof Map
      ? list.get(shown(context, node, key))
      : (Array.isArray(list) || typeof list === 'string') && typeof key === 'number'
        ? list.at(key)
        : undefined
  if (found !== undefined) return found
  throw program.error(node, `${program.textOf(owner)} has no ${shown(context, node, key)}`)
}

export function argumentsOf(context: Context, scope: Scope, list: SyntaxNode): Arguments {
  const { program } = context
  const positional: Value[] = []
  const named = new Map<string, Value>()
  const all = children(list)
  if (all.some(({ name }) => name === 'for')) {
    const element = (local: Scope): Value => expressionValue(context, local, all[1])
    return { positional: [comprehension(context, scope, all.slice(1, -1), element)], named }
  }
  for (const part of commaParts(all)) {
    const value = expressionValue(context, scope, part[part.length - 1])
    if (part[0].name === '*') positional.push(...iterated(context, part[0], value))
    else if (part[0].name === '**' && value instanceof Map) {
      for (const [name, one] of value) named.set(name, one)
    } else if (part[1]?.name === 'AssignOp') named.set(program.textOf(part[0]), value)
    else if (part.length === 1) positional.push(value)
    else throw program.refusal(part[0])
  }
  return { positional, named }
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b),
  '**': (a, b) => a ** b,
}

function binary(context: Context, scope: Scope, node: SyntaxNode): Value {
  const { program } = context
  const parts = children(node)
  const [first, last] = [parts[0], parts[parts.length - 1]]
  const operator = parts.slice(1, -1).map(program.textOf).join(' ')
  const left = expressionValue(context, scope, first)
  if (operator === 'and') return isTrue(left) ? expressionValue(context, scope, last) : left
  if (operator === 'or') return isTrue(left) ? left : expressionValue(context, scope, last)
  return operated(context, node, operator, [left, expressionValue(context, scope, last)])
}

/** `left operator right`. */
export function operated(
  context: Context,
  node: SyntaxNode,
  operator: string,
  [left, right]: readonly [Value, Value],
): Value {
  const { program, library } = context
  const joined = edgeOperators(program, library.graph, node, operator, [left, right])
  if (joined !== undefined) return joined
  if (/^(is|==|in|!=|not in|is not)$/.test(operator)) {
    const isFound = operator.endsWith('in')
      ? typeof right === 'string'
        ? right.includes(shown(context, node, left))
        : iterated(context, node, right).some((one) => isSame(one, left))
      : isSame(left, right)
    return isFound !== /not|!/.test(operator)
  }
  if (typeof left === 'string' && operator === '%') {
    const show = (value: Value): string => shown(context, node, value)
    return percentFormatted({ program, node, show }, left, right)
  }
  if (typeof left === 'number' && typeof right === 'number') {
    if (ARITHMETIC[operator]) return ARITHMETIC[operator](left, right)
    if (COMPARISONS[operator]) return COMPARISONS[operator](left - right)
  }
  if (typeof left === 'string' && typeof right === 'string' && COMPARISONS[operator]) {
    return COMPARISONS[operator](left < right ? -1 : left > right ? 1 : 0)
  }
  const [list, times] = typeof left === 'number' ? [right, left] : [left, right]
  if (operator === '*' && typeof times === 'number') {
    if (typeof list === 'string' || Array.isArray(list)) {
      program.spend(node, list.length * Math.max(0, times))
      const count = Math.max(0, Math.floor(times))
      return typeof list === 'string'
        ? list.repeat(count)
        : Array.from({ length: count }, () => list).flat()
    }
  }
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    program.spend(node, left.length + right.length)
    return left + right
  }
  if (operator === '+' && Array.isArray(left) && Array.isArray(right)) {
    program.spend(node, left.length + right.length)
    return [...left, ...right]
  }
  throw program.refusal(node)
}
