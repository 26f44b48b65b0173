// Goal: no frame, whatever its bytes, breaks the world of a client: it is taken, or refused with a
// code, and every question is answered at once. Method: frames of all that a scene reads, with some
// bytes changed, after each of which all ships and bodies are asked for at good and bad times.
import { FRAME_BLOCKS, FrameError, createBlock, createFrameReader } from '@orrery/protocol'
import { COURIER, type StarSystem } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { Scene } from '../../src/scene/scene.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { frameOf, identities } from '../flight/sent-frames.ts'

const GM = 3.986004418e14
const SYSTEM: StarSystem = {
  id: 'lone',
  name: 'Lone',
  position: [0, 0, 0],
  bodies: [{ name: 'Globe', parent: -1, gm: GM, radius: 6.371e6 }],
}
const SHIPS = 4
const FRAMES = byTier({ gate: 500, night: 10_000 })
const MUTATIONS_MAX = 4
/** What comes before is the header, which the protocol's own test mutates. */
const HEADER_BYTES = 16

/** A frame of all that a scene reads. */
function whole(index: number): Uint8Array<ArrayBuffer> {
  const ships = Array.from({ length: SHIPS }, (_, i) => ({
    number: i + 1,
    id: `0badcafe-0000-4000-8000-00000000000${i}`,
    name: `Ship ${i}`,
  }))
  const arcs = createBlock('arcs', SHIPS)
  const steps = createBlock('steps', SHIPS)
  const burns = createBlock('burns', SHIPS)
  const hulls = createBlock('hulls', SHIPS)
  const left = createBlock('left', 1)
  const view = createBlock('view', SHIPS)
  const clock = createBlock('clock', 1)
  const all = [arcs, steps, burns, hulls, view] as const
  for (const { columns } of all) columns.number.set(ships.map(({ number }) => number))
  const speed = Math.sqrt(GM / 7e6)
  for (let i = 0; i < SHIPS; i++) {
    arcs.columns.start[i] = hulls.columns.start[i] = index
    arcs.columns.end[i] = index + 1024
    for (const end of [steps, burns]) end.columns.end[i] = 2048
    const { columns } = arcs
    columns.position[3 * i] = columns.endPosition[3 * i + 1] = 7e6
    columns.velocity[3 * i + 1] = speed
    columns.endVelocity[3 * i] = -speed
    for (const end of [steps, burns]) {
      end.columns.endPosition[3 * i] = -7e6
      end.columns.endVelocity[3 * i + 1] = -speed
    }
    hulls.columns.attitude[4 * i] = hulls.columns.condition[i] = 1
  }
  const blocks = [createBlock('anchor', 1), ...identities(ships), ...all, left, clock]
  return new Uint8Array(frameOf(1, index, blocks))
}

test('a mutated frame is taken or refused with a code, and the world still answers', () => {
  const chance = createChance(testSeed('mutated frames'))
  const reader = createFrameReader(FRAME_BLOCKS)
  const frame = whole(1000)
  const scene = new Scene()
  scene.enter(SYSTEM, [COURIER])
  const state = createShipSample()
  const positions = new Float64Array(3 * 100)
  const codes = new Set<string>()
  let taken = 0
  for (let round = 0; round < FRAMES; round++) {
    const bytes = frame.slice()
    for (let i = chance.below(MUTATIONS_MAX); i >= 0; i--) {
      bytes[HEADER_BYTES + chance.below(bytes.length - HEADER_BYTES)] = chance.below(256)
    }
    try {
      takeFrame(scene, reader.read(bytes.buffer))
      taken++
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      codes.add(error.code)
    }
    for (const time of [1500, 1e12, -1e15, chance.share() * 1e6]) {
      expect(scene.positionsAt(positions, time)).toBe(scene.ships().length)
      scene.bodyAt(state, 'Globe', time)
      for (const { id } of scene.ships()) scene.shipAt(state, id, time)
    }
    // A new connection begins with nothing.
    if (chance.oneIn(20)) scene.enter(SYSTEM, [COURIER])
  }
  expect(taken).toBeGreaterThan(FRAMES / 4)
  expect([...codes].toSorted()).toEqual(['ERR_FRAME_LENGTH', 'ERR_FRAME_VALUE'])
})
