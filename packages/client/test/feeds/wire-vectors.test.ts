// Law: the client reads the vectors for foreign clients as they say. Goal: frames to the bit, ships
// and stations to 1e-6 m and 1e-6 rad of what JSON ticks show. Method: the vectors, a scene.
import { type SystemMessage, createFrameReader, shipClassOf } from '@orrery/protocol'
import { createStateVector } from '@orrery/sim'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { Scene } from '../../src/scene/scene.ts'
import { createShipSample } from '../../src/scene/world.ts'

interface Shown {
  readonly index: number
  readonly offset: number
  readonly ships: readonly {
    readonly number: number
    readonly body: string
    readonly position: readonly number[]
    readonly velocity: readonly number[]
    readonly attitude: readonly number[]
    readonly fuel: number
    readonly thrust_level: number
  }[]
  readonly stations: readonly { readonly name: string; readonly position: readonly number[] }[]
}

const page = new URL('../../../protocol/vectors/frames.json', import.meta.url)
const { frames, system: message, objects, steps } = JSON.parse(readFileSync(page, 'utf8'))

const away = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.hypot(...b.map((x, i) => a[i] - x))

it('frames decode to what the vectors have, and ships are where they say', () => {
  const scene = new Scene()
  const { system, ship_classes: classes } = message as SystemMessage
  scene.enter(system, classes.map(shipClassOf))
  scene.placeObjects(objects.objects)
  const reader = createFrameReader(frames)
  const [sample, place] = [createShipSample(), createStateVector()]
  let states = 0
  for (const { frame, decoded, shown } of steps) {
    const { publication, index, blocks } = reader.read(
      new Uint8Array(Buffer.from(frame, 'hex')).buffer,
    )
    const columns = Object.fromEntries(
      blocks.map(({ name, columns: all }) => [
        name,
        Object.fromEntries(
          Object.entries(all).map(([column, values]) => [
            column,
            [...(values as Iterable<number>)],
          ]),
        ),
      ]),
    )
    // JSON has no -0.
    expect(JSON.parse(JSON.stringify({ publication, index, blocks: columns }))).toEqual(decoded)
    takeFrame(scene, { publication, index, blocks })
    const { ships, stations, ...instant }: Shown = shown
    const time = instant.index + instant.offset
    for (const { number, ...ship } of ships) {
      const { id } = scene.ships().find((one) => one.number === number)!
      expect(scene.shipAt(sample, id, time)).toBe(true)
      expect([sample.body, sample.thrustLevel]).toEqual([ship.body, ship.thrust_level])
      const turned = Math.sign(sample.attitude.reduce((sum, x, i) => sum + x * ship.attitude[i], 0))
      const attitude = sample.attitude.map((x) => turned * x)
      const errors = [
        away(sample.r, ship.position),
        away(sample.v, ship.velocity),
        2 * away(attitude, ship.attitude),
        sample.fuel - ship.fuel,
      ]
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(1e-6)
      states++
    }
    for (const { name, position } of stations) {
      const { id } = scene.objects().find((one) => one.name === name)!
      expect(scene.objectAt(place, id, time)).toBe(true)
      expect(away(place.r, position)).toBeLessThan(1e-6)
    }
  }
  expect(states).toBeGreaterThan(90)
})
