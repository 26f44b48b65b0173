/**
 * Law: the number of workers, and which of them flies what, changes no bit. Goal: one scripted
 * world of three chunks under thrust and turning, flown by 1, 2 and 3 real workers with the
 * kernel in WebAssembly, and by none with its TypeScript twin, gives one digest; so does a world
 * that was stored and restored half-way.
 */
import {
  type Pool,
  type World,
  addShip,
  createGameClock,
  createPool,
  restoreWorld,
} from '@orrery/engine'
import { SHIP_COLUMNS, absorbBytes, createDigest, digestText, finish } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { worldImage } from '../src/image.ts'
import { acceptControl, writeOrders } from '../src/intake.ts'
import { completeNear } from '../src/world.ts'
import { START_INDEX, callingThread, globe, globeWorld } from './globe.ts'

const SHIPS = 520
const TICKS = 24
const QUANTA_PER_TICK = 100

it('gives the same bits for any number of workers', async () => {
  const alone = scriptedWorld()
  await fly(alone, callingThread(alone), 0, TICKS)
  const expected = digestOf(alone)
  const kernel = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
  for (const workers of [1, 2, 3]) {
    const world = scriptedWorld(kernel)
    const pool = createPool(world, workers, (error) => expect.fail(String(error)))
    await fly(world, pool, 0, TICKS)
    await pool.close()
    expect(digestOf(world), `${workers} workers`).toBe(expected)
  }
})

it('goes on from an image to the same bits', async () => {
  const whole = scriptedWorld()
  await fly(whole, callingThread(whole), 0, TICKS)
  const half = scriptedWorld()
  await fly(half, callingThread(half), 0, TICKS / 2)
  // Commands that wait are part of the image.
  steer(half, TICKS / 2)
  const image = worldImage(half, createGameClock(half.index), TICKS / 2)
  const { world, tick } = restoreWorld(structuredClone(image), { systems: [globe()], shipsMax: 10 })
  expect(tick).toBe(TICKS / 2)
  expect(world.intake.sequence).toBe(half.intake.sequence)
  await fly(world, callingThread(world), TICKS / 2, TICKS, true)
  expect(digestOf(world)).toBe(digestOf(whole))
})

function scriptedWorld(kernel?: Uint8Array): World {
  const world = globeWorld(SHIPS, kernel)
  for (let i = 0; i < SHIPS; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
  return world
}

async function fly(
  world: World,
  pool: Pool,
  from: number,
  to: number,
  steered = false,
): Promise<void> {
  for (let tick = from; tick < to; tick++) {
    if (!(steered && tick === from)) steer(world, tick)
    const target = START_INDEX + (tick + 1) * QUANTA_PER_TICK
    completeNear(world, target)
    writeOrders(world.intake, world.state, target)
    await pool.advance(target)
    world.index = target
  }
}

/** Every third ship gets a new throttle, every seventh a new attitude, at scattered indices. */
function steer(world: World, tick: number): void {
  for (const entry of world.roster.byId.values()) {
    const roll = (entry.number * 31 + tick * 17) % 97
    if (roll % 3 !== 0) continue
    const shown = world.index + roll
    acceptControl(
      world.intake,
      entry,
      {
        thrustLevel: (roll % 11) / 10,
        ...(roll % 7 === 0 && { attitude: [1, roll / 50, -roll / 90, 0.3] as const }),
      },
      shown,
      world.index,
    )
  }
}

/** Of every column of the ships' chunks; the restored world may hold more empty ones. */
function digestOf(world: World): string {
  const slots = Math.ceil(SHIPS / 256) * 256
  const digest = createDigest()
  for (const { name, components } of SHIP_COLUMNS) {
    const values = world.state.ships[name].subarray(0, slots * components)
    absorbBytes(digest, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }
  finish(digest)
  return digestText(digest)
}
