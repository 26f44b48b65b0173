// Goal: a restart after a restore or a reset goes on from the replaced world. Method: one server
// process, stopped and started again after each.
import { expect, test } from 'vitest'
import { ask, openSocket, register, shipOf } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

let ida: Awaited<ReturnType<typeof register>>

const server = usedServer({}, async () => {
  ida = await register(server, 'Ida')
})

test('a restart goes on from a restored world', async () => {
  const before = await openSocket(server, ida.token)
  await before.answer({ type: 'ship_rename', name: 'Before' })
  const { snapshot_id } = await server.order('POST', '/api/admin/snapshot')
  await before.answer({ type: 'ship_rename', name: 'Afterwards' })
  await server.order('POST', '/api/admin/restore', { snapshot_id })
  const { era } = await before.next('restored')
  const { tick } = await before.freshTick()
  expect(await server.stop()).toBe(0)
  await server.restart()
  const socket = await openSocket(server, ida.token)
  const welcome = await socket.next('welcome')
  expect(welcome.era).toBe(era)
  expect(welcome.tick).toBeGreaterThanOrEqual(tick)
  expect(shipOf(await socket.next('tick'), ida.ship_id).name).toBe('Before')
  const { snapshots } = await server.order('GET', '/api/admin/snapshots?include=automatic')
  expect(snapshots.map(({ kind }: { kind: string }) => kind)).toContain('stop')
})

test('a reset starts a clock that differs only by the pause, and a restart goes on', async () => {
  const socket = await openSocket(server, ida.token)
  await server.order('POST', '/api/admin/game/pause')
  await socket.next('paused')
  await server.order('POST', '/api/admin/game/reset')
  await socket.next('reset')
  expect((await socket.next('clock')).paused).toBe(false)
  const { token, ship_id } = await register(server, 'Ida')
  expect(await server.stop()).toBe(0)
  await server.restart()
  const ship = await ask(server, 'GET', '/api/player/ship', { token })
  expect(ship).toMatchObject({ status: 200, body: { ship_id, name: 'Ida' } })
})
