/**
 * Law: a world stored by an earlier release opens and flies on to the bits it would have had there.
 * Goal: an image of format 2 with ships that turn, burn and watch each other, a station, a gate,
 * commands that wait and a ship that is debugged; beside it three minutes of its continuation, as
 * the release flew it that made the image.
 */
import { type ManeuverEvent, type WorldImage, restoreWorld } from '@orrery/engine'
import { type WorldDigest, takeEvents } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { worldImage } from '../src/image/image.ts'
import { pair } from './busy-world.ts'
import { closingDigest } from './determinism/closing-digest.ts'
import { globe } from './globe.ts'
import { testEngine } from './test-engine.ts'

const read = (name: string): Promise<Buffer> => readFile(new URL(`images/${name}`, import.meta.url))

const { header, flown } = JSON.parse(String(await read('format-2.json'))) as {
  header: WorldImage['header']
  flown: object
}
const older = { header, bytes: zstdDecompressSync(await read('format-2.state.zst')) }

const { system, ...rest } = globe()
const rock = { ...rest, system: { ...system, bodies: [{ ...system.bodies[0], name: 'Rock' }] } }
const room = { systems: [pair(), rock], shipsMax: 512 }

async function continued(image: WorldImage): Promise<object> {
  const digests: WorldDigest[] = []
  const maneuvers: object[] = []
  const { engine, clock, world } = testEngine({
    ...restoreWorld(image, room),
    tickRate: 1,
    timeScale: 10,
    onDigest: (digest) => digests.push(digest),
    onManeuver: ({ shipId, index, eventType, phase, targetId }: ManeuverEvent) =>
      maneuvers.push({ shipId, index, eventType, phase, targetId }),
  })
  await clock.advance(18_000)
  await engine.stop()
  const closing = closingDigest(world, takeEvents(world.state).events)
  return { index: world.index, digests, closing, maneuvers }
}

it('an image of the layout before opens and flies on to the same digest', async () => {
  expect(header).toMatchObject({ format: 2, pending: 5 })
  expect(await continued(older)).toEqual(flown)
})

it('holds in the present layout what it held in the older', async () => {
  const { world, gameClock, tick } = restoreWorld(older, room)
  const image = worldImage(world, gameClock, tick)
  expect(image.header).toMatchObject({ format: 3, pending: 5, ships: 8 })
  const again = restoreWorld(structuredClone(image), room)
  expect(again.world.roster).toEqual(world.roster)
  expect(again.world.maneuvers).toEqual(world.maneuvers)
  const sealed = again.world.intake.pending.map((pending) => ({ ...pending, isOpen: false }))
  expect(sealed).toEqual(world.intake.pending)
  expect(worldImage(again.world, again.gameClock, again.tick)).toEqual(image)
  expect(await continued(image)).toEqual(flown)
})
