// Law: what the server flies of a plan is what was drawn, to the bit, after each of its nodes.
// Method: seeded plans of many pilots on a real server that stands while they are drawn and given;
// where it stands again after each node, states are compared with the forecasts.
import { type PlayerClient, connectSocket } from '@orrery/client'
import { type Forecast, createShipSample, openFlight } from '@orrery/client/flight'
import { PageServer } from '@orrery/page-kit/page-server'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeltaV, createPlan, planOrder } from '../../src/plans/plan.ts'

const PILOTS = byTier({ gate: 2, night: 200 })
const NODES_MAX = byTier({ gate: 2, night: 5 })

/** Between two nodes, and what each may be later [s]. */
const APART = 240
const JITTER = 60

/** So long after a node's place it has burnt [s]. */
const BURNT = 110

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

// Others leave the shared one within a quantum, where no state can be asked for to the bit.
beforeAll(async () => {
  server = await PageServer.start()
})

afterAll(() => server.remove())

async function drawnAndGiven(name: string): Promise<Pilot> {
  const { url, client } = server
  const { token, ship_id: shipId } = await client.register(name, 'correct horse 7b')
  const socket = connectSocket({ url, token, wire: 'binary' })
  const flight = openFlight({ socket })
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
  const order = planOrder(plan.nodes.value)!
  const drawn = await flight.forecast(shipId, { hours: 1, orders: [{ order }] })
  await socket.order(order)
  flight.close()
  socket.close()
  return { player: client.player(token), utc: (index) => clock.utc(index), start, drawn }
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
