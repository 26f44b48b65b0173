// Law: where a line enters the sphere of a moon, the moon is marked where it will be then.
import type { Forecast } from '@orrery/client/flight'
import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { NextMark } from '../../src/forecast/next-marks.ts'
import { TrajectoryMarks } from '../../src/labels/trajectory-marks.ts'
import type { Frame } from '../../src/scene/frame.ts'
import { BodyChain, vector } from '@orrery/page-kit'

const ENTRY = 6400
const bodies = [
  { name: 'Earth', parent: -1 },
  { name: 'Moon', parent: 0 },
]
/** From Earth, when the ship is there, and now. */
const MOON_THEN = [0, 3.8e8, 0] as const
const MOON_NOW = [3.8e8, 0, 0] as const
const SHIP_AT_ENTRY = [0, 3.2e8, 0] as const

/** Flies from one body to the other; from the Moon it is the other way round. */
function marksOf(from: 0 | 1): TrajectoryMarks {
  const stateAt: Forecast['stateAt'] = (out, time) => {
    out.reference = time < ENTRY ? from : 1 - from
    const centre = out.reference === 1 ? MOON_THEN : [0, 0, 0]
    out.r.set(SHIP_AT_ENTRY.map((part, k) => part - centre[k]))
    return true
  }
  const mark = { kind: 'sphere', index: ENTRY, body: bodies[1 - from].name } as const
  const next: NextMark = { key: 'sphere', mark, name: 'Enters', detail: '', seconds: 100 }
  const forecast = { systemId: 'sol', stateAt } as unknown as Forecast
  const marks = new TrajectoryMarks({
    own: signal({ forecast, isStale: false }),
    marks: signal([next]),
    pointed: signal(undefined),
  })
  const chain = new BodyChain([-1, 0])
  chain.relative.set(MOON_NOW, 3)
  const flight = { world: { system: { bodies } } }
  const camera = { body: 0, offset: vector() }
  marks.place({ camera, surroundings: { id: 'sol', bodies, chain, flight } } as unknown as Frame)
  return marks
}

test('the moon is where the line before its sphere ends', () => {
  const marks = marksOf(0)
  const ghost = marks.items().find(({ key }) => key.startsWith('ghost'))
  expect(ghost?.text).toBe('Moon in 1 min 40 s')
  expect([...(ghost?.position ?? [])]).toEqual([...MOON_THEN])
  expect(marks.signs).toHaveLength(2)
})

test('a body that the ship comes back to stays where it is', () => {
  const marks = marksOf(1)
  expect(marks.items().map(({ key }) => key)).toEqual(['mark sphere'])
})
