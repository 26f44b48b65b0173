/**
 * Law: the engine ticks at its rate, stops while paused, takes commands between ticks,
 * and never acts on one before the moment its player saw. Goal: every promise of the loop, under
 * a simulated clock.
 */
import type { EngineOptions } from '@orrery/engine/testing'
import { type Control, utcFromLattice } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { START_INDEX, callingThread, globeWorld } from '../globe.ts'
import { type TestEngine, testEngine } from '../test-engine.ts'

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

function countedEngine(options: Partial<EngineOptions> = {}) {
  const published: number[] = []
  const faults: unknown[] = []
  const made: TestEngine = testEngine({
    onPublish: () => published.push(made.engine.status().tick),
    onFault: (error) => faults.push(error),
    ...options,
  })
  return { ...made, published, faults }
}

describe('ticking', () => {
  it('runs ten ticks in a second at 10 Hz and moves game time by a second', async () => {
    const { engine, clock, published } = countedEngine()
    await clock.advance(1000)
    const status = engine.status()
    expect(published).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(status.gameTimeMs).toBe(utcFromLattice(START_INDEX) + 1000)
    expect(status.actualRate).toBeCloseTo(10, 9)
    expect(status.ticksBehind).toBe(0)
    expect(status.timeDriftSeconds).toBeCloseTo(0, 9)
  })

  it('follows a changed rate and scale', async () => {
    const { engine, clock, published } = countedEngine()
    expect(engine.changeTickRate(2)).toBe(10)
    expect(engine.changeTimeScale(100)).toBe(1)
    await clock.advance(2000)
    expect(published.length).toBe(4)
    expect(engine.status().gameTimeMs).toBe(utcFromLattice(START_INDEX) + 200_000)
  })

  it('shows the time between two ticks, but for a pause', async () => {
    const { engine, clock } = countedEngine({ tickRate: 1 })
    await clock.advance(1400)
    expect(engine.status().shownOffset).toBeCloseTo(0.4 * 64, 6)
    await engine.pause()
    await clock.advance(1000)
    expect(engine.status().shownOffset).toBe(0)
  })

  it('catches up five ticks after the process stood still, and drops the rest', async () => {
    let slow: (() => void) | undefined
    const world = globeWorld()
    const pool = callingThread(world)
    const { engine, clock } = countedEngine({
      pool: {
        ...pool,
        advance: async (target) => {
          if (slow) await new Promise<void>((resolve) => (slow = resolve))
          return pool.advance(target)
        },
      },
    })
    await clock.advance(500)
    slow = () => undefined
    await clock.advance(2000)
    expect(engine.status().ticksBehind).toBe(20)
    const release = slow
    slow = undefined
    release()
    await clock.advance(0)
    expect(engine.status()).toMatchObject({ ticksDropped: 14, ticksBehind: 0, tick: 11 })
  })

  it('pauses and reports a fault when a tick breaks, until a resume', async () => {
    const { engine, clock, faults } = countedEngine({
      pool: {
        ...callingThread(globeWorld()),
        advance: () => Promise.reject(new Error('broken')),
      },
    })
    await clock.advance(1000)
    expect(faults).toEqual([new Error('broken')])
    expect(engine.status()).toMatchObject({ paused: true, faulted: true, tick: 0 })
    await engine.resume()
    expect(engine.status()).toMatchObject({ paused: false, faulted: false })
  })
})

describe('pause', () => {
  it('stops game time and resumes where it stopped', async () => {
    const { engine, clock, published } = countedEngine()
    await clock.advance(300)
    expect(await engine.pause()).toBe(3)
    await clock.advance(60_000)
    expect(await engine.pause()).toBe(3)
    expect(engine.status()).toMatchObject({ actualRate: 0, ticksBehind: 0, tick: 3 })
    expect(await engine.resume()).toBe(3)
    expect(await engine.resume()).toBe(3)
    await clock.advance(200)
    expect(published).toEqual([1, 2, 3, 4, 5])
    expect(engine.status().timeDriftSeconds).toBeCloseTo(-60, 9)
  })

  it('still takes structural commands, and publishes each', async () => {
    const { engine, clock, published } = countedEngine({ paused: true })
    await clock.advance(1000)
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    expect(await engine.ship(SHIP)).toMatchObject({ name: 'Nostromo', fuel: 10_000 })
    await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' })
    await engine.execute({ kind: 'remove_ship', shipId: SHIP })
    expect(await engine.ship(SHIP)).toBeUndefined()
    expect(published).toEqual([0, 0, 0])
  })

  it('keeps control commands for the resume', async () => {
    const { engine, clock } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    engine.control(SHIP, { thrustLevel: 1 })
    await clock.advance(5000)
    expect((await engine.ship(SHIP))?.fuel).toBe(10_000)
    await engine.resume()
    await clock.advance(1000)
    expect((await engine.ship(SHIP))?.fuel).toBeLessThan(10_000)
  })
})

