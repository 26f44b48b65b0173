// Goal: a system that physics cannot run on is refused by name, never integrated.
// Method: one fault at a time in a system that is accepted without it.
import {
  type Body,
  type StarSystem,
  attachEphemeris,
  createState,
  ephemerisLength,
  stateBytes,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { smallSystem } from './small-system.ts'

const SIZE = { ships: 1, nodes: 2 }

/** The small system with one body changed. */
const withBody = (place: number, change: Partial<Body>): StarSystem => ({
  ...smallSystem,
  bodies: smallSystem.bodies.map((body, i) => (i === place ? { ...body, ...change } : body)),
})

const withOblateness = (change: object): StarSystem =>
  withBody(1, { oblateness: { ...smallSystem.bodies[1].oblateness!, ...change } })

const attach = (system: StarSystem): unknown =>
  attachEphemeris(system, new Float64Array(ephemerisLength(system, 2)), new Float64Array(2))

const create = (system: StarSystem): unknown =>
  createState(new SharedArrayBuffer(stateBytes(smallSystem, SIZE)), system, SIZE)

describe.each([
  { door: 'createState', open: create },
  { door: 'attachEphemeris', open: attach },
])('$door', ({ open }) => {
  test('takes a system that is in order', () => {
    expect(() => open(smallSystem)).not.toThrow()
  })

  test.each([0, -1, Number.NaN, Infinity, -Infinity])('refuses a GM of %d', (gm) => {
    expect(() => open(withBody(2, { gm }))).toThrowError(
      expect.objectContaining({
        code: 'ERR_STAR_SYSTEM',
        message: `Inner of Small has a gravitational parameter of ${gm} m³/s².`,
      }),
    )
  })

  test.each([
    { fault: 'no radius', system: withBody(2, { radius: 0 }) },
    { fault: 'a negative radius', system: withBody(2, { radius: -1 }) },
    { fault: 'a radius that is not a number', system: withBody(2, { radius: Number.NaN }) },
    { fault: 'itself for a parent', system: withBody(2, { parent: 2 }) },
    { fault: 'a parent behind it', system: withBody(2, { parent: 4 }) },
    { fault: 'a second root', system: withBody(2, { parent: -1 }) },
    { fault: 'a root with a parent', system: withBody(0, { parent: 0 }) },
    { fault: 'a parent that is not a number', system: withBody(2, { parent: Number.NaN }) },
    { fault: 'half a parent', system: withBody(2, { parent: 0.5 }) },
    { fault: 'a pole too long', system: withOblateness({ pole: [0.36, 0.48, 0.9] }) },
    { fault: 'a pole of nothing', system: withOblateness({ pole: [0, 0, 0] }) },
    { fault: 'a pole that is not a number', system: withOblateness({ pole: [Number.NaN, 0, 1] }) },
    { fault: 'an endless J2', system: withOblateness({ j2: Infinity }) },
    { fault: 'a J4 that is not a number', system: withOblateness({ j4: Number.NaN }) },
    { fault: 'no reference radius', system: withOblateness({ referenceRadius: 0 }) },
  ])('refuses $fault', ({ system }) => {
    expect(() => open(system)).toThrowError(expect.objectContaining({ code: 'ERR_STAR_SYSTEM' }))
  })

  test('refuses a system without bodies', () => {
    const empty: StarSystem = { ...smallSystem, bodies: [] }
    expect(() => open(empty)).toThrowError(expect.objectContaining({ code: 'ERR_STAR_SYSTEM' }))
  })
})
