import type { SyntaxNode } from '@lezer/common'
import { bindImports } from './imports.ts'
import { type Context, iterated } from './context.ts'
import { assign, expressionValue, operated } from './expressions.ts'
import { children, commaParts } from './program.ts'
import {
  type Arguments,
  type Block,
  type FunctionValue,
  type Scope,
  type Value,
  isTrue,
  objectOf,
} from './values.ts'

/** How a block ends before its last statement. */
type End = 'break' | 'continue' | { readonly returned: Value } | undefined

/** Runs statements in order. */
export function run(context: Context, scope: Scope, statements: readonly SyntaxNode[]): End {
  for (const statement of statements) {
    const end = step(context, scope, statement)
    if (end !== undefined) return end
  }
  return undefined
}

function step(context: Context, scope: Scope, statement: SyntaxNode): End {
  const { program } = context
  const parts = children(statement)
  program.spend(statement)
  switch (statement.name) {
    case 'ImportStatement':
      bindImports(program, scope, statement)
      return undefined
    case 'ExpressionStatement':
      for (const part of parts) if (part.name !== ',') expressionValue(context, scope, part)
      return undefined
    case 'AssignStatement':
      assigned(context, scope, parts)
      return undefined
    case 'UpdateStatement': {
      const [target, operator, value] = parts
      const left = expressionValue(context, scope, target)
      const right = expressionValue(context, scope, value)
      const sign = program.textOf(operator).slice(0, -1)
      assign(context, scope, [target], operated(context, statement, sign, [left, right]))
      return undefined
    }
    case 'StatementGroup':
      return run(
        context,
        scope,
        parts.filter(({ name }) => name !== ';'),
      )
    case 'WithStatement':
      return opened(context, scope, parts)
    case 'ForStatement':
      return repeated(context, scope, parts)
    case 'IfStatement': {
      const then = parts.findIndex(
        ({ name }, i) =>
          name === 'Body' &&
          (parts[i - 1].name === 'else' || isTrue(expressionValue(context, scope, parts[i - 1]))),
      )
      return then < 0 ? undefined : body(context, scope, parts[then])
    }
    case 'FunctionDefinition': {
      const name = program.textOf(parts[1])
      scope.names.set(name, { kind: 'function', definition: statement, scope })
      return undefined
    }
    case 'ReturnStatement':
      return { returned: listed(context, scope, parts.slice(1)) }
    case 'BreakStatement':
      return 'break'
    case 'ContinueStatement':
      return 'continue'
    case 'PassStatement':
      return undefined
    default:
      throw program.refusal(statement)
  }
}

/** The statements of an indented block, after its colon. */
function body(context: Context, scope: Scope, block: SyntaxNode): End {
  return run(
    context,
    scope,
    children(block)
      .slice(1)
      .filter(({ name }) => name !== ';'),
  )
}

/** `a` or `a, b`. */
function listed(context: Context, scope: Scope, parts: readonly SyntaxNode[]): Value {
  const all = commaParts(parts).map(([value]) => expressionValue(context, scope, value))
  return parts.some(({ name }) => name === ',') ? all : (all[0] ?? null)
}

/** `a = b = value`, `a: int = value`, `a, b = 1, 2`. */
function assigned(context: Context, scope: Scope, parts: readonly SyntaxNode[]): void {
  const sides: SyntaxNode[][] = [[]]
  for (const part of parts) {
    if (part.name === 'AssignOp') sides.push([])
    else if (part.name !== 'TypeDef') sides[sides.length - 1].push(part)
  }
  const targets = sides.slice(0, -1)
  if (targets.length === 0) return
  const value = listed(context, scope, sides[sides.length - 1])
  for (const target of targets) assign(context, scope, target, value)
}

/** `with A() as a, B():` or `with (A(), B()):` opens each block inside of those before. */
function opened(context: Context, scope: Scope, parts: readonly SyntaxNode[]): End {
  const { program, library } = context
  const [first] = parts.slice(1)
  const items = first.name === 'TupleExpression' ? children(first) : parts.slice(1, -1)
  const blocks = commaParts(items).map(([call, , alias]): Block => {
    const block = objectOf(expressionValue(context, scope, call))
    if (block?.kind !== 'diagram' && block?.kind !== 'cluster') throw program.refusal(call)
    if (alias) scope.names.set(program.textOf(alias), block)
    library.open(call, block)
    return block
  })
  const end = body(context, scope, parts[parts.length - 1])
  for (const block of blocks.toReversed()) library.close(block)
  return end
}

function repeated(context: Context, scope: Scope, parts: readonly SyntaxNode[]): End {
  const within = parts.findIndex(({ name }) => name === 'in')
  const [list, block, ...otherwise] = parts.slice(within + 1)
  for (const value of iterated(context, list, expressionValue(context, scope, list))) {
    assign(context, scope, parts.slice(1, within), value)
    const end = body(context, scope, block)
    if (end === 'break') return undefined
    if (end !== undefined && end !== 'continue') return end
  }
  return otherwise[1] ? body(context, scope, otherwise[1]) : undefined
}

/** Calls a function of the program; each at most once at a time. */
export function functionValue(
  context: Context,
  node: SyntaxNode,
  { definition, scope: outer }: FunctionValue,
  { positional, named }: Arguments,
): Value {
  const { program } = context
  const parts = children(definition)
  const name = program.textOf(parts[1])
  if (context.active.has(definition)) throw program.error(node, `${name} calls itself`)
  const scope: Scope = { names: new Map(), outer }
  const left = new Map(named)
  const values = [...positional]
  for (const [first, second, ...rest] of commaParts(children(parts[2]))) {
    const parameter = program.textOf(first.name.startsWith('*') ? (second ?? first) : first)
    if (first.name === '*') scope.names.set(parameter, values.splice(0))
    else if (first.name === '**') scope.names.set(parameter, new Map(left))
    if (first.name === '**') left.clear()
    if (first.name.startsWith('*')) continue
    const all = [second, ...rest]
    const standard = all[all.findIndex((part) => part?.name === 'AssignOp') + 1]
    const given = values.length > 0 ? values.shift() : left.get(parameter)
    left.delete(parameter)
    const value =
      given ?? (rest.length > 0 && standard ? expressionValue(context, outer, standard) : undefined)
    if (value === undefined) throw program.error(node, `${name} needs ${parameter}`)
    scope.names.set(parameter, value)
  }
  if (values.length > 0 || left.size > 0) throw program.error(node, `${name} takes fewer arguments`)
  context.active.add(definition)
  const end = body(context, scope, parts[parts.length - 1])
  context.active.delete(definition)
  return typeof end === 'object' ? end.returned : null
}
