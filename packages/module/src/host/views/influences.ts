import type { Influence, ModuleRoom } from '@orrery/engine/modules'
import { RULE_BITS } from '@orrery/sim'
import { reachOf } from '../reach.ts'
import { MARKS } from '../running/core-events.ts'
import type { RunningModule } from '../running/running-module.ts'

const RULES = ['rule'] as const

interface Ship {
  readonly slot: number
  readonly number: number
}

/** What may change a ship's flight, some of it more than once. */
export function influencesOn(
  all: readonly RunningModule[],
  room: ModuleRoom,
  slot: number,
): readonly Influence[] {
  const ship = { slot, number: room.state.ships.shipNumber[slot] }
  const going = all.filter(({ stopped }) => !stopped)
  return [
    ...going.flatMap((running) => byItself(running, going, ship)),
    ...byRules(going, room, ship),
    ...going.flatMap((running) => byPilot(running, slot)),
  ]
}

/** A command changes the flight of a ship by what it has aboard: new ones have nothing. */
function byPilot({ account, module, ships }: RunningModule, slot: number): readonly Influence[] {
  const isLoaded = ships.some((memory) => {
    return !account.includes(memory) && memory.values[slot] !== memory.column.default
  })
  return isLoaded && reachOf(module).byCommand ? [{ module: module.id, byPilot: true }] : []
}

function byItself(
  running: RunningModule,
  going: readonly RunningModule[],
  { slot, number: ship }: Ship,
): readonly Influence[] {
  const { due, module, ordered } = running
  const { id } = module
  const { byBeat, byCommand, byEvents } = reachOf(module)
  const ofShip = (one: { readonly shipNumber: number }): boolean => one.shipNumber === ship
  const isDue =
    (byCommand && ordered.waiting.some(ofShip)) || (byEvents.length > 0 && due.waiting.some(ofShip))
  const answers = going.filter((one) => {
    const isNamed = byEvents.some((name) => name.startsWith(`${one.module.id}.`))
    return isNamed && (isBeating(one, slot) || Object.keys(one.module.on).length > 0)
  })
  const isActing = (byBeat && isBeating(running, slot)) || isDue || answers.length > 0
  if (isActing) return [{ module: id }]
  const on = byEvents.flatMap((name) => MARKS[name] ?? [])
  return on.length > 0 ? [{ module: id, on }] : []
}

function isBeating({ columns, module }: RunningModule, slot: number): boolean {
  const of = columns.find(({ name }) => name === module.beat?.of)
  return of !== undefined && of.values[slot] !== 0
}

/** By the armed rules of its pilot. */
function byRules(
  going: readonly RunningModule[],
  { rules, state }: ModuleRoom,
  { slot, number }: Ship,
): readonly Influence[] {
  const { ruleArmed } = state.ships
  const all = rules.ofShip.get(number) ?? []
  const armed = all.filter((_, place) => (ruleArmed[slot] & RULE_BITS[place]) !== 0)
  return armed.flatMap(({ command, condition, order }) => {
    const ordered = going.find(({ module }) => module.id === command?.module)?.module
    const obeying = ordered && reachOf(ordered).byCommand ? [{ module: ordered.id }] : []
    if (condition.kind !== 'module') return obeying.map((one) => ({ ...one, on: RULES }))
    const watched = going.find(({ module }) => module.id === condition.module)?.module
    if (!watched || (!order && obeying.length === 0)) return []
    return [{ module: watched.id }, ...obeying]
  })
}