describe('rest', () => {
  it('begins when no tick is due soon, and leaves ticks where they are due', async () => {
    const { engine, clock, published } = countedEngine()
    await clock.advance(130)
    const work = async (): Promise<number> => {
      await clock.advance(40)
      return published.length
    }
    expect(await engine.atRest(work, 60)).toBe(1)
    await clock.advance(30)
    expect(published).toEqual([1, 2])
    await clock.advance(50)
    const rest = engine.atRest(work, 60)
    await clock.advance(50)
    expect(await rest).toBe(3)
    expect(engine.status().timeDriftSeconds).toBeCloseTo(0, 9)
  })

  it('goes on as after a pause when it was long', async () => {
    const { engine, clock, published } = countedEngine()
    await clock.advance(130)
    await engine.atRest(() => clock.advance(1000))
    await clock.advance(90)
    expect(published).toEqual([1])
    await clock.advance(10)
    expect(published).toEqual([1, 2])
  })
})

describe('control', () => {
  it('acts at the control boundary after the shown moment, never in the decided past', async () => {
    const { engine, clock } = countedEngine({ tickRate: 1 })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    await clock.advance(1000)
    // 0.53 s after the tick at index START + 64 the pilot sees START + 97.92.
    await clock.advance(530)
    const { index } = engine.control(SHIP, { thrustLevel: 1 })
    expect(index).toBe(4 * Math.ceil((START_INDEX + 97.92) / 4))
    await clock.advance(470)
    const burnt = 10_000 - ((await engine.ship(SHIP))?.fuel ?? NaN)
    expect(burnt).toBeCloseTo((12.5 * (START_INDEX + 128 - index)) / 64, 6)
  })

  it('acts at the boundary that it asks for, also after a pause', async () => {
    const { engine, clock } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    await clock.advance(5000)
    const asked = (ahead: number): number =>
      engine.control(SHIP, { thrustLevel: 1 }, null, START_INDEX + ahead).index - START_INDEX
    // Paused, the shown moment stands still.
    expect(() => asked(132)).toThrow(expect.objectContaining({ code: 'ERR_CONTROL' }))
    expect([92, 0, 128].map((ahead) => asked(ahead))).toEqual([92, 92, 128])
    await engine.resume()
    await clock.advance(1500)
    const burnt = 10_000 - ((await engine.ship(SHIP))?.fuel ?? NaN)
    expect(burnt).toBeCloseTo((12.5 * 4) / 64, 6)
    expect([40, 120].map((ahead) => asked(ahead))).toEqual([128, 128])
  })

  it('stops game time when the engine stops', async () => {
    const { engine, clock } = countedEngine()
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    await clock.advance(1000)
    await engine.stop()
    await clock.advance(5000)
    expect(engine.control(SHIP, { thrustLevel: 1 }).index).toBe(START_INDEX + 68)
  })

  it('merges commands for one boundary, the later value winning', async () => {
    const { engine, world } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    const first = engine.control(SHIP, { thrustLevel: 1, attitude: [1, 0, 0, 0] })
    const second = engine.control(SHIP, { thrustLevel: 0.5 })
    expect(second).toEqual(first)
    expect(world.intake.pending.map(({ control }) => control)).toEqual([
      { thrustLevel: 0.5, attitude: [1, 0, 0, 0] },
    ])
  })

  it('takes the later of an attitude and a pointing, which are one wish', async () => {
    const { engine, world } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    engine.control(SHIP, { thrustLevel: 1, attitude: [1, 0, 0, 0] })
    const [pending] = world.intake.pending
    engine.control(SHIP, { pointing: 'prograde' })
    expect(pending.control).toEqual({ thrustLevel: 1, pointing: 'prograde' })
    engine.control(SHIP, { attitude: [0, 1, 0, 0] })
    expect(pending.control).toEqual({ thrustLevel: 1, attitude: [0, 1, 0, 0] })
  })

  it('keeps what steers and what unloads the wheels apart', async () => {
    const { engine, world } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    engine.control(SHIP, { thrustLevel: 1, deltaV: 10 })
    const [pending] = world.intake.pending
    engine.control(SHIP, { unloading: false })
    expect(pending.control).toEqual({ thrustLevel: 1, deltaV: 10, unloading: false })
    engine.control(SHIP, { thrustLevel: 0.5 })
    expect(pending.control).toEqual({ thrustLevel: 0.5, unloading: false })
    engine.control(SHIP, { pointing: 'rest', unloading: true })
    expect(pending.control).toEqual({ thrustLevel: 0.5, pointing: 'rest', unloading: true })
  })

  it('refuses what no ship can do, and goes on', async () => {
    const { engine, clock } = countedEngine()
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    const refused: Control[] = [
      { thrustLevel: NaN },
      { thrustLevel: Infinity },
      { thrustLevel: -1e-9 },
      { thrustLevel: 1.1 },
      { attitude: [0, 0, 0, 0] },
      { attitude: [NaN, 0, 0, 1] },
      { attitude: [1e200, 0, 0, 0] },
      { attitude: [1, Infinity, 0, 0] },
      { pointing: 'target' },
      { pointing: 'prograde', target: 1 },
      { target: 1 },
    ]
    for (const control of refused) {
      expect(() => engine.control(SHIP, control), `control ${JSON.stringify(control)}`).toThrow(
        expect.objectContaining({ code: 'ERR_CONTROL' }),
      )
    }
    await clock.advance(1000)
    expect(engine.status().tick).toBe(10)
    expect((await engine.ship(SHIP))?.frozen).toBe(false)
  })

  it('keeps at most 64 commands of one ship waiting', async () => {
    const { engine, clock } = countedEngine({ tickRate: 0.1 })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    // The world is decided up to its index, so the first two meet at the boundary after it.
    for (let i = 0; i < 65; i++) {
      engine.control(SHIP, { thrustLevel: i / 65 })
      await clock.advance(62.5)
    }
    expect(() => engine.control(SHIP, { thrustLevel: 1 })).toThrow(/64 commands already wait/)
    await clock.advance(6000)
    expect(engine.control(SHIP, { thrustLevel: 1 }).index).toBeGreaterThan(START_INDEX + 640)
  })

  it('is forgotten with its ship', async () => {
    const { engine, clock, world } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    engine.control(SHIP, { thrustLevel: 1 })
    await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' })
    await engine.execute({ kind: 'remove_ship', shipId: SHIP })
    expect(world.intake.pending).toEqual([])
    expect(() => engine.control(SHIP, { thrustLevel: 1 })).toThrow(/No ship/)
    await engine.execute({ kind: 'create_ship', shipId: 'another', name: 'In the same slot' })
    await engine.resume()
    await clock.advance(1000)
    expect((await engine.ship('another'))?.fuel).toBe(10_000)
  })
})

describe('ships', () => {
  it('cannot be made twice, or beyond the world\u2019s size', async () => {
    const { engine, world } = countedEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    await expect(
      engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Again' }),
    ).rejects.toMatchObject({
      code: 'ERR_SHIP_EXISTS',
    })
    for (let i = 1; i < world.state.slots; i++)
      await engine.execute({ kind: 'create_ship', shipId: `ship-${i}`, name: 'Ship' })
    await expect(
      engine.execute({ kind: 'create_ship', shipId: 'one more', name: 'Late' }),
    ).rejects.toMatchObject({
      code: 'ERR_WORLD_FULL',
    })
    const { slot } = world.roster.byId.get('ship-300')!
    await engine.execute({ kind: 'remove_ship', shipId: 'ship-300' })
    await engine.execute({ kind: 'create_ship', shipId: 'one more', name: 'In time' })
    expect(world.roster.byId.get('one more')?.slot).toBe(slot)
  })
})
