// Goal: a pilot sees the trajectory of the ship ahead, by HTTP and on the socket, with orders that
// are only supposed; the ship flies it; bad requests are refused by name. Method: the client and a
// real server.
import { type ClientError, connectSocket, createGameClient } from '@orrery/client'
import { type Flight, type Forecast, openFlight } from '@orrery/client/flight'
import type { PredictionMark, PredictionResponse, ShipState } from '@orrery/protocol'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Loose, ask, openSocket, register } from '../player-client.ts'
import { codeOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const NO_ID = '00000000-0000-4000-8000-000000000000'

let token: string
let shipId: string

const server = sharedServer(async () => {
  ;({ token, ship_id: shipId } = await register(server, 'Ida'))
})

const player = () => createGameClient({ url: server.url }).player(token)
const pause = () => server.order('POST', '/api/admin/game/pause')
const resume = () => server.order('POST', '/api/admin/game/resume')

test('HTTP and the socket show the same trajectory, from where the ship is', async () => {
  await pause()
  const socket = connectSocket({ url: server.url, token })
  await socket.opened
  const request = { hours: 3, target_body: 'moon' }
  const { type, id: _, ...answer } = await socket.predict(request)
  expect(type).toBe('prediction')
  expect(answer).toEqual(await player().predict(request))
  socket.close()
  const ship = await player().ship()
  const [{ reference_body: body, records }] = answer.legs
  expect([body, answer.ship_id, answer.system_id]).toEqual(['Earth', shipId, 'sol'])
  const { x, y, z } = ship.relative_position
  for (const [i, value] of [x, y, z].entries()) expect(records[0][1 + i]).toBeCloseTo(value, 2)
  expect(records.at(-1)![0]).toBe(3 * 3600)
  expect(Date.parse(answer.until) - Date.parse(answer.game_time)).toBe(3 * 3_600_000)
  expect(answer).toMatchObject({ end: 'asked', delta_v: 0, fuel: ship.fuel, marks_left_out: 0 })
  expect(answer.marks.filter(({ body: of }) => of === 'Moon')).not.toEqual([])
  await resume()
})

test.runIf(IS_NIGHT)(
  'a flight to its end says when it completes, however short its trajectory',
  async () => {
    await pause()
    const orders = [{ order: { type: 'maneuver_start', maneuver: 'escape' } }] as const
    const answer = await player().predict({ hours: 0.5, to_end: true, orders })
    const { seconds } = answer.marks.find(({ mark }) => mark === 'maneuver_completed')!
    expect(seconds).toBeGreaterThan(86_400)
    expect(answer).toMatchObject({ end: 'asked', delta_v: expect.closeTo(3100, -3) })
    expect(Date.parse(answer.until) - Date.parse(answer.game_time)).toBe(1_800_000)
    await resume()
  },
)

test("a client's own forecast is what the server predicts, to the bit", async () => {
  await pause()
  const socket = connectSocket({ url: server.url, token, wire: 'binary' })
  const flight = openFlight({ socket })
  await seeded(flight)
  const orders = [
    { order: { type: 'maneuver_start', maneuver: 'attitude', pointing: 'prograde' } },
    { after: 301.7, order: { type: 'control', thrust_level: 0.5, delta_v: 90 } },
    { after: 9000, order: { type: 'maneuver_start', maneuver: 'circularize' } },
  ] as const
  const target = flight.world.objects().find(({ kind }) => kind === 'station')!.id
  const request = { hours: byTier({ gate: 6, night: 20 }), orders }
  const [forecast, prediction] = await Promise.all([
    flight.forecast(shipId, { ...request, target: { stationId: target } }),
    socket.predict({ ...request, target_station_id: target }),
  ])
  flight.close()
  socket.close()
  expect(forecast).toMatchObject({ isExact: true, end: 'asked', deltaV: prediction.delta_v })
  expect(forecast.fuel).toBe(prediction.fuel)
  expect(legsOf(forecast)).toEqual(prediction.legs)
  expect(marksOf(forecast)).toEqual(prediction.marks)
  expect(prediction.marks.map(({ mark }) => mark)).toEqual(
    expect.arrayContaining(['approach', 'burn_begin', 'maneuver_phase']),
  )
  await resume()
})

/** Resolves when one's own ship is flown. */
function seeded({ ship }: Flight): Promise<void> {
  return new Promise((resolve) => {
    const stop = ship.on('mode', ({ mode }) => {
      if (mode !== 'flown') return
      stop()
      resolve()
    })
  })
}

function legsOf({ from, legs }: Forecast): PredictionResponse['legs'] {
  return legs.map(({ body, records }) => ({
    reference_body: body,
    records: Array.from({ length: records.length / 7 }, (_, i) => {
      const [index, x, y, z, vx, vy, vz] = records.subarray(7 * i)
      return [(index - from) / 64, x, y, z, vx, vy, vz]
    }),
  }))
}

function marksOf({ from, marks }: Forecast): PredictionMark[] {
  return marks.map(({ kind, index, fromBody, stationId, deltaV, ...same }) => ({
    mark: kind,
    seconds: (index - from) / 64,
    ...same,
    ...(fromBody !== undefined && { from_body: fromBody }),
    ...(stationId !== undefined && { station_id: stationId }),
    ...(deltaV !== undefined && { delta_v: deltaV }),
  })) as PredictionMark[]
}

test('a ship flies as predicted', async () => {
  await pause()
  const prediction = await player().predict({ hours: 1 })
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  await resume()
  const socket = await openSocket(server, token)
  const from = Date.parse(prediction.game_time)
  const own = (ships: readonly ShipState[]) => ships.find((ship) => ship.ship_id === shipId)!
  const { ships, game_time: time } = await socket.next('tick', (tick) => {
    return Date.parse(tick.game_time) - from > 150_000
  })
  await socket.close()
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
  const { x, y, z } = own(ships).relative_position
  const expected = placeAt(prediction, (Date.parse(time) - from) / 1000)
  // The time of a frame has whole milliseconds, in which the ship flies 8 m.
  expect(Math.hypot(x - expected[0], y - expected[1], z - expected[2])).toBeLessThan(8)
})

/** On the cubic between two records of the first leg. */
function placeAt({ legs: [{ records }] }: PredictionResponse, seconds: number): number[] {
  const next = records.findIndex(([at]) => at > seconds)
  const [a, b] = [records[next - 1], records[next]]
  const h = b[0] - a[0]
  const s = (seconds - a[0]) / h
  return [1, 2, 3].map((i) => {
    const rise = a[i] + s * s * (3 - 2 * s) * (b[i] - a[i])
    return rise + h * s * (1 - s) * ((1 - s) * a[3 + i] - s * b[3 + i])
  })
}

test.runIf(IS_NIGHT)(
  'a plan is forecast and flown as predicted; a bad one is refused by its burn',
  async () => {
    await pause()
    const socket = connectSocket({ url: server.url, token, wire: 'binary' })
    const flight = openFlight({ socket })
    await seeded(flight)
    const { game_time: now } = await createGameClient({ url: server.url }).status()
    const later = (seconds: number) => new Date(Date.parse(now) + 1000 * seconds).toISOString()
    const vector = { x: 40, y: 0, z: -2.5 }
    const burn = { game_time: later(200), frame: 'prograde', vector } as const
    const plan = {
      type: 'maneuver_start',
      maneuver: 'plan',
      nodes: [burn, { game_time: later(350), anchor: 'start', pointing: 'normal', duration: 5 }],
    } as const
    const bad = [
      [[{ ...burn, game_time: later(-1) }], /^nodes\.0: .* before the order acts/],
      [[burn, { ...burn, game_time: later(250) }], /^nodes\.1: .* after nodes\.0 ends/],
      [
        [burn, { ...burn, game_time: later(9000), vector: { x: 0, y: 1e4, z: 0 } }],
        /^nodes\.1: .*fuel/,
      ],
      [[{ ...burn, vector: { x: -2000, y: 0, z: 0 } }], /^nodes\.0: .* in the ground of Earth/],
    ] as const
    for (const [nodes, message] of bad) {
      const refusal = { code: 'E001', message: expect.stringMatching(message) as string }
      await expect(socket.order({ ...plan, nodes })).rejects.toMatchObject(refusal)
    }
    const unknown = socket.order({ ...plan, nodes: [{ ...burn, body: 'Nibiru' }] })
    const refusal = { code: 'E002', message: expect.stringMatching(/nodes\.0\.body/) as string }
    await expect(unknown).rejects.toMatchObject(refusal)
    const request = { hours: 1, orders: [{ order: plan }] }
    const [forecast, prediction] = await Promise.all([
      flight.forecast(shipId, request),
      player().predict(request),
    ])
    expect(legsOf(forecast)).toEqual(prediction.legs)
    expect(marksOf(forecast)).toEqual(prediction.marks)
    const begins = prediction.marks.filter(({ mark }) => mark === 'burn_begin')
    expect(begins.length).toBe(2)
    expect(begins[1].seconds).toBeCloseTo(350, 1)
    flight.close()
    const completed = new Promise<void>((resolve) => {
      socket.on('event', ({ event }) => {
        if (event === 'maneuver_completed') resolve()
      })
    })
    expect(await socket.order(plan)).toMatchObject({ type: 'accepted' })
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
    await resume()
    await completed
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
    socket.close()
    const { fuel, last_maneuver: last } = await player().ship()
    expect(fuel).toBe(prediction.fuel)
    expect(last).toMatchObject({ maneuver: 'plan', outcome: 'completed' })
  },
)

test('approaches to a station are marked', async () => {
  const { stations } = await createGameClient({ url: server.url }).system('sol')
  const { marks } = await player().predict({
    hours: 24,
    target_station_id: stations[0].station_id.toUpperCase(),
  })
  const passes = marks.filter(({ station_id: id }) => id === stations[0].station_id)
  expect(passes.length).toBeGreaterThan(0)
  expect(passes[0]).toMatchObject({ mark: 'approach', distance: expect.any(Number) })
})

test('supposed orders show what a burn costs, and change nothing', async () => {
  const before = await player().ship()
  const {
    marks,
    delta_v: deltaV,
    fuel,
  } = await player().predict({
    hours: 2,
    orders: [
      { order: { type: 'maneuver_start', maneuver: 'attitude', pointing: 'prograde' } },
      { after: 300, order: { type: 'control', thrust_level: 0.5 } },
      { after: 310, order: { type: 'control', thrust_level: 0 } },
    ],
  })
  const at = (kind: string) => marks.find(({ mark }) => mark === kind)!
  expect(at('locked').seconds).toBeLessThan(300)
  expect(at('burn_end').seconds - at('burn_begin').seconds).toBe(10)
  expect(at('burn_end').delta_v).toBe(deltaV)
  expect(deltaV).toBeGreaterThan(40)
  expect(fuel).toBeLessThan(before.fuel)
  expect(await player().ship()).toMatchObject({ fuel: before.fuel, thrust_level: 0 })
})

const STATUS: Readonly<Record<string, number>> = { E001: 400, E002: 404 }

const order = { type: 'control', thrust_level: 1 }
const transfer = { type: 'maneuver_start', maneuver: 'transfer', target_body: 'Phobos' }

test.each([
  ['E001', {}],
  ['E001', { hours: null }],
  ['E001', { hours: 0 }],
  ['E001', { hours: -1 }],
  ['E001', { hours: 360 }],
  ['E001', { hours: '1' }],
  ['E001', { hours: 1, orders: {} }],
  ['E001', { hours: 1, orders: Array.from({ length: 17 }, () => ({ order })) }],
  ['E001', { hours: 1, orders: [{ after: -1, order }] }],
  ['E001', { hours: 1, orders: [{ after: 3601, order }] }],
  ['E001', { hours: 1, orders: [{ order: { type: 'control', thrust_level: 1.1 } }] }],
  ['E001', { hours: 1, orders: [{ order: { type: 'jump', jumpgate_id: NO_ID } }] }],
  ['E002', { hours: 1, target_body: 'Nibiru' }],
  ['E001', { hours: 1, target_body: 7 }],
  ['E001', { hours: 1, target_body: 'Moon', target_ship_id: NO_ID }],
  ['E002', { hours: 1, target_ship_id: NO_ID }],
  ['E002', { hours: 1, target_station_id: NO_ID }],
  ['E002', { hours: 1, target_jumpgate_id: NO_ID }],
  ['E001', { hours: 1, orders: [{ order: transfer }] }],
])('%s: %j', async (code, body) => {
  const { status, body: refused } = await ask(server, 'POST', '/api/player/predict', {
    token,
    body,
  })
  expect([status, codeOf(refused)]).toEqual([STATUS[code], code])
  const socket = await openSocket(server, token)
  const answer: Loose = await socket.answer({ type: 'predict', ...body })
  expect([answer.type, answer.code]).toEqual(['error', code])
  await socket.close()
})

test('a player has one prediction at a time', async () => {
  const answers = await Promise.allSettled([1, 2, 3].map(() => player().predict({ hours: 100 })))
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  const [shown] = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const records = shown.legs.reduce((sum, leg) => sum + leg.records.length, 0)
  expect(records).toBeGreaterThan(900)
  expect(records).toBeLessThanOrEqual(2000)
  expect(refused.map(({ code, status }: ClientError) => [code, status])).toEqual([
    ['E004', 429],
    ['E004', 429],
  ])
  expect(await player().predict({ hours: 1 })).toMatchObject({ end: 'asked' })
})
