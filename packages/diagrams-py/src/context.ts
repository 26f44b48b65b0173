import type { SyntaxNode } from '@lezer/common'
import type { Library } from './library.ts'
import type { Program } from './program.ts'
import { type Arguments, type Value, display } from './values.ts'

/** What evaluates expressions and calls functions. */
export interface Context {
  readonly program: Program
  readonly library: Library
  /** functions that are being called */
  readonly active: Set<SyntaxNode>
  readonly call: (node: SyntaxNode, callee: Value, given: Arguments) => Value
}

/** A value as text, as `str` returns it. */
export function shown(
  { program }: Context,
  node: SyntaxNode,
  value: Value,
  isQuoted: boolean = false,
): string {
  return display(value, (amount) => program.spend(node, amount), isQuoted)
}

/** The elements that `for` runs over. */
export function iterated({ program }: Context, node: SyntaxNode, value: Value): Value[] {
  const all = value instanceof Map ? [...value.keys()] : value
  const list = typeof all === 'string' ? Array.from(all) : all
  if (!Array.isArray(list)) throw program.error(node, `${program.textOf(node)} is not a list`)
  program.spend(node, list.length)
  return [...list]
}
