// Goal: a pilot turns his ship by maneuvers, and admins read what became of them, by ship and kind,
// at the level they choose. Method: one server process, game time at a hundred times its pace.
import { type ManeuverEventEntry, maneuverEventsResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type PlayerSocket, adminToken, ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { STARTING_TEST_MS_MAX, type ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const EVENTS = '/api/admin/maneuver-events'
const LOGGING = '/api/admin/maneuver-logging'
const DEBUG = '/api/admin/maneuver-debug'
const NOBODY = '00000000-0000-4000-8000-000000000000'

let server: ServerProcess
let token: string
let ida: PlayerSocket
let idaShip: string
let max: PlayerSocket
let maxShip: string

const { restart } = usedServer({}, async (started) => {
  server = started
  const pilots = [await register(server, 'Ida'), await register(server, 'Max')] as const
  idaShip = pilots[0].ship_id
  maxShip = pilots[1].ship_id
  ida = await openSocket(server, pilots[0].token)
  max = await openSocket(server, pilots[1].token)
  token = await adminToken(server)
  await ask(server, 'PUT', '/api/admin/game/time-scale', { token, body: { time_scale: 100 } })
  await ask(server, 'PUT', '/api/admin/game/tick-rate', { token, body: { tick_rate: 10 } })
})

async function events(query = ''): Promise<readonly ManeuverEventEntry[]> {
  const { body } = await ask(server, 'GET', EVENTS + query, { token })
  return v.parse(maneuverEventsResponse, body).events
}

/** The events of a query, once there are so many and the newest fits: they come beside ticks. */
async function eventsOnce(
  query: string,
  count: number,
  fits: (newest: ManeuverEventEntry) => boolean = () => true,
): Promise<readonly ManeuverEventEntry[]> {
  for (;;) {
    const found = await events(query)
    if (found.length >= count && fits(found[0])) return found
    await ida.freshTick()
  }
}

async function see(shipId: string): Promise<unknown> {
  const { body } = await ask(server, 'GET', `${DEBUG}?ship_id=${shipId}`, { token })
  return body
}

async function changeLevel(level: string): Promise<void> {
  const { body } = await ask(server, 'POST', LOGGING, { token, body: { level } })
  expect(body).toEqual({ success: true, level })
}

test('a turn is told from its start to its end', async () => {
  ida.send({ type: 'maneuver_start', id: 't', maneuver: 'attitude', pointing: 'retrograde' })
  const accepted = await ida.next('accepted', ({ id }) => id === 't')
  await ida.next('event', ({ event }) => event === 'locked')
  const [end, start, ...more] = await eventsOnce(`?ship_id=${idaShip}`, 2)
  expect(more).toEqual([])
  const same = { ship_id: idaShip, maneuver_type: 'attitude', element_errors: null, distance: null }
  const extra = {
    reference_body: 'Earth',
    target_id: null,
    pointing: 'retrograde',
    attitude: null,
  }
  expect(start).toMatchObject({ ...same, event_type: 'started', phase: 'turning' })
  expect(start).toMatchObject({ from_phase: null, effectivity: null, status_text: null })
  expect(start.extra).toEqual(extra)
  expect(start.game_time).toBe(accepted.game_time)
  expect(end).toMatchObject({ ...same, event_type: 'completed', phase: 'locked' })
  expect(end.from_phase).toBe('turning')
  const { seconds } = end.extra as { readonly seconds: number }
  expect(end.extra).toEqual({ ...extra, seconds })
  expect(Date.parse(end.game_time) - Date.parse(start.game_time)).toBeCloseTo(1000 * seconds, -1)
  expect(end.tick).toBeGreaterThanOrEqual(start.tick)
  expect(end.id).toBeGreaterThan(start.id)
}, 60_000)

test('with nothing under way there is nothing to abort', async () => {
  ida.send({ type: 'maneuver_abort', id: 'none' })
  expect(await ida.next('error')).toMatchObject({ id: 'none', code: 'E003' })
})

test('an abort, a replacement and a chase, with all that verbose tells', async () => {
  await changeLevel('verbose')
  const attitude = { w: 0, x: 1, y: 0, z: 0 }
  max.send({ type: 'control', attitude })
  await max.freshTick()
  max.send({ type: 'maneuver_start', id: 1, maneuver: 'kill_rotation' })
  await max.next('accepted', ({ id }) => id === 1)
  await max.next('event', ({ event }) => event === 'locked')
  max.send({ type: 'maneuver_start', maneuver: 'attitude', attitude: { ...attitude, y: 1 } })
  max.send({ type: 'maneuver_abort', id: 2 })
  // Both meant one moment, or the first had begun: either way nothing is under way any more.
  await max.next('accepted', ({ id }) => id === 2)
  max.send({
    type: 'maneuver_start',
    id: 3,
    maneuver: 'attitude',
    pointing: 'target',
    target_ship_id: idaShip.toUpperCase(),
  })
  await max.next('accepted', ({ id }) => id === 3)
  await max.next('event', ({ event }) => event === 'sighted')
  await max.next('event', ({ event }) => event === 'locked')
  const chase = await eventsOnce(`?ship_id=${maxShip}&event_type=phase_changed`, 1)
  expect(chase[0]).toMatchObject({ phase: 'turning', from_phase: 'seeking' })
  const [end] = await eventsOnce(`?ship_id=${maxShip}&event_type=completed`, 2)
  expect(end.extra).toMatchObject({ target_id: idaShip, pointing: 'target' })
  expect(end.distance).toBeGreaterThan(0)
  const all = await events(`?ship_id=${maxShip}`)
  const told = all
    .map(({ event_type: type, maneuver_type: kind }) => `${type} ${kind}`)
    .toReversed()
  expect(told.slice(0, 4)).toEqual([
    'started attitude',
    'replaced attitude',
    'started kill_rotation',
    'completed kill_rotation',
  ])
  expect(told.slice(-3)).toEqual([
    'started attitude',
    'phase_changed attitude',
    'completed attitude',
  ])
  const first = all.at(-1)
  expect(first?.extra).toMatchObject({ attitude, angle: expect.any(Number), rate: 0 })
  expect(first?.extra).toHaveProperty('wheel_momentum.x')
  await changeLevel('normal')
}, 90_000)

test('filters and limits', async () => {
  const all = await events('?limit=500')
  expect(all.length).toBeGreaterThan(6)
  const ids = all.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(await events()).toEqual(all.slice(0, 50))
  expect(await events('?limit=1')).toEqual(all.slice(0, 1))
  const started = all.filter(({ event_type: type }) => type === 'started')
  expect(await events('?event_type=started')).toEqual(started)
  const upper = `?ship_id=${idaShip.toUpperCase()}&event_type=started&limit=5`
  expect(await events(upper)).toEqual(started.filter(({ ship_id: id }) => id === idaShip))
  expect(await events(`?ship_id=${NOBODY}`)).toEqual([])
  expect(await events('?event_type=%00')).toEqual([])
  expect(await events('?colour=red')).toEqual(all.slice(0, 50))
  for (const query of [
    ...['0', '501', 'abc', '1.5', '', '-1', '1e2', '%201', '5&limit=5'].map((n) => `limit=${n}`),
    ...['x', '', `${NOBODY}x`, `${NOBODY}&ship_id=${NOBODY}`].map((id) => `ship_id=${id}`),
    ...['', 'a&event_type=a', 'x'.repeat(65)].map((type) => `event_type=${type}`),
  ]) {
    const answer = await ask(server, 'GET', `${EVENTS}?${query}`, { token })
    expect(`${query}: ${refusalOf(answer)}`).toBe(`${query}: 400 E001`)
  }
})

test('off tells nothing, but a debugged ship tells everything', async () => {
  await changeLevel('off')
  expect(await see(maxShip)).toEqual({ ship_id: maxShip, debug: false })
  const body = { ship_id: maxShip.toUpperCase(), enabled: true }
  const switched = await ask(server, 'POST', DEBUG, { token, body })
  expect(switched.body).toEqual({ success: true, ship_id: maxShip, debug: true })
  expect(await see(maxShip)).toEqual({ ship_id: maxShip, debug: true })
  expect(await see(idaShip)).toEqual({ ship_id: idaShip, debug: false })
  const before = await events()
  for (const pilot of [ida, max]) {
    pilot.send({ type: 'maneuver_start', maneuver: 'attitude', pointing: 'normal' })
    await pilot.next('event', ({ event }) => event === 'locked')
  }
  const after = await eventsOnce(
    `?ship_id=${maxShip}&limit=500`,
    8,
    ({ event_type: type, extra }) => type === 'completed' && extra['pointing'] === 'normal',
  )
  expect(after[1].extra).toHaveProperty('angle')
  expect(await events(`?ship_id=${idaShip}`)).toEqual(
    before.filter(({ ship_id: id }) => id === idaShip),
  )
  const log = await ask(server, 'GET', LOGGING, { token })
  expect(log.body).toEqual({ level: 'off' })
}, 90_000)

test('what is no level, no ship or no flag is refused', async () => {
  for (const level of ['Normal', '', null, 1, undefined]) {
    expect(refusalOf(await ask(server, 'POST', LOGGING, { token, body: { level } }))).toBe(
      '400 E001',
    )
  }
  for (const query of ['', '?ship_id=', '?ship_id=x', `?ship_id=${NOBODY}&ship_id=${NOBODY}`]) {
    const answer = await ask(server, 'GET', DEBUG + query, { token })
    expect(`${query}: ${refusalOf(answer)}`).toBe(`${query}: 400 E001`)
  }
  expect(refusalOf(await ask(server, 'GET', `${DEBUG}?ship_id=${NOBODY}`, { token }))).toBe(
    '404 E006',
  )
  for (const [body, expected] of [
    [{ ship_id: NOBODY, enabled: true }, '404 E006'],
    [{ ship_id: 'x', enabled: true }, '400 E001'],
    [{ ship_id: idaShip }, '400 E001'],
    [{ ship_id: idaShip, enabled: 'yes' }, '400 E001'],
  ] as const) {
    expect(refusalOf(await ask(server, 'POST', DEBUG, { token, body }))).toBe(expected)
  }
})

test(
  'level, flags and events outlive the process',
  async () => {
    const before = await events('?limit=500')
    expect(await server.stop()).toBe(0)
    server = await restart()
    expect((await ask(server, 'GET', LOGGING, { token })).body).toEqual({ level: 'off' })
    expect(await see(maxShip)).toEqual({ ship_id: maxShip, debug: true })
    expect(await see(idaShip)).toEqual({ ship_id: idaShip, debug: false })
    expect(await events('?limit=500')).toEqual(before)
  },
  STARTING_TEST_MS_MAX,
)
