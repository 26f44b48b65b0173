/**
 * Law: the adaptive rate brings ticks to 70 % of their period and rests there, or at 0.5 or 10 Hz
 * where no rate between would do; it never holds more than was measured. Goal: settling after
 * steps of the cost per tick, noise, pauses, other scales, overload, and the switch. Method: the
 * engine under a simulated clock, whose frames take as long as a given load. The noise has a fixed
 * seed: its bounds are statistical.
 */
import { createChance } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { adaptedRate, createAdaptiveRate, rateInReach } from '../../src/time/adaptive-rate.ts'
import { testEngine } from '../test-engine.ts'

const SEED = 20_262

/** What ticks cost, while it stays so. */
interface Load {
  /** [s] */
  readonly perTick: number
  /** [s per game second] */
  readonly perGameSecond: number
}

interface Sample {
  readonly atMs: number
  readonly rate: number
  /** true share of the period, noise aside */
  readonly share: number
}

interface Loaded {
  readonly load: Load
  readonly from?: number
  readonly scale?: number
  readonly adaptive?: boolean
  /** factor of each tick's cost */
  readonly scatter?: () => number
}

function loadedEngine({ load, from = 1, scale = 1, adaptive = true, scatter = () => 1 }: Loaded) {
  const samples: Sample[] = []
  const world = { load }
  let gameMs = NaN
  const { engine, clock } = testEngine({
    tickRate: from,
    timeScale: scale,
    adaptiveTickRate: adaptive,
    onPublish: () => {
      const { gameTimeMs, tickRate, effectiveTimeScale } = engine.status()
      const gameSeconds = Number.isNaN(gameMs)
        ? effectiveTimeScale / tickRate
        : (gameTimeMs - gameMs) / 1000
      gameMs = gameTimeMs
      const { perTick, perGameSecond } = world.load
      clock.work(1000 * scatter() * (perTick + perGameSecond * gameSeconds))
      const share = perTick * tickRate + perGameSecond * effectiveTimeScale
      samples.push({ atMs: clock.monotonicMs(), rate: tickRate, share })
    },
  })
  return {
    engine,
    clock,
    samples,
    loadWith: (other: Load) => {
      world.load = other
    },
    /** ticks on, and returns the samples of that time */
    run: async (seconds: number): Promise<Sample[]> => {
      const first = samples.length
      await clock.advance(1000 * seconds)
      return samples.slice(first)
    },
  }
}

const isSettled = ({ share }: Sample): boolean => share >= 0.65 && share <= 0.75

const moves = (samples: readonly Sample[]): number =>
  samples.filter(({ rate }, i) => i > 0 && rate !== samples[i - 1].rate).length

/** Settled from some moment on, at the latest 5 s or 10 ticks after the first. */
function expectToSettle(samples: readonly Sample[], fromMs: number): void {
  const late = samples.filter(({ atMs }, i) => i >= 10 && atMs > fromMs + 5000)
  expect(late.length).toBeGreaterThan(0)
  expect(late.filter((sample) => !isSettled(sample))).toEqual([])
  const sides = samples.filter((sample) => !isSettled(sample)).map(({ share }) => share > 0.7)
  const overshoots = sides.filter((side, i) => i > 0 && side !== sides[i - 1]).length
  expect(overshoots).toBeLessThanOrEqual(1)
}

/** The controller alone: after how many ticks behind a step it has settled for good. */
function ticksOutside(
  course: { perGameSecond: number; before: number; after: number; rate: number },
  scatter: () => number,
): number {
  const adaptive = createAdaptiveRate()
  let rateMicro = rateInReach(1e6 * course.rate)
  let outside = 0
  for (let tick = -60; tick < 120; tick++) {
    const perTick = tick < 0 ? course.before : course.after
    const gameSeconds = 1e6 / rateMicro
    const busy = perTick + course.perGameSecond * gameSeconds
    const share = busy / gameSeconds
    if (tick >= 0 && (share < 0.65 || share > 0.75)) outside = tick + 1
    const work = { gameSeconds, busy: busy * scatter() }
    rateMicro = adaptedRate(adaptive, rateMicro, 1e6, work)
  }
  return outside
}

function normal(seed: number): () => number {
  const chance = createChance(seed)
  const radius = (): number => Math.sqrt(-2 * Math.log(1 - chance.share()))
  return () => radius() * Math.cos(2 * Math.PI * chance.share())
}

