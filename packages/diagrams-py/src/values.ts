import type { SyntaxNode } from '@lezer/common'
import type { Attributes } from './dot-graph.ts'

/** The value of an expression; integers and floats are one kind. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Value[]
  | Map<string, Value>
  | NodeValue
  | EdgeValue
  | Block
  | ClassValue
  | ModuleValue
  | FunctionValue
  | Builtin

export interface NodeValue {
  readonly kind: 'node'
  readonly id: string
}

/** An edge that is not drawn yet; operators complete it, as in the library. */
export interface EdgeValue {
  readonly kind: 'edge'
  from: NodeValue | undefined
  forward: boolean
  back: boolean
  attributes: Attributes
}

/** A diagram or cluster that `with` opens. */
export interface Block {
  readonly kind: 'diagram' | 'cluster'
  readonly label: string
  /** file name without extension */
  readonly filename?: string
  readonly theme: string
  /** whether nodes show the names of their classes */
  readonly autolabel: boolean
  readonly graph: Attributes
  readonly node?: Attributes
  readonly edge?: Attributes
}

/** A class of the library, such as `aws.compute` and `EC2`. */
export interface ClassValue {
  readonly kind: 'class'
  readonly module: string
  readonly name: string
}

export interface ModuleValue {
  readonly kind: 'module'
  /** such as `aws.compute`; empty for `diagrams` itself */
  readonly path: string
}

export interface FunctionValue {
  readonly kind: 'function'
  readonly definition: SyntaxNode
  readonly scope: Scope
}

/** A function of the language. */
export interface Builtin {
  readonly kind: 'builtin'
  readonly call: (node: SyntaxNode, given: Arguments) => Value
}

export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/** Names with values, and those around them. */
export interface Scope {
  readonly names: Map<string, Value>
  readonly outer?: Scope
}

/** Arguments by the names of their parameters. */
export function bound(
  { positional, named }: Arguments,
  names: readonly string[],
): Map<string, Value> {
  return new Map([...positional.map((value, i) => [names[i] ?? `${i}`, value] as const), ...named])
}

/** A value of the library or a function; undefined for texts, numbers and collections. */
export function objectOf(value: Value): Extract<Value, { readonly kind: string }> | undefined {
  const isObject = value !== null && typeof value === 'object' && 'kind' in value
  return isObject ? value : undefined
}

export function isTrue(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value instanceof Map ? value.size > 0 : Boolean(value)
}

/** `==`; lists and dictionaries equal only themselves. */
export function isSame(a: Value, b: Value): boolean {
  return a === b
}

/** What `str` returns; quoted inside of lists. */
export function display(value: Value, spend: (amount: number) => void, isQuoted = false): string {
  spend(1)
  const inside = (part: Value): string => display(part, spend, true)
  if (typeof value === 'string') {
    spend(value.length)
    return isQuoted ? `'${value}'` : value
  }
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(inside).join(', ')}]`
  if (value instanceof Map) {
    return `{${[...value].map(([key, part]) => `${inside(key)}: ${inside(part)}`).join(', ')}}`
  }
  return `<${value.kind}>`
}
