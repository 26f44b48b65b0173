// Goal: a pilot jumps from Sol to each other star system and back, over the socket and HTTP, and
// both systems are named; what cannot be is refused with its reason. Method: the real server in
// this process, so that ships can be placed beside gates.
import { type ClientError, type GameSocket, connectSocket, createGameClient } from '@orrery/client'
import { openDatabase } from '@orrery/database'
import { type Universe, findShip, gatePairs } from '@orrery/engine'
import { openRecords } from '@orrery/game'
import { createLogger, serve } from '@orrery/http'
import type { EventMessage } from '@orrery/protocol'
import { bodyState, createStateVector, launch, railState } from '@orrery/sim'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { gameConfig, gatewayConfig } from '../../src/config.ts'
import { type Game, openGame } from '../../src/game.ts'
import { openGameListener } from '../../src/listener.ts'
import { createMetrics } from '../../src/operations/metrics.ts'
import { PASSWORD } from '../player-client.ts'
import { STARTING_TEST_MS_MAX, dataDirectory, environment } from '../server-process.ts'

vi.setConfig({ testTimeout: STARTING_TEST_MS_MAX, hookTimeout: STARTING_TEST_MS_MAX })

const directory = dataDirectory()
let game: Game
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  const config = gatewayConfig(environment(directory.path, {}))
  const logger = createLogger({ level: 'warn', destination: 'stderr' })
  const listener = await openGameListener(config, logger)
  const service = await serve(listener, async (opened) => {
    const database = await openDatabase({
      directory: join(config.dataDirectory, 'game'),
      schema: 'game',
    })
    opened.defer(() => database.close())
    const records = await openRecords({
      database,
      config: gameConfig(config),
      logger,
      watched: (snapshots) => snapshots,
    })
    const metrics = createMetrics()
    const onFenced = (): never => expect.fail('fenced')
    game = await openGame({ records, prepared: undefined, config, logger, metrics, onFenced })
    opened.defer(() => game.stop())
    game.sockets.attach(listener.server)
    game.start()
    return {
      app: createApp({ ...game, config, logger }),
      closeUpgraded: () => game.sockets.close(),
    }
  })
  url = service.address.href
  stop = () => service.stop()
})

afterAll(async () => {
  await stop?.()
  directory.remove()
})

/** Puts a ship 100 m beside a gate of its system, slowly leaving it. */
function place({ worlds }: Universe, shipId: string, jumpgateId: string): void {
  const { world, entry } = findShip({ worlds, shipsMax: 0 }, shipId)!
  const { state, flight, index } = world
  const { rail } = world.jumpgates.get(jumpgateId)!
  const [gate, center] = [createStateVector(), createStateVector()]
  railState(gate, state.ephemeris, rail, index, 0)
  bodyState(center, state.ephemeris, rail.parent, rail.parent, index, 0)
  state.ships.reference[entry.slot] = rail.parent
  for (let axis = 0; axis < 3; axis++) {
    state.ships.position[3 * entry.slot + axis] = gate.r[axis] + (axis === 1 ? 100 : 0)
    state.ships.velocity[3 * entry.slot + axis] = gate.v[axis]
  }
  launch(flight, entry.slot, index)
}

test('there and back, by both gates', async () => {
  const client = createGameClient({ url })
  const { token, ship_id: shipId } = await client.register('Ida', PASSWORD)
  const player = client.player(token)
  const socket: GameSocket = connectSocket({ url, token })
  await socket.opened
  const nextJump = (): Promise<EventMessage> =>
    new Promise((resolve) => {
      socket.on('event', (event) => void (event.event === 'jumped' && resolve(event)))
    })
  const { jumpgates } = await client.system('sol')
  for (const { jumpgate_id: gate, paired_jumpgate_id: exit } of jumpgates) {
    const far = await refusalOf(socket.jump(gate))
    expect(far).toMatchObject({
      code: 'E003',
      message: expect.stringMatching(/^The ship is too far/),
    })
    const { universe } = game.engine
    await game.engine.whenSettled(() => place(universe, shipId, gate))
    const outward = nextJump()
    expect((await socket.jump(gate.toUpperCase())).type).toBe('accepted')
    const to = gatePairs(universe).get(gate)!.world.state.system.id
    expect(await player.ship()).toMatchObject({ system_id: to, thrust_level: 0 })
    expect(await outward).toMatchObject({ from_system: 'sol', to_system: to })
    const homeward = nextJump()
    const back = { success: true, previous_system: to, new_system: 'sol' }
    expect(await player.jump(exit!)).toEqual(back)
    expect(await homeward).toMatchObject({ from_system: to, to_system: 'sol' })
    await game.engine.execute({ kind: 'transfer_ship', shipId, systemId: to })
    await game.engine.execute({ kind: 'transfer_ship', shipId, systemId: 'sol' })
  }
  for (const [gate, code, status] of [
    ['6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10', 'E003', 409],
    [jumpgates[0].jumpgate_id, 'E003', 409],
    ['gate', 'E001', 400],
  ] as const) {
    expect(await refusalOf(player.jump(gate))).toMatchObject({ code, status })
    expect(await refusalOf(socket.jump(gate))).toMatchObject({ code })
  }
  expect(await refusalOf(client.player('x.y.z').jump('gate'))).toMatchObject({ code: 'E005' })
  socket.close()
})

const refusalOf = (request: Promise<unknown>): Promise<ClientError> =>
  request.then(
    () => expect.fail('It was answered.'),
    (error: ClientError) => error,
  )
