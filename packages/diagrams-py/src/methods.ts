import type { SyntaxNode } from '@lezer/common'
import { type Context, iterated, shown } from './context.ts'
import { moduleMember } from './imports.ts'
import { positionalFormatted } from './texts.ts'
import { type Arguments, type Builtin, type Value, bound, objectOf } from './values.ts'

type Method = (context: Context, node: SyntaxNode, given: Arguments) => Value

const numbers = ({ program }: Context, node: SyntaxNode, { positional }: Arguments): number[] => {
  const all = positional.filter((value) => typeof value === 'number')
  if (all.length === positional.length && all.length > 0) return all
  throw program.error(node, 'a number is needed')
}

function only({ program }: Context, node: SyntaxNode, { positional }: Arguments): Value {
  if (positional.length > 0) return positional[0]
  throw program.error(node, 'a value is needed')
}

function sorted(context: Context, node: SyntaxNode, given: Arguments): Value[] {
  const list = iterated(context, node, only(context, node, given))
  const text = (value: Value): string => shown(context, node, value)
  return list.toSorted((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : text(a) < text(b) ? -1 : 1,
  )
}

function range(context: Context, node: SyntaxNode, given: Arguments): Value[] {
  const all = numbers(context, node, given)
  const [from, to, step = 1] = all.length === 1 ? [0, ...all] : all
  const count = Math.max(0, Math.ceil((to - from) / step))
  context.program.spend(node, count)
  return Array.from({ length: count }, (_, i) => from + i * step)
}

const list: Method = (context, node, given) =>
  given.positional.length === 0 ? [] : iterated(context, node, given.positional[0])

/** Functions of the language by name; printing and fetching do nothing. */
const FUNCTIONS: Readonly<Record<string, Method>> = {
  range,
  list,
  tuple: list,
  set: list,
  sorted,
  reversed: (context, node, given) => (list(context, node, given) as Value[]).toReversed(),
  len: (context, node, given) => iterated(context, node, only(context, node, given)).length,
  str: (context, node, given) => shown(context, node, only(context, node, given)),
  int: (context, node, given) =>
    Math.trunc(Number(shown(context, node, only(context, node, given)))),
  min: (context, node, given) => Math.min(...numbers(context, node, given)),
  max: (context, node, given) => Math.max(...numbers(context, node, given)),
  dict: (_, __, { positional: [first], named }) =>
    new Map([...(first instanceof Map ? first : []), ...named]),
  enumerate: (context, node, given) => {
    const { positional, named } = given
    const start = Number(positional[1] ?? named.get('start') ?? 0)
    return iterated(context, node, only(context, node, given)).map((value, i) => [i + start, value])
  },
  zip: (context, node, { positional }) => {
    const all = positional.map((one) => iterated(context, node, one))
    const length = all.length === 0 ? 0 : Math.min(...all.map((one) => one.length))
    return Array.from({ length }, (_, i) => all.map((one) => one[i]))
  },
  print: () => null,
  urlretrieve: () => null,
}

export function builtins(context: Context): Map<string, Value> {
  const all = Object.entries(FUNCTIONS).map(([name, method]): [string, Builtin] => [
    name,
    { kind: 'builtin', call: (node, given) => method(context, node, given) },
  ])
  return new Map<string, Value>([...all, ['__name__', '__main__']])
}

type TextMethod = (text: string, given: readonly string[]) => Value

const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  title: (text) => text.toLowerCase().replaceAll(/\b\p{L}/gu, (letter) => letter.toUpperCase()),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  strip: (text) => text.trim(),
  split: (text, [separator]) =>
    separator === undefined ? text.trim().split(/\s+/) : text.split(separator),
  startswith: (text, [start = '']) => text.startsWith(start),
  endswith: (text, [end = '']) => text.endsWith(end),
}

function textMethod(context: Context, text: string, name: string): Builtin['call'] | undefined {
  const { program } = context
  const show = (node: SyntaxNode) => (value: Value) => shown(context, node, value)
  if (name === 'format') {
    return (node, given) =>
      positionalFormatted({ program, node, show: show(node) }, text, bound(given, []))
  }
  if (name === 'join') {
    return (node, given) => {
      const parts = iterated(context, node, only(context, node, given)).map(show(node))
      program.spend(node, text.length * parts.length)
      return parts.join(text)
    }
  }
  if (name === 'replace') {
    return (node, { positional }) => {
      const [from, to] = positional.map(show(node))
      const parts = text.split(from)
      program.spend(node, text.length + parts.length * to.length)
      return parts.join(to)
    }
  }
  if (!Object.hasOwn(TEXT_METHODS, name)) return undefined
  return (node, { positional }) => {
    program.spend(node, text.length)
    return TEXT_METHODS[name](text, positional.map(show(node)))
  }
}

function listMethod(context: Context, list: Value[], name: string): Builtin['call'] | undefined {
  if (name === 'append') {
    return (node, given) => {
      list.push(only(context, node, given))
      return null
    }
  }
  if (name !== 'extend') return undefined
  return (node, given) => {
    list.push(...iterated(context, node, only(context, node, given)))
    return null
  }
}

function dictionaryMethod(
  context: Context,
  dictionary: Map<string, Value>,
  name: string,
): Builtin['call'] | undefined {
  if (name === 'items') return () => [...dictionary]
  if (name === 'keys') return () => [...dictionary.keys()]
  if (name === 'values') return () => [...dictionary.values()]
  if (name !== 'get') return undefined
  return (node, { positional: [key, other = null] }) =>
    dictionary.get(shown(context, node, key)) ?? other
}

/** `owner.name`: a class or module of the library, or a method. */
export function member(context: Context, property: SyntaxNode, owner: Value): Value {
  const { program } = context
  const name = program.textOf(property)
  const module = objectOf(owner)
  if (module?.kind === 'module') return moduleMember(program, property, module, name)
  const call =
    typeof owner === 'string'
      ? textMethod(context, owner, name)
      : Array.isArray(owner)
        ? listMethod(context, owner, name)
        : owner instanceof Map
          ? dictionaryMethod(context, owner, name)
          : undefined
  if (call) return { kind: 'builtin', call }
  throw program.refusal(property.parent ?? property)
}
