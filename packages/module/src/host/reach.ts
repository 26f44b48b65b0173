import { type Node, parse } from 'acorn'
import type { GameModule } from '../define-module.ts'

type Tree = Node & Readonly<Record<string, unknown>>

/** What a module can do to how a ship flies. */
export interface Reach {
  readonly byBeat: boolean
  /** names of what it reacts to so */
  readonly byEvents: readonly string[]
  /** by a command, as a pilot gives or a rule orders it */
  readonly byCommand: boolean
}

const known = new WeakMap<GameModule, Reach>()

/** A module without masses and thrusts moves ships only where its functions name what does. */
export function reachOf(module: GameModule): Reach {
  const reach = known.get(module) ?? foundReach(module)
  known.set(module, reach)
  return reach
}

function foundReach({ beat, commands, mass, on, thrustLimit }: GameModule): Reach {
  const isLoading = (mass ?? thrustLimit) !== undefined
  const runs = Object.values(commands).map(({ run }) => run)
  return {
    byBeat: beat !== undefined && (isLoading || reaches(beat.run, 0, 'destroy')),
    byEvents: Object.keys(on).filter((name) => isLoading || reaches(on[name], 2, 'destroy')),
    byCommand: runs.some((run) => {
      return isLoading || reaches(run, 0, 'refuel') || reaches(run, 0, 'destroy')
    }),
  }
}

/** Whether a function may use a part of what it is given; true where its text does not say. */
function reaches(given: unknown, place: number, name: string): boolean {
  const text = String(given)
  if (text.includes('arguments')) return true
  const [node] = [`(${text})`, `({${text}})`].flatMap((source) => parsed(source) ?? [])
  const parameters = node && (valueOf(node)['params'] as readonly Tree[] | undefined)
  if (!parameters) return true
  const parameter = parameters[place]
  if (!parameter) return parameters.at(-1)?.type === 'RestElement'
  if (parameter.type !== 'ObjectPattern') return true
  const properties = parameter['properties'] as readonly Tree[]
  return properties.some(({ computed, key, type }) => {
    if (type !== 'Property' || computed === true) return true
    const { name: own, value } = key as Tree
    return (own ?? value) === name
  })
}

/** A source as an expression; undefined where it does not parse as one. */
function parsed(source: string): Tree | undefined {
  try {
    const { body } = parse(source, { ecmaVersion: 'latest' })
    return (body[0] as Tree)['expression'] as Tree
  } catch {
    return undefined
  }
}

/** A function, also where it is written as a method. */
function valueOf(node: Tree): Tree {
  if (node.type !== 'ObjectExpression') return node
  return (node['properties'] as readonly Tree[])[0]['value'] as Tree
}
