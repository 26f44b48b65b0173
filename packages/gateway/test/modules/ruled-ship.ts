/**
 * Law: a pilot's rule fires on a column of a module and orders a command of it. Goal: both are set
 * over the API and acted out by the server, a refusal is an event with its rule, the pilot's own
 * flight keeps the bits of the server, and a kill loses no rule; what pilots do not see is refused.
 */
import { connectSocket, createGameClient } from '@orrery/client'
import { createModulesClient, createShipSample, openFlight } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import type { RuleRequest } from '@orrery/protocol'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

const stone = { type: 'module', module: 'quarry', column: 'stone' } as const

const THRUST: RuleRequest['action'] = { type: 'control', thrust_level: 0.01 }

const drop = (name: string, above: number, kg: number): RuleRequest => ({
  name,
  once: true,
  condition: { ...stone, above },
  action: name === 'Thrust' ? THRUST : { type: 'event' },
  module_command: { module: 'quarry', command: 'drop', values: { kg } },
})

/** A ship drops what it is granted; returns what holds after a kill. */
export async function shipFollowsItsRules(server: UsedServer): Promise<() => Promise<void>> {
  const { token, ship_id } = await register(server, 'Ruler')
  const pilot = () => createGameClient({ url: server.url }).player(token)
  const modules = () => createModulesClient({ url: server.url, token })
  const { rules } = pilot()
  const kept = await rules.create(drop('Thrust', 5, 2))
  const greedy = await rules.create(drop('Greedy', 5, 100))
  expect(kept).toMatchObject(drop('Thrust', 5, 2))
  const heavy = await rules.create({
    name: 'Heavy',
    condition: { ...stone, above: 3 },
    action: { type: 'event' },
  })
  const refused = (code: string, request: Partial<RuleRequest>): Promise<void> =>
    expect(rules.create({ ...drop('No', 5, 1), ...request })).rejects.toMatchObject({ code })
  const order = (command: string, values = {}) => {
    return { module_command: { module: 'quarry', command, values } }
  }
  await refused('E002', { condition: { ...stone, above: 1, column: 'note' } })
  await refused('E001', { condition: { ...stone, above: 1, column: 'pit' } })
  await refused('E002', { condition: { ...stone, above: 1, module: 'mining' } })
  await refused('E001', { condition: stone })
  await refused('E002', order('grant', { kg: 1 }))
  await refused('E001', order('drop', { kg: 'all' }))
  expect(await rules.list()).toEqual({ rules: [kept, greedy, heavy] })
  const leftOut = async (): Promise<unknown> => {
    const [{ modules_left_out: now }, { modules_left_out: predicted }] = await Promise.all([
      modules().read(),
      pilot().predict({ hours: 0.01 }),
    ])
    return { now, predicted }
  }
  expect(await leftOut()).toEqual({ now: ['quarry'], predicted: ['quarry'] })
  const socket = connectSocket({ url: server.url, token, wire: 'binary' })
  const flight = openFlight({ socket })
  const sample = createShipSample()
  const checks: boolean[] = []
  const refusals: unknown[] = []
  try {
    await new Promise((resolve) => flight.ship.on('mode', resolve))
    flight.ship.on('checked', ({ isEqual }) => checks.push(isEqual))
    socket.on('event', (event) => {
      if (event.module_event === 'rule_refused') refusals.push(event)
    })
    const wanted = { name: 'ruler', scopes: ['commands'] }
    const shop = await server.order('POST', '/api/admin/service-tokens', wanted)
    const grant = { module: 'quarry', command: 'grant', values: { kg: 5 } }
    const call = createGameClient({ url: server.url }).service(shop.token).once('for the ruler')
    await call(api.commandModuleForShip, { ship_id, ...grant })
    const reason = 'quarry drop: too_much, has 3'
    await expect.poll(() => refusals).toHaveLength(1)
    expect(refusals[0]).toMatchObject({
      module: 'quarry',
      data: { rule_id: greedy.rule_id, rule: 'Greedy', command: 'drop', reason },
      status_text: `The rule “Greedy” is refused: ${reason}`,
    })
    const checked = async (): Promise<void> => {
      const until = checks.length + 3
      while (checks.length < until) {
        flight.world.shipAt(sample, ship_id, flight.clock.now())
        await setTimeout(20)
      }
      expect(checks).not.toContain(false)
    }
    await checked()
    // A condition that holds no more changes the ship, too.
    await modules().command('quarry', 'drop', { kg: 2 })
    await checked()
  } finally {
    flight.close()
    socket.close()
  }
  const holds = async (kg: number): Promise<void> => {
    const { ship_values } = await modules().read()
    expect(ship_values['quarry']['stone']).toBe(kg)
    expect(await pilot().rules.list()).toEqual({
      rules: [{ ...kept, armed: false }, { ...greedy, armed: false }, heavy],
    })
  }
  await holds(1)
  // What has fired once is disarmed, and the last one only notes.
  expect(await leftOut()).toEqual({ now: [], predicted: [] })
  expect((await pilot().ship()).thrust_level).toBe(0.01)
  // The newer version gives each ship half a kilogram.
  return () => holds(1.5)
}
