// Goal: a restart after a restore or a reset goes on from the replaced world. Method: one server
// process, stopped and started again after each.
import { expect, test } from 'vitest'
import { PASSWORD, ask, openSocket, register, shipOf } from '../player-client.ts'
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

test('a preview names what a restore then undoes', async () => {
  const { token } = await register(server, 'Youngest')
  const { station_id: gone } = (await server.order('GET', '/api/admin/stations')).stations.at(0)
  const { snapshot_id } = await server.order('POST', '/api/admin/snapshot')
  await server.order('DELETE', `/api/admin/station/${gone}`)
  const made = { name: 'New Dock', parent_body: 'Earth', altitude: 900_000 }
  await server.order('POST', '/api/admin/station', made)
  const { player_id } = await register(server, 'Since')
  await ask(server, 'DELETE', '/api/account', { token, body: { password: PASSWORD } })
  const path = `/api/admin/snapshots/${snapshot_id}`
  const { undoes, ...stored } = await server.order('GET', path)
  expect(stored).toMatchObject({ id: snapshot_id, kind: 'admin' })
  expect(undoes).toMatchObject({ ships: 1, ships_begin_again: 1, jumpgates_gone: [] })
  expect(undoes.stations_gone).toEqual(['New Dock'])
  expect(undoes.stations_back).toHaveLength(1)
  expect(undoes.ticks).toBeGreaterThanOrEqual(0)
  await server.order('POST', '/api/admin/restore', { snapshot_id })
  expect((await server.order('GET', path)).undoes).toMatchObject({
    stations_gone: [],
    stations_back: [],
    ships_begin_again: 1,
  })
  await server.order('DELETE', `/api/admin/players/${player_id}`)
})

test('a reset starts a clock that differs only by the pause, and a restart goes on', async () => {
  const socket = await openSocket(server, ida.token)
  await server.order('POST', '/api/admin/game/pause')
  await socket.next('paused')
  const { backup_id } = await server.order('POST', '/api/admin/game/reset')
  await socket.next('reset')
  expect((await socket.next('clock')).paused).toBe(false)
  const { backups } = await server.order('GET', '/api/admin/backups')
  expect(backups).toMatchObject([{ backup_id, accounts: 2 }])
  const { token, ship_id } = await register(server, 'Ida')
  expect(await server.stop()).toBe(0)
  await server.restart()
  const ship = await ask(server, 'GET', '/api/player/ship', { token })
  expect(ship).toMatchObject({ status: 200, body: { ship_id, name: 'Ida' } })
})
