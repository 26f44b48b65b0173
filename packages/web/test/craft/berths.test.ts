import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { attitudeAlong, turned } from '../../src/space/attitude.ts'
import { vector } from '@orrery/page-kit'
import { Berths } from '../../src/craft/berths.ts'
import { COURIER_RADIUS } from '../../src/craft/courier-model.ts'
import { BERTHS, STATION_RADIUS } from '../../src/craft/station-model.ts'

const STATION = vector(1200, -300, 80)

function opened(): Berths {
  const attitude = new Float64Array(4)
  attitudeAlong(attitude, vector(0.6, 0, 0.8), vector(0, 1, 0))
  const berths = new Berths()
  berths.open(STATION, attitude, 1)
  return berths
}

/** From the station to where a docked ship stands. */
function moored(berths: Berths, id: string): { offset: number[]; nose: number[] } {
  const position = STATION.slice()
  const attitude = Float64Array.of(1, 0, 0, 0)
  expect(berths.moor(position, attitude, id)).toBe(true)
  const offset = [0, 1, 2].map((axis) => position[axis] - STATION[axis])
  const known = berths.offsetOf(id) ?? []
  for (const [axis, part] of offset.entries()) expect(known[axis]).toBeCloseTo(part, 9)
  return { offset, nose: [...turned(vector(), attitude, vector(1, 0, 0))] }
}

describe('berths', () => {
  test('hold as many ships apart from one another, each at its own place', () => {
    const berths = opened()
    const ids = Array.from({ length: BERTHS }, () => randomUUID())
    const places = ids.map((id) => moored(berths, id).offset)
    for (const [i, a] of places.entries()) {
      expect(Math.hypot(...a) + COURIER_RADIUS).toBeLessThan(STATION_RADIUS)
      for (const b of places.slice(i + 1)) {
        const apart = Math.hypot(...a.map((part, axis) => part - b[axis]))
        expect(apart).toBeGreaterThan(1.5 * COURIER_RADIUS)
      }
      expect(moored(berths, ids[i]).offset).toEqual(a)
    }
  })

  test('turn the nose of a ship to the spine', () => {
    const { offset, nose } = moored(opened(), randomUUID())
    const inward = nose.reduce((sum, part, axis) => sum - part * offset[axis], 0)
    expect(inward).toBeGreaterThan(10)
  })

  test('are no place for a ship that passes', () => {
    const passing = STATION.slice()
    passing[0] += 40
    expect(opened().moor(passing, Float64Array.of(1, 0, 0, 0), randomUUID())).toBe(false)
    expect(passing[0]).toBe(STATION[0] + 40)
  })

  test('are free again once a picture is without their ship', () => {
    const berths = opened()
    const id = randomUUID()
    moored(berths, id)
    berths.clear()
    expect(berths.offsetOf(id)).toBeDefined()
    berths.clear()
    expect(berths.offsetOf(id)).toBeUndefined()
  })
})
