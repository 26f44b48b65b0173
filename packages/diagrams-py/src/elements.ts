import type { SyntaxNode } from '@lezer/common'
import { c4Boundary, c4Node, c4Relationship } from './c4.ts'
import type { Attributes } from './dot-graph.ts'
import { classIcon } from './icons.ts'
import { THEMES, iconLooks } from './looks.ts'
import type { Program } from './program.ts'
import {
  type Block,
  type ClassValue,
  type EdgeValue,
  type Value,
  display,
  isTrue,
} from './values.ts'

/** A call of a class, and its arguments by name. */
export interface Construction {
  readonly program: Program
  readonly node: SyntaxNode
  readonly called: ClassValue
  readonly given: ReadonlyMap<string, Value>
}

type Texts = Readonly<Record<string, string>>

function textOf({ program, node }: Construction, value: Value): string {
  return display(value, (amount) => program.spend(node, amount))
}

/** Arguments as Graphviz attributes. */
function texts(construction: Construction, values: Iterable<readonly [string, Value]>): Texts {
  const given = [...values].filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(construction, value)]))
}

function dictionary(construction: Construction, name: string): Texts {
  const value = construction.given.get(name)
  return value instanceof Map ? texts(construction, value) : {}
}

/** A `Diagram`, `Cluster` or `SystemBoundary`. */
export function blockOf(construction: Construction): Block {
  const { program, node, called, given } = construction
  const plain = [...given].filter(([, value]) => typeof value === 'string')
  const { name, label, direction, theme = 'neutral', ...rest } = texts(construction, plain)
  if (direction && !/^(TB|BT|LR|RL)$/i.test(direction)) {
    throw program.error(node, `the direction ${direction} is none of TB, BT, LR and RL`)
  }
  if (!Object.hasOwn(THEMES, theme)) {
    throw program.error(node, `the theme ${theme} is none of ${Object.keys(THEMES).join(', ')}`)
  }
  const { filename, curvestyle } = rest
  return {
    kind: called.name === 'Diagram' ? 'diagram' : 'cluster',
    label: name ?? label ?? '',
    ...(filename && { filename }),
    theme,
    autolabel: isTrue(given.get('autolabel')),
    graph: {
      ...(direction && { rankdir: direction.toUpperCase() }),
      ...(curvestyle && { splines: curvestyle }),
      ...(called.name === 'SystemBoundary' && c4Boundary),
      ...dictionary(construction, 'graph_attr'),
    },
    node: dictionary(construction, 'node_attr'),
    edge: dictionary(construction, 'edge_attr'),
  }
}

/** An `Edge` or `Relationship`. */
export function edgeOf(construction: Construction): EdgeValue {
  const { called, given } = construction
  const { label = '', forward, reverse, node: _, ...rest } = texts(construction, given)
  const isC4 = called.name === 'Relationship'
  return {
    kind: 'edge',
    from: undefined,
    forward: forward === 'True',
    back: reverse === 'True',
    attributes: { ...(isC4 ? c4Relationship(label) : label && { label }), ...rest },
  }
}

/** A node with its icon, or an element of C4. */
export function nodeLooks(construction: Construction, isLabelled: boolean): Attributes {
  const { called, given } = construction
  if (called.module === 'c4') return c4Looks(construction)
  const { label = '', icon_path: path, image, ...rest } = texts(construction, given)
  const shown = isLabelled ? [called.name, label].filter(Boolean).join('\n') : label
  const icon = image ?? path ?? classIcon(called.module, called.name)
  return { ...(icon !== undefined && iconLooks(icon, shown)), ...rest, label: shown }
}

function c4Looks(construction: Construction): Attributes {
  const { called, given } = construction
  const { name = '', technology = '', description = '', ...rest } = texts(construction, given)
  const { type: kind = called.name, external, ...looks } = rest
  const isExternal = external === 'True'
  return { ...c4Node({ name, kind, technology, description, isExternal }), ...looks }
}
