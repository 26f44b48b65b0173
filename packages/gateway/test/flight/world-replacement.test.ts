// Goal: a restart after a restore, a reset or the restore of a backup goes on from the replaced
// world. Method: one server process, at night stopped and started again after each; by day the test
// of the game without a network opens its worlds again.
import { unpackBackup } from '@orrery/game'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import {
  type Answer,
  type Loose,
  PASSWORD,
  ask,
  openSocket,
  register,
  shipOf,
} from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN } from '../server-process.ts'
import { sharedServer } from '../used-server.ts'

let ida: Awaited<ReturnType<typeof register>>

const server = sharedServer(async () => {
  ida = await register(server, 'Ida')
})

test.runIf(IS_NIGHT)('a restart goes on from a restored world', async () => {
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

test.runIf(IS_NIGHT)('a preview names what a restore then undoes', async () => {
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

test('a reset starts a clock that differs only by the pause, and goes on', async () => {
  const socket = await openSocket(server, ida.token)
  await server.order('POST', '/api/admin/game/pause')
  await socket.next('paused')
  const { backup_id } = await server.order('POST', '/api/admin/game/reset')
  await socket.next('reset')
  expect((await socket.next('clock')).paused).toBe(false)
  const { backups } = await server.order('GET', '/api/admin/backups')
  expect(backups).toMatchObject([{ backup_id, accounts: 2 }])
  const { token, ship_id } = await register(server, 'Ida')
  const ship = { status: 200, body: { ship_id, name: 'Ida' } }
  expect(await ask(server, 'GET', '/api/player/ship', { token })).toMatchObject(ship)
  if (!IS_NIGHT) return
  expect(await server.stop()).toBe(0)
  await server.restart()
  expect(await ask(server, 'GET', '/api/player/ship', { token })).toMatchObject(ship)
})

test('a backup is restored while the server runs, with accounts and settings', async () => {
  const enter = async (username: string, password: string): Promise<Loose> =>
    (await ask(server, 'POST', '/api/auth/login', { body: { username, password } })).body
  const ripley = await register(server, 'Ripley')
  const pilot = await openSocket(server, ripley.token)
  await pilot.answer({ type: 'ship_rename', name: 'Nostromo' })
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 7 })
  await server.order('POST', '/api/admin/game/pause')
  const made = await server.order('POST', '/api/admin/backups')
  expect(made).toMatchObject({ reason: 'request', accounts: 3 })
  await server.order('POST', '/api/admin/game/resume')
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await pilot.answer({ type: 'ship_rename', name: 'Sulaco' })
  const kane = await register(server, 'Kane')
  const passenger = await openSocket(server, kane.token)
  const second = { username: 'Chief_2', password: PASSWORD }
  await server.order('POST', '/api/admin/admins', second)
  const observer = await openSocket(server, (await enter(second.username, PASSWORD)).admin_token)

  const path = `/api/admin/backups/${made.backup_id}`
  const restored = await server.order('POST', `${path}/restore`)
  expect(restored).toMatchObject({ tick_number: made.tick_number, game_time: made.game_time })
  const { era } = await pilot.next('restored')
  expect(await pilot.next('clock')).toMatchObject({ paused: true, tick_rate: 7 })
  expect(shipOf(await pilot.next('tick', (frame) => frame.era === era), ripley.ship_id).name).toBe(
    'Nostromo',
  )
  expect(await passenger.next('ship_assigned')).toMatchObject({ ship_id: '' })
  expect(await passenger.answer({ type: 'control', thrust_level: 0 })).toMatchObject({
    code: 'E006',
  })
  expect((await observer.closed).code).toBe(4003)
  const gone = await ask(server, 'GET', '/api/player/ship', { token: kane.token })
  expect(refusalOf(gone)).toBe('404 E006')
  const { backups } = await server.order('GET', '/api/admin/backups')
  expect(backups[0]).toMatchObject({
    backup_id: restored.present_backup_id,
    reason: 'restore',
    accounts: 5,
  })
  const { admin_token: token } = await enter(ADMIN.username, ADMIN.password)
  const download = (body: object): Promise<Answer> =>
    ask(server, 'POST', `${path}/file`, { token, body })
  expect(refusalOf(await download({ password: 'guessed' }))).toBe('403 E003')
  expect(refusalOf(await download({}))).toBe('400 E012')
  const file = await fetch(`${server.url}${path}/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: ADMIN.password }),
  })
  const name = `attachment; filename="orrery-${made.backup_id}.backup"`
  expect(file.headers.get('content-disposition')).toBe(name)
  const { contents } = await unpackBackup(await file.bytes(), Infinity)
  expect(contents).toMatchObject({ backupId: made.backup_id })
  expect(JSON.parse(contents.accounts)).toHaveLength(3)
  expect((await ask(server, 'DELETE', path, { token })).status).toBe(204)
  expect(refusalOf(await download({ password: ADMIN.password }))).toBe('404 E002')
  for (const [method, route] of [
    ['DELETE', path],
    ['POST', `${path}/restore`],
    ['POST', '/api/admin/backups/none/restore'],
  ] as const) {
    expect(refusalOf(await ask(server, method, route, { token }))).toBe('404 E002')
  }
  const { entries } = await server.order('GET', '/api/admin/audit?limit=20')
  const actions = entries.map(({ action }: Loose) => action)
  expect(actions.filter((action: string) => action !== 'login').slice(0, 4)).toEqual([
    'backup_delete',
    'backup_download',
    'backup_restore',
    'create_admin',
  ])
  if (!IS_NIGHT) return

  expect(await server.stop()).toBe(0)
  await server.restart()
  const ship = await ask(server, 'GET', '/api/player/ship', { token: ripley.token })
  expect(ship).toMatchObject({ status: 200, body: { name: 'Nostromo' } })
  const status = await server.order('GET', '/api/admin/status')
  expect(status).toMatchObject({ paused: true, tick_rate: 7, current_tick: made.tick_number })
})
