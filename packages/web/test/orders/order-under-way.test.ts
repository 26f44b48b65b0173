// Goal: the form of an order under way has what was ordered, or what the server states of it.
// Method: a session by hand, and maneuvers as the server states them.
import type { Order } from '@orrery/client'
import { beforeEach, expect, test } from 'vitest'
import { noteStart, orderUnderWay } from '../../src/orders/order-under-way.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'
import { departureChoice } from '../../src/orders/maneuvers.ts'
import type { Session } from '../../src/session/session.ts'
import { createHandSession } from '../game/hand-session.ts'

const STATION = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const ROW = '8f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const SHIP = '7f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const TO_MOON: Order = {
  type: 'maneuver_start',
  maneuver: 'transfer',
  target_body: 'Moon',
  altitude: 3e5,
  depart: 'soonest',
}
const DOCK: Order = { type: 'dock', station_id: STATION, depart: '2030-01-01T12:00:00.000Z' }

let session: Session

beforeEach(() => {
  ;({ session } = createHandSession())
  Object.assign(session.flight.world, {
    objects: () => [{ id: STATION, kind: 'station' }],
    rows: () => [{ id: ROW }],
  })
})

function under(maneuver: string, target: Partial<ManeuverState> = {}): ManeuverState {
  return { maneuver, target_body: null, target_id: null, ...target } as ManeuverState
}

test('it is the one that was given here', () => {
  noteStart(session, TO_MOON)
  noteStart(session, { type: 'control', thrust_level: 0 })
  expect(orderUnderWay(session, under('transfer', { target_body: 'Moon' }))).toBe(TO_MOON)
  noteStart(session, DOCK)
  expect(orderUnderWay(session, under('dock', { target_id: STATION }))).toBe(DOCK)
})

test('another one has what is stated of it', () => {
  noteStart(session, TO_MOON)
  const start = { type: 'maneuver_start' }
  const states: readonly [ManeuverState, object][] = [
    [under('transfer', { target_body: 'Mars' }), { maneuver: 'transfer', target_body: 'Mars' }],
    [under('rendezvous', { target_id: STATION }), { target_station_id: STATION }],
    [under('rendezvous', { target_id: ROW }), { target_station_id: ROW }],
    [under('rendezvous', { target_id: SHIP }), { target_ship_id: SHIP }],
    [under('escape'), { maneuver: 'escape' }],
  ]
  for (const [state, stated] of states) {
    expect(orderUnderWay(session, state)).toMatchObject({ ...start, ...stated })
  }
  const docking = orderUnderWay(session, under('dock', { target_id: STATION }))
  expect(docking).toEqual({ type: 'dock', station_id: STATION })
})

test('a departure is a choice of the form', () => {
  expect(departureChoice()).toEqual({ way: 'cheapest', date: '' })
  expect(departureChoice(TO_MOON.depart)).toEqual({ way: 'soonest', date: '' })
  expect(departureChoice(DOCK.depart)).toEqual({ way: 'dated', date: '2030-01-01T12:00' })
})
