// Law: a forecast reaches as far as is of interest: some revolutions, the end of the maneuver, and
// the orbit after it. Method: a flight by hand, whose forecasts have the marks that a test wants.
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { beforeEach, expect, test } from 'vitest'
import { type AheadOptions, HOURS_MAX, flightsAhead } from '../../src/forecast/flight-ahead.ts'
import { type HandSession, PER_HOUR, REVOLUTION, createHandSession } from '../game/hand-session.ts'

const AS_NEEDED = { hours: undefined, target: undefined }

let hand: HandSession

beforeEach(() => {
  hand = createHandSession()
})

/** Hours of the forecasts, in the order in which they are made. */
async function spans(options: AheadOptions): Promise<readonly number[]> {
  const made: Forecast[] = []
  for await (const forecast of flightsAhead(hand.session, options)) made.push(forecast)
  return made.map(({ from, to }) => (to - from) / PER_HOUR)
}

function near(...values: readonly number[]): readonly unknown[] {
  return values.map((value) => expect.closeTo(value, 6))
}

test('two revolutions, six where an approach may come late, or as the player chooses', async () => {
  const target = { kind: 'body', name: 'Moon' } as const
  expect(await spans(AS_NEEDED)).toEqual(near(2 * REVOLUTION))
  expect(await spans({ ...AS_NEEDED, target })).toEqual(near(6 * REVOLUTION))
  expect(await spans({ ...AS_NEEDED, atLeast: 20 })).toEqual(near(20))
  expect(await spans({ ...AS_NEEDED, hours: 5, target })).toEqual(near(5))
  expect(await spans({ ...AS_NEEDED, hours: 1000 })).toEqual(near(HOURS_MAX))
})

test.each([
  [{ kind: 'body', name: 'Moon' }, { body: 'Moon' }],
  [{ kind: 'ship', id: 'a' }, { shipId: 'a' }],
  [{ kind: 'station', id: 'b' }, { stationId: 'b' }],
  [{ kind: 'jumpgate', id: 'c' }, { jumpgateId: 'c' }],
  [{ kind: 'ship', id: 'own' }, undefined],
  [undefined, undefined],
] as const)('approaches to %j are asked for', async (target, wanted) => {
  await spans({ hours: 1, target })
  expect(hand.asked[0].target).toEqual(wanted)
})

test('orders and fuel are those supposed', async () => {
  const orders = [{ after: 9, order: { type: 'control', thrust_level: 1 } }] as const
  await spans({ hours: 1, target: undefined, orders, fuel: 7 })
  await spans({ hours: 1, target: undefined })
  expect(hand.asked).toEqual([
    { hours: 1, orders, fuel: 7 },
    { hours: 1, orders: [] },
  ])
})

test('a target out of view is left out, and any other failure is one', async () => {
  const target = { kind: 'ship', id: 'a' } as const
  const failing = (code: 'E002' | 'forecast'): void => {
    hand.asked.length = 0
    hand.sky.foresee = (request) =>
      request.target || code !== 'E002' || hand.asked.length > 2
        ? Promise.reject(new ClientError(code, 'No'))
        : Promise.resolve(hand.forecast(request))
  }
  failing('E002')
  expect(await spans({ hours: 3, target })).toEqual([3])
  expect(hand.asked.map((request) => request.target)).toEqual([{ shipId: 'a' }, undefined])
  failing('forecast')
  await expect(spans({ hours: 3, target })).rejects.toThrow('No')
  expect(hand.asked).toHaveLength(1)
  hand.sky.foresee = () => Promise.reject(new ClientError('E002', 'No'))
  await expect(spans({ hours: 3, target: undefined })).rejects.toThrow('No')
  hand.sky.isKnown = false
  await expect(spans({ hours: 3, target })).rejects.toMatchObject({ code: 'forecast' })
})

/** The marks of each forecast are those up to its end. */
function foresee(marks: Forecast['marks'], end: Forecast['end'] = 'asked'): void {
  hand.sky.foresee = (request) => {
    const { to } = hand.forecast(request)
    const seen = marks.filter(({ index }) => index < to)
    return Promise.resolve(hand.forecast(request, { marks: seen, end }))
  }
}

const maneuver = { order: { type: 'maneuver_start', maneuver: 'circularize' } } as const

test('a maneuver is followed four times further until it ends', async () => {
  const first = 2 * REVOLUTION
  foresee([{ kind: 'maneuver_completed', index: 20 * PER_HOUR }])
  const ordered = { ...AS_NEEDED, orders: [maneuver] }
  expect(await spans(ordered)).toEqual(near(first, 4 * first, 16 * first))
  expect(await spans({ ...AS_NEEDED, hasManeuver: true })).toHaveLength(3)
  expect(await spans({ ...ordered, hasManeuver: false })).toHaveLength(1)
  expect(await spans(AS_NEEDED)).toHaveLength(1)
  foresee([{ kind: 'maneuver_phase', phase: 'waiting', index: 64 }])
  expect(await spans(AS_NEEDED)).toEqual(near(first, 4 * first, 16 * first, 64 * first, HOURS_MAX))
  foresee([{ kind: 'maneuver_phase', phase: 'holding', index: 64 }])
  expect(await spans(ordered)).toHaveLength(1)
  foresee([{ kind: 'maneuver_failed', index: 64 }])
  expect(await spans(ordered)).toHaveLength(1)
  foresee([], 'impact')
  expect(await spans(ordered)).toHaveLength(1)
})

test('the orbit after the last burn is seen as long as the one before', async () => {
  const first = 2 * REVOLUTION
  hand.sky.time = 5 * PER_HOUR
  const burn = { kind: 'burn_end', deltaV: 1 } as const
  foresee([
    { ...burn, index: 5 * PER_HOUR + 64 },
    { ...burn, index: 7 * PER_HOUR },
  ])
  expect(await spans(AS_NEEDED)).toEqual(near(first, 2 + first))
  foresee([{ ...burn, index: (5 + 0.15 * first) * PER_HOUR }])
  expect(await spans(AS_NEEDED)).toEqual(near(first, 1.15 * first))
  // A tenth more is not worth another one.
  foresee([{ ...burn, index: 5.3 * PER_HOUR }])
  expect(await spans(AS_NEEDED)).toEqual(near(first))
})
