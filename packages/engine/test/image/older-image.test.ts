/**
 * Law: an image of the release before, whose columns differ from the present ones, opens: columns
 * are matched by name, a column that is missing begins at its default, one that is unknown is
 * passed over. Method: an image whose ships have no value in a column is written without it, and
 * with a foreign column in its place; it restores the same world, which flies on to the same bits.
 *
 * Law: maneuvers of an image of physics 4 go on to their ends. Method: an image that physics 4
 * made, with an orbit change and a plan of burns under way and a rule that waits, is opened and
 * flown.
 *
 * Law: what an older physics flew is known as such, also after it is stored again, until a row of
 * the journal begins the present one; a row that begins another one is refused by name.
 */
import {
  type SystemDigest,
  type WorldImage,
  addShip,
  createGameClock,
  restoreWorld,
} from '@orrery/engine/testing'
import { type Column, PHYSICS, TURNING } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { SEAL_BYTES } from '../../src/image/image-bytes.ts'
import { worldImage } from '../../src/image/image.ts'
import { rowBytes, shipRows } from '../../src/image/image-layout.ts'
import { createReplay } from '../../src/replay.ts'
import { START_INDEX, globe, globeWorld } from '../globe.ts'
import { resealed } from './resealed.ts'
import { testEngine } from '../test-engine.ts'

const room = { system: globe(), shipsMax: 512 }
const clock = createGameClock(START_INDEX)
const FOREIGN: Column = { name: 'hullPaint', type: 'u8', components: 3, unit: 'red green blue' }

function coastingImage(): WorldImage {
  const world = globeWorld()
  for (const name of ['first', 'second', 'third']) addShip(world, name, name)
  return worldImage(world, clock, 7)
}

/** The image with other bytes in the place of one ship column, and with other columns there. */
function withColumn({ header, bytes }: WorldImage, name: string, instead: Column[]): WorldImage {
  const at = header.columns.findIndex((column) => column.name === name)
  const before = header.columns.slice(0, at)
  const after = header.columns.slice(at + 1)
  const rows = shipRows(header)
  const begin = rows * rowBytes(before)
  const end = begin + rows * rowBytes([header.columns[at]])
  const body = Buffer.concat([
    bytes.subarray(0, begin),
    Buffer.alloc(rows * rowBytes(instead), 0xa5),
    bytes.subarray(end, -SEAL_BYTES),
  ])
  const sealed = Buffer.concat([body, Buffer.alloc(SEAL_BYTES)])
  return resealed({ ...header, columns: [...before, ...instead, ...after] }, sealed)
}

async function digestsAfter(image: WorldImage): Promise<SystemDigest[]> {
  const digests: SystemDigest[] = []
  const { engine, clock } = testEngine({
    ...restoreWorld(image, room),
    tickRate: 1,
    timeScale: 10,
    onDigest: (digest) => digests.push(digest),
  })
  await clock.advance(20_000)
  await engine.stop()
  return digests
}

it.each([
  { what: 'without a column', instead: [] },
  { what: 'with a column that is unknown now', instead: [FOREIGN] },
])('opens an image $what, and flies on to the same digests', async ({ instead }) => {
  const image = coastingImage()
  const older = withColumn(image, 'angularMomentum', instead)
  expect(older.header.columns).not.toEqual(image.header.columns)
  const { world, gameClock, tick } = restoreWorld(older, room)
  expect(worldImage(world, gameClock, tick)).toEqual(image)
  const digests = await digestsAfter(older)
  expect(digests.length).toBeGreaterThan(1)
  expect(digests).toEqual(await digestsAfter(image))
})

it('leaves a missing column at the default of a new world', () => {
  const image = coastingImage()
  const { world } = restoreWorld(withColumn(image, 'fuel', []), room)
  const { fuel, shipNumber, endPosition } = world.state.ships
  expect([...shipNumber.subarray(0, 4)]).toEqual([1, 2, 3, 0])
  expect([...fuel.subarray(0, 3)]).toEqual([0, 0, 0])
  expect(endPosition[0]).not.toBe(0)
})

it('ends the maneuvers of an image that physics 4 made', async () => {
  const file = await readFile(new URL('physics-4.json.gz', import.meta.url))
  const { header, bytes } = JSON.parse(gunzipSync(file).toString()) as {
    header: WorldImage['header']
    bytes: string
  }
  expect(header.physics).toBe(4)
  const image = { header, bytes: Buffer.from(bytes, 'base64') }
  const room = { system: globe(header.system.node), shipsMax: 512 }
  const ended: string[] = []
  const { engine, clock } = testEngine({
    ...restoreWorld(image, room),
    tickRate: 1,
    timeScale: 100,
    onManeuver: ({ eventType, shipId }) => void (eventType === 'completed' && ended.push(shipId)),
  })
  await clock.advance(3e5)
  await engine.stop()
  expect(ended.toSorted()).toEqual(['planned', 'raising', 'ruled'])
})

it('flies steps that another physics makes shorter up to the index', async () => {
  const { engine, clock: time } = testEngine({ tickRate: 1, timeScale: 10 })
  const [world] = engine.universe.worlds
  const { slot } = addShip(world, 'first', 'First')
  await time.advance(1000)
  const { ships } = world.state
  expect(ships.stepStart[slot]).toBeLessThan(world.index)
  // A hull that turns takes quarter-second steps: as if the rule had become another.
  ships.attitudeMode[slot] = TURNING
  const { header, bytes } = worldImage(world, clock, 1)
  const older = resealed({ ...header, physics: PHYSICS - 1 }, bytes)
  const restored = restoreWorld(older, room).world
  const { stepStart, stepEnd } = restored.state.ships
  expect(stepStart[slot]).toBeLessThanOrEqual(header.index)
  expect(stepEnd[slot]).toBeGreaterThan(header.index)
  expect(stepEnd[slot] - stepStart[slot]).toBeLessThanOrEqual(16)
  await engine.stop()
})

it('is of an older physics until its journal begins the present one', async () => {
  const { header, bytes } = coastingImage()
  expect(restoreWorld({ header, bytes }, room).world.physicsBefore).toBeUndefined()
  const older = resealed({ ...header, physics: PHYSICS - 1 }, bytes)
  const first = restoreWorld(older, room)
  expect(first.world.physicsBefore).toBe(PHYSICS - 1)
  const again = worldImage(first.world, first.gameClock, first.tick)
  expect(again.header).toMatchObject({ physics: PHYSICS, before: PHYSICS - 1 })

  const { world } = restoreWorld(again, room)
  const replay = createReplay({ world, pool: undefined })
  const row = (physics: number): Parameters<typeof replay.apply>[0] => ({
    sequence: header.sequence + 1,
    index: header.index,
    command: { kind: 'begin_physics', physics },
  })
  await expect(replay.apply(row(PHYSICS + 1))).rejects.toMatchObject({
    code: 'ERR_REPLAY',
    cause: { code: 'ERR_PHYSICS' },
  })
  expect(world.physicsBefore).toBe(PHYSICS - 1)
  await replay.apply(row(PHYSICS))
  expect(worldImage(world, clock, 7).header).not.toHaveProperty('before')
})
