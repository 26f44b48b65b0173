import { describe, expect, test } from 'vitest'
import type { Thing } from '../../src/readings/thing.ts'
import type { CoveringBody, LabelSource, SeenThing } from '../../src/view/label-source.ts'
import { thingAt } from '../../src/page/picking.ts'
import { vector, type Vector } from '@orrery/page-kit'

const FOCAL = 100

/** Looks along +x; the middle of the picture is 0, 0. */
function project(out: { x: number; y: number }, [x, y, z]: Vector): boolean {
  out.x = (FOCAL * y) / x
  out.y = (-FOCAL * z) / x
  return x > 0
}

const EARTH: Thing = { kind: 'body', name: 'Earth' }
const MOON: Thing = { kind: 'body', name: 'Moon' }
const NEAR: Thing = { kind: 'ship', id: 'near' }
const HIDDEN: Thing = { kind: 'ship', id: 'hidden' }
const BEHIND: Thing = { kind: 'ship', id: 'behind' }

/** Earth fills 40 px about the middle; a ship is before it, one behind it. */
const THINGS: readonly SeenThing[] = [
  { thing: EARTH, position: vector(1000), pixels: 40 },
  { thing: MOON, position: vector(3000, 1800), pixels: 2 },
  { thing: NEAR, position: vector(500, 100), pixels: 0.1 },
  { thing: HIDDEN, position: vector(2000, -400), pixels: 0.1 },
  { thing: BEHIND, position: vector(-500, 50), pixels: 0.1 },
  { thing: undefined, position: vector(1000, 900), pixels: 0 },
]

const GROUND: CoveringBody = { position: vector(1000), pixels: 40, radius: 371 }

const SOURCES: readonly LabelSource[] = [
  { items: () => [], things: () => THINGS, covers: () => [GROUND] },
]

const at = (x: number, y: number, reach: number = 10): Thing | undefined =>
  thingAt(SOURCES, project, { x, y, reach })

describe('what is under a click', () => {
  test('is what is nearest on the screen', () => {
    expect(at(60, 2)).toEqual(MOON)
    expect(at(20, 3)).toEqual(NEAR)
  })

  test('is a body anywhere on its disc, unless a ship before it is as near', () => {
    expect(at(-30, 10)).toEqual(EARTH)
    expect(at(17, 0)).toEqual(NEAR)
    expect(at(5, 0)).toEqual(EARTH)
  })

  test('is nothing behind a body, behind the camera, out of reach, or without a thing', () => {
    expect(at(-20, 0)).toEqual(EARTH)
    expect(at(-10, 0)).toEqual(EARTH)
    expect(at(90, 0)).toBeUndefined()
    expect(at(60, 30)).toBeUndefined()
  })

  test('is nothing below the horizon of a body whose middle is behind the camera', () => {
    const ground = { position: vector(-1, 0, -6771), pixels: 250, radius: 6371 }
    const seenAt = (degrees: number): Thing | undefined => {
      const down = (degrees * Math.PI) / 180
      const position = vector(384_400 * Math.cos(down), 0, -384_400 * Math.sin(down))
      const sources = [
        {
          items: () => [],
          things: () => [{ thing: MOON, position, pixels: 2 }],
          covers: () => [ground],
        },
      ]
      return thingAt(sources, project, { x: 0, y: FOCAL * Math.tan(down), reach: 5 })
    }
    // The horizon is 19.8° down.
    expect(seenAt(19)).toEqual(MOON)
    expect(seenAt(21)).toBeUndefined()
  })

  test('is farther away for a finger', () => {
    expect(at(75, 0)).toBeUndefined()
    expect(at(75, 0, 24)).toEqual(MOON)
  })
})
