/** The plan of a game: its nodes, where they lead, and how they become an order. */
import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals'
import { sayCount } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type NextMark, nextMarks } from '../forecast/next-marks.ts'
import { namesOf } from '../forecast/forecasts.ts'
import { giveOrder } from '../orders/orders.ts'
import { type Plan, type PlanNode, createPlan, planOrder } from './plan.ts'
import { type PlanForecast, createPlanForecast } from './plan-forecast.ts'
import { nodesAhead } from './nodes-ahead.ts'
import { planFault } from './plan-burns.ts'

export interface Planner extends Pick<PlanForecast, 'flown' | 'bent' | 'problem'> {
  readonly plan: Plan
  /** why it cannot be flown now, in a sentence */
  readonly fault: ReadonlySignal<string | undefined>
  /** of the forecast, from its last burn on */
  readonly marks: ReadonlySignal<readonly NextMark[]>
  /** whether an order is on its way to the server */
  readonly isGiven: Signal<boolean>
  /** Gives the nodes as one order; without a fault they are the order's from then on. */
  fly(): Promise<void>
  /** whether the ship has burns of an order ahead */
  readonly hasOrder: ReadonlySignal<boolean>
  /** Takes the burns of the order under way as nodes; the order goes on. */
  open(): void
}

const PER_SECOND = 64

/** A class that is not known yet turns as slowly as the stock ones [s]. */
const TURN_SECONDS = 100

const NONE: readonly PlanNode[] = []

const planners = new WeakMap<Game, Planner>()

/** The one planner of a game. */
export function plannerOf(game: Game): Planner {
  const known = planners.get(game)
  if (known) return known
  const planner = createPlanner(game)
  planners.set(game, planner)
  return planner
}

function createPlanner(game: Game): Planner {
  const { session, target, readings, doing } = game
  const plan = createPlan()
  effect(() => {
    // Another ship has no nodes yet.
    void session.value
    plan.replace([])
  })
  const shown = computed(() => (game.orderKind.value === 'Plan' ? plan.nodes.value : NONE))
  const { flown, drawn, bent, problem } = createPlanForecast({ session, target, nodes: shown })
  const fault = computed(() => {
    const own = readings.value?.own
    return planFault(plan.nodes.value, {
      now: readings.value?.time ?? NaN,
      engine: own,
      turnSeconds: turnSeconds(game),
      forecast: flown.value?.forecast,
      isDocked: doing.dockedAt.value !== undefined,
      isFrozen: own?.isFrozen ?? false,
    })
  })
  const marks = computed(() => marksAhead(game, drawn.value?.forecast))
  const isGiven = signal(false)
  let given = NONE
  const openable = (): readonly Omit<PlanNode, 'id'>[] => {
    const { forecast } = game.forecasts.own.value ?? {}
    const name = doing.maneuver.value?.maneuver
    const { flight } = session.value ?? {}
    if (!forecast || !flight || name === undefined) return NONE
    const now = flight.clock.now()
    const known = name === 'plan' ? given.filter(({ index }) => index > now) : NONE
    return known.length > 0 ? known : nodesAhead(forecast, now, flight.world.system?.bodies ?? [])
  }
  return {
    plan,
    flown,
    bent,
    problem,
    fault,
    marks,
    isGiven,
    fly: async () => {
      const nodes = plan.nodes.peek()
      const order = planOrder(nodes)
      if (!order || fault.peek() !== undefined || isGiven.peek()) return
      isGiven.value = true
      const words = sayCount(nodes.length, 'Fly a plan of {n} node', 'Fly a plan of {n} nodes')
      const isAccepted = await giveOrder(game, order, words)
      isGiven.value = false
      if (!isAccepted) return
      given = nodes
      if (plan.nodes.peek() === nodes) plan.replace([])
    },
    hasOrder: computed(() => openable().length > 0),
    open: () => plan.replace(openable()),
  }
}

function turnSeconds({ session }: Game): number {
  const { world, ship } = session.value?.flight ?? {}
  const name = world?.ship(ship?.id ?? '')?.shipClass
  return world?.classes.find((one) => one.name === name)?.turnSeconds ?? TURN_SECONDS
}

function marksAhead(
  { session, readings }: Game,
  forecast: Parameters<typeof nextMarks>[0] | undefined,
): readonly NextMark[] {
  const { flight } = session.value ?? {}
  if (!flight || !forecast) return []
  const now = readings.value?.time ?? forecast.from
  const burn = forecast.marks.findLast(({ kind }) => kind === 'burn_begin')?.index ?? now
  const from = Math.max(now, burn)
  return nextMarks(forecast, { now: from, ...namesOf(flight) })
    .filter(({ mark: { kind } }) => !kind.startsWith('burn_') && !kind.startsWith('maneuver_'))
    .map((mark) => ({ ...mark, seconds: mark.seconds + (from - now) / PER_SECOND }))
}

/** Lattice index of a time [ms of UTC]. */
export function indexOfUtc({ session }: Game, ms: number): number {
  const { clock } = session.peek()!.flight
  let index = clock.now()
  // Twice, since a leap second may lie in between.
  for (let i = 0; i < 2; i++) index += ((ms - clock.utc(index)) * PER_SECOND) / 1000
  return index
}

/** A time for another node: half a revolution after the last one, and late enough to turn. */
export function nextIndex({ readings }: Game, nodes: readonly PlanNode[]): number {
  const { own, time = NaN } = readings.peek() ?? {}
  const period = own?.orbit.period ?? Infinity
  const seconds = Math.max(period < Infinity ? period / 2 : 3600, 3 * TURN_SECONDS)
  return (nodes.at(-1)?.index ?? time) + PER_SECOND * seconds
}
