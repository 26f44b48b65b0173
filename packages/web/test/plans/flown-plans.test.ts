// Law: what the server flies of a plan is what the page has drawn, to the bit, after each node.
// Method: seeded plans of many pilots on a real server that stands while they are drawn and given;
// where it stands again after each node, states are compared with the page's forecasts.
import type { PlayerClient } from '@orrery/client'
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { type PageServer, sharedPageServer } from '@orrery/page-kit/page-server'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { signal } from '@preact/signals'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPlanForecast } from '../../src/plans/plan-forecast.ts'
import { type DeltaV, type Plan, createPlan, planOrder } from '../../src/plans/plan.ts'
import { type Session, openSession } from '../../src/session/session.ts'

const PILOTS = byTier({ gate: 2, night: 200 })
const NODES_MAX = byTier({ gate: 2, night: 5 })

/** At night more than a revolution is flown. */
const SCALE = byTier({ gate: 100, night: 500 })

/** Between two nodes, and what each may be later [s]. */
const APART = 2.4 * SCALE
const JITTER = 0.6 * SCALE

/** So long after a node's place it has burnt [s]. */
const BURNT = 1.1 * SCALE

/** Lattice indices per second. */
const PER_SECOND = 64

const seed = testSeed('flown plans')
const chance = createChance(seed)
const state = createShipSample()

interface Pilot {
  readonly player: PlayerClient
  /** game time of a lattice index [ms] */
  readonly utc: (index: number) => number
  /** lattice index at which all stood */
  readonly start: number
  readonly drawn: Forecast
}

let server: PageServer

beforeAll(async () => {
  vi.stubGlobal('document', { hidden: true })
  server = await sharedPageServer()
  const { game } = await server.admin()
  // Others may have left it within a quantum, where no state can be asked for to the bit.
  await game.reset()
})

afterAll(() => vi.unstubAllGlobals())

async function drawnAndGiven(username: string): Promise<Pilot> {
  const { url, client } = server
  const { token, ship_id: shipId } = await client.register(username, 'correct horse 7b')
  const account = { username, token, shipId }
  const session = openSession({ client, url, account, onConnection: () => undefined })
  const { flight, socket } = session
  await flight.ready
  const { clock } = flight
  const start = Math.floor(clock.serverNow())
  const plan = createPlan()
  const component = (): number => 40 * chance.share() - 20
  for (let i = 1 + chance.below(NODES_MAX); i > 0; i--) {
    const seconds = APART * i + JITTER * chance.share()
    const deltaV: DeltaV = [component(), component(), component()]
    plan.change(plan.add(start + PER_SECOND * seconds)!, { deltaV })
  }
  const drawn = await drawing(session, plan)
  await socket.order(planOrder(plan.nodes.value)!)
  session.close()
  return { player: session.player, utc: (index) => clock.utc(index), start, drawn }
}

/** The forecast that the page's map draws of a plan. */
async function drawing(session: Session, { nodes }: Plan): Promise<Forecast> {
  const target = signal(undefined)
  const made = createPlanForecast({ session: signal(session), target, nodes })
  const { flown, problem } = made
  await expect.poll(() => flown.value ?? problem.value, { interval: 5 }).toBeDefined()
  made.close()
  expect(problem.value).toBeUndefined()
  return flown.value!.forecast
}

/** How a ship that stands differs from what was drawn; undefined where it does not. */
async function difference(
  { player, utc, drawn }: Pilot,
  near: number,
): Promise<object | undefined> {
  const { game_time: time } = await server.client.status()
  const ms = Date.parse(time)
  const index = Math.round(near + ((ms - utc(near)) * PER_SECOND) / 1000)
  const { relative_position: r, relative_velocity: v } = await player.ship()
  if (!drawn.stateAt(state, index)) return { index, from: drawn.from, to: drawn.to }
  const flown = [r.x, r.y, r.z, v.x, v.y, v.z]
  const due = [...state.r, ...state.v]
  return flown.every((value, i) => value === due[i]) ? undefined : { seed, flown, due }
}

test('plans are flown as they were drawn, to the bit', async () => {
  const admin = await server.admin()
  // A tick has whole quanta.
  await admin.game.changeTickRate(8)
  await admin.game.pause()
  const pilots: Pilot[] = []
  for (let i = 0; i < PILOTS; i++) pilots.push(await drawnAndGiven(`Planner_${i}`))
  const { start, utc } = pilots[0]
  await admin.game.changeTimeScale(100)
  for (let node = 1; node <= NODES_MAX; node++) {
    const index = start + PER_SECOND * (APART * node + BURNT)
    await admin.game.resume()
    await expect
      .poll(async () => Date.parse((await server.client.status()).game_time), { interval: 50 })
      .toBeGreaterThan(utc(index))
    await admin.game.pause()
    for (const pilot of pilots) expect(await difference(pilot, index)).toBeUndefined()
  }
  for (const { player, drawn } of pilots) {
    const { fuel, last_maneuver: last } = await player.ship()
    expect(last).toMatchObject({ maneuver: 'plan', outcome: 'completed' })
    expect(fuel).toBe(drawn.fuel)
  }
})