describe('settling', () => {
  it.each([
    { perTick: 0.1, perGameSecond: 0.2 },
    { perTick: 0.08, perGameSecond: 0 },
    { perTick: 0.02, perGameSecond: 0.55 },
    { perTick: 0.9, perGameSecond: 0.2 },
  ])('comes from 1 Hz to 70 % and rests: %o', async (load) => {
    const { clock, run } = loadedEngine({ load })
    expectToSettle(await run(20), clock.monotonicMs() - 20_000)
    expect(moves(await run(120))).toBe(0)
  })

  const steps = [
    { before: 0.05, after: 0.15, perGameSecond: 0.4 },
    ...(IS_NIGHT
      ? [
          { before: 0.08, after: 0.24, perGameSecond: 0 },
          { before: 0.08, after: 0.24, perGameSecond: 0.1 },
          { before: 0.03, after: 0.09, perGameSecond: 0.6 },
          { before: 0.25, after: 0.75, perGameSecond: 0.2 },
        ]
      : []),
  ]
  it.each(steps.flatMap((step) => [step, { ...step, before: step.after, after: step.before }]))(
    'follows a step of the cost per tick: %o',
    async ({ before, after, perGameSecond }) => {
      const { clock, run, loadWith } = loadedEngine({ load: { perTick: before, perGameSecond } })
      await run(60)
      const stepMs = clock.monotonicMs()
      loadWith({ perTick: after, perGameSecond })
      expectToSettle(await run(60), stepMs)
      expect(moves(await run(60))).toBe(0)
    },
  )

  it('follows threefold steps of any load whose 70 % is within reach', () => {
    const chance = createChance(SEED)
    const random = normal(SEED)
    for (let i = 0; i < 300; i++) {
      const factor = i % 2 === 0 ? 3 : 1 / 3
      const perGameSecond = 0.6 * chance.share()
      // Both rates are between 0.6 and 9 Hz.
      const rate = (factor > 1 ? 1.8 : 0.6) * 5 ** chance.share()
      const before = (0.7 - perGameSecond) / rate
      const course = { perGameSecond, before, after: factor * before, rate }
      const outside = ticksOutside(course, () => 1 + 0.02 * random())
      expect({ i, course, settles: outside <= 10 }).toMatchObject({ settles: true })
    }
  })

  it('takes a step of the cost per game second for what it is', async () => {
    const { run, loadWith, engine } = loadedEngine({ load: { perTick: 0.05, perGameSecond: 0.1 } })
    await run(60)
    loadWith({ perTick: 0.05, perGameSecond: 0.5 })
    const samples = await run(60)
    expect(samples.slice(-100).every(isSettled)).toBe(true)
    expect(engine.status().tickRate).toBeCloseTo(4, 0)
  })
})

describe('noise', () => {
  it.each(byTier({ gate: [0.1], night: [0.05, 0.1, 0.2] }))(
    'keeps to its aim and moves little with a scatter of %d',
    async (noise) => {
      const random = normal(SEED)
      const scatter = (): number => Math.max(0.2, 1 + noise * random())
      const load = { perTick: 0.1, perGameSecond: 0.2 }
      const { run } = loadedEngine({ load, scatter })
      await run(30)
      const samples = await run(300)
      const mean = samples.reduce((sum, { share }) => sum + share, 0) / samples.length
      const settled = samples.filter(isSettled).length / samples.length
      expect(Math.abs(mean - 0.7)).toBeLessThan(0.03)
      expect(settled).toBeGreaterThan(0.9 - noise)
      expect(moves(samples)).toBeLessThan(20 + 200 * noise)
    },
  )

  it('ignores a single tick that takes ten times as long', async () => {
    let ticks = 0
    const scatter = (): number => (++ticks % 97 === 0 ? 10 : 1)
    const { run } = loadedEngine({ load: { perTick: 0.1, perGameSecond: 0.2 }, scatter })
    await run(60)
    const samples = await run(300)
    expect(samples.every(isSettled)).toBe(true)
    expect(moves(samples)).toBeLessThanOrEqual(4)
  })
})

