// Law: between two moments of the past a ship is on the curve through both, within metres in low
// orbit; where no moment is near, nothing is shown. Method: a circular orbit, by hand.
import type { PastSkyResponse } from '@orrery/client'
import { createShipSample } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { PastShips } from '../../src/past/past-ships.ts'

const BEGIN_MS = Date.parse('2026-11-29T06:00:00.000Z')
const RADIUS = 6.8e6
const RATE = 1.126e-3

type Seen = PastSkyResponse['ships'][number]

/** A ship on its orbit after some seconds. */
function shipAt(seconds: number, id: string): Seen {
  const [cos, sin] = [Math.cos(RATE * seconds), Math.sin(RATE * seconds)]
  const known: Partial<Seen> = {
    ship_id: id,
    name: `Ship ${id}`,
    ship_class: 'courier',
    reference_body: 'Earth',
    relative_position: { x: RADIUS * cos, y: RADIUS * sin, z: 0 },
    relative_velocity: { x: -RADIUS * RATE * sin, y: RADIUS * RATE * cos, z: 0 },
    attitude: { w: 1, x: 0, y: 0, z: 0 },
    thrust_level: 0.5,
    fuel: 100,
  }
  return known as Seen
}

function skyAt(seconds: number, ids: readonly string[]): PastSkyResponse {
  return {
    game_time: new Date(BEGIN_MS + 1000 * seconds).toISOString(),
    digests: { compared: 0, equal: 0 },
    bodies: [],
    stations: [],
    ships: ids.map((id) => shipAt(seconds, id)),
  }
}

test('a ship is on the curve between two moments, and nowhere beyond them', () => {
  const past = new PastShips()
  past.add(skyAt(0, ['a', 'b']), BEGIN_MS)
  past.add(skyAt(120, ['a']), BEGIN_MS)
  const out = createShipSample()
  for (const seconds of [0, 30, 60, 120]) {
    expect(past.stateAt(out, 'a', BEGIN_MS + 1000 * seconds)).toBe(true)
    const { relative_position: r, relative_velocity: v } = shipAt(seconds, 'a')
    expect(Math.hypot(out.r[0] - r.x, out.r[1] - r.y)).toBeLessThan(10)
    expect(Math.hypot(out.v[0] - v.x, out.v[1] - v.y)).toBeLessThan(1)
  }
  expect(past.stateAt(out, 'a', BEGIN_MS + 200_000)).toBe(false)
  expect(past.isKnown(BEGIN_MS - 10_000)).toBe(false)
  // It was gone at the later moment: nothing is known of where between.
  expect(past.stateAt(out, 'b', BEGIN_MS)).toBe(true)
  expect(past.stateAt(out, 'b', BEGIN_MS + 60_000)).toBe(false)
  const [first] = past.ships(BEGIN_MS)
  expect(past.ships(BEGIN_MS + 120_000)[0]).toBe(first)
})