describe('limits', () => {
  it.each([
    { load: { perTick: 0.02, perGameSecond: 0.1 }, limit: 10 },
    { load: { perTick: 0.06, perGameSecond: 0 }, limit: 10 },
    { load: { perTick: 1.5, perGameSecond: 0.01 }, limit: 0.5 },
  ])('rests at $limit Hz without hunting: $load', async ({ load, limit }) => {
    const random = normal(SEED)
    const { run, engine } = loadedEngine({ load, scatter: () => 1 + 0.05 * random() })
    const coming = await run(60)
    expect(coming.every(({ rate }) => rate >= 0.5 && rate <= 10)).toBe(true)
    const resting = await run(byTier({ gate: 120, night: 600 }))
    expect(moves(resting)).toBe(0)
    expect(engine.status()).toMatchObject({ tickRate: limit, overloaded: false })
  })

  it('reports overload by game seconds alone, with hysteresis, and recovers', async () => {
    const { run, loadWith, engine } = loadedEngine({ load: { perTick: 0.03, perGameSecond: 0.3 } })
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 10, overloaded: false })
    loadWith({ perTick: 0.03, perGameSecond: 0.9 })
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 0.5, overloaded: true })
    expect(moves(await run(byTier({ gate: 60, night: 300 })))).toBe(0)
    // Hysteresis: below the 70 % at which it began, above the 65 % at which it ends.
    loadWith({ perTick: 0.03, perGameSecond: 0.67 })
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 0.5, overloaded: true })
    loadWith({ perTick: 0.03, perGameSecond: 0.3 })
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 10, overloaded: false })
  })

  it.each([0.1, 100])('starts from %d Hz at the nearest rate it keeps to', (from) => {
    const { engine } = loadedEngine({ load: { perTick: 0.1, perGameSecond: 0 }, from })
    expect(engine.status().tickRate).toBe(from === 0.1 ? 0.5 : 10)
  })
})

describe('change', () => {
  const load = { perTick: 0.1, perGameSecond: 0.2 }

  it('gives the rate that was set back when switched off', async () => {
    const { run, engine } = loadedEngine({ load, from: 2, adaptive: false })
    await run(20)
    expect(engine.status()).toMatchObject({ tickRate: 2, adaptiveTickRate: false })
    expect(engine.switchAdaptive(true)).toBe(false)
    expect(engine.switchAdaptive(true)).toBe(true)
    await run(20)
    expect(engine.status()).toMatchObject({ adaptiveTickRate: true })
    expect(engine.status().tickRate).toBeCloseTo(5, 0)
    expect(engine.switchAdaptive(false)).toBe(true)
    expect(engine.status()).toMatchObject({ tickRate: 2, adaptiveTickRate: false })
    const samples = await run(20)
    expect(samples.length).toBe(40)
  })

  it('keeps a rate that is set meanwhile for then', async () => {
    const { run, engine } = loadedEngine({ load, from: 2 })
    await run(20)
    const { tickRate } = engine.status()
    expect(engine.changeTickRate(7)).toBe(2)
    await run(20)
    expect(engine.status().tickRate).toBe(tickRate)
    engine.switchAdaptive(false)
    expect(engine.status().tickRate).toBe(7)
  })

  it('does not take a pause for work, nor what was measured before it for granted', async () => {
    const { run, loadWith, engine, clock } = loadedEngine({ load })
    await run(60)
    const { tickRate } = engine.status()
    await engine.pause()
    await clock.advance(3_600_000)
    await engine.resume()
    expect(moves(await run(60))).toBe(0)
    expect(engine.status().tickRate).toBe(tickRate)
    await engine.pause()
    await clock.advance(3_600_000)
    loadWith({ perTick: 0.3, perGameSecond: 0.2 })
    const resumedMs = clock.monotonicMs()
    await engine.resume()
    expectToSettle(await run(60), resumedMs)
  })

  it('follows another scale, and reports overload by it', async () => {
    const { run, engine, clock } = loadedEngine({ load: { perTick: 0.05, perGameSecond: 0.01 } })
    await run(60)
    expect(engine.status().tickRate).toBe(10)
    engine.changeTimeScale(50)
    const changedMs = clock.monotonicMs()
    expectToSettle(await run(60), changedMs)
    engine.changeTimeScale(100)
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 0.5, overloaded: true })
    engine.changeTimeScale(1)
    await run(60)
    expect(engine.status()).toMatchObject({ tickRate: 10, overloaded: false })
  })

  it('loses no game time and no tick while ticks keep within their period', async () => {
    const { run, engine } = loadedEngine({ load })
    await run(byTier({ gate: 120, night: 600 }))
    expect(engine.status()).toMatchObject({ ticksDropped: 0, ticksBehind: 0 })
    expect(Math.abs(engine.status().timeDriftSeconds)).toBeLessThan(1e-6)
  })
})
