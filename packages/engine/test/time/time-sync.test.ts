/**
 * Law: game time that follows UTC comes to it without overshoot, at a scale within 5 % of the one
 * that was set, and stays within tens of milliseconds while the scale keeps still; at a scale far
 * from 1 it does not follow. Goal: both directions at every tick rate (by day up to 1 Hz, and one
 * of them at 10 Hz), drift of an hour, dropped ticks, pauses, UTC that jumps, jitters and runs at
 * another speed, and the switch. Method: the engine under a simulated clock.
 */
import { createGameClock } from '@orrery/engine/testing'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { scaleTowardsUtc } from '../../src/time/time-sync.ts'
import { START_INDEX } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

/** Drift that is left alone, and a jitter of UTC [s]. */
const LEFT = 0.025 + 0.0025

interface Sample {
  readonly drift: number
  readonly scale: number
}

/** An engine whose game time follows UTC, `drift` seconds off to begin with. */
function syncedEngine({ drift = 0, rate = 1, scale = 1, enabled = true, onTick = () => {} }) {
  const samples: Sample[] = []
  const { engine, clock } = testEngine({
    gameClock: createGameClock(START_INDEX),
    tickRate: rate,
    timeScale: scale,
    timeSyncEnabled: enabled,
    onPublish: () => {
      const status = engine.status()
      samples.push({ drift: status.timeDriftSeconds, scale: status.effectiveTimeScale })
      onTick()
    },
  })
  clock.jumpUtc(-1000 * drift)
  return {
    engine,
    clock,
    run: async (seconds: number): Promise<Sample[]> => {
      const first = samples.length
      await clock.advance(1000 * seconds)
      return samples.slice(first)
    },
  }
}

/** Always nearer to UTC, never past it, and at a scale within its limits. */
function expectToConverge(samples: readonly Sample[], scale = 1): void {
  const side = Math.sign(samples[0].drift)
  expect(samples.filter(({ drift }) => drift * side < -1e-5)).toEqual([])
  const grown = samples.filter(
    ({ drift }, i) => i > 0 && Math.abs(drift) > Math.abs(samples[i - 1].drift) + 1e-5,
  )
  expect(grown).toEqual([])
  expectWithinLimits(samples, scale)
}

function expectWithinLimits(samples: readonly Sample[], scale = 1): void {
  const beyond = samples.filter((sample) => Math.abs(sample.scale / scale - 1) > 0.05 + 1e-12)
  expect(beyond).toEqual([])
}

function expectToRest(samples: readonly Sample[]): void {
  expect(samples.filter(({ drift, scale }) => Math.abs(drift) > LEFT || scale !== 1)).toEqual([])
}

describe('converging', () => {
  const cases = [0.1, 1, 10].flatMap((rate) => [30, -30].map((drift) => ({ rate, drift })))
  const brief = [1.5, -1.5].map((drift) => ({ rate: 100, drift, settling: 110 }))
  const all = [...cases.map((each) => ({ ...each, settling: 200 })), ...brief]
  // Many ticks: from one side and nearby.
  const near = { rate: 10, drift: -3, settling: 110 }
  const few = [...all.filter(({ rate }) => rate < 10), near]
  it.each(byTier({ gate: few, night: all }))(
    'comes to UTC at $rate Hz from $drift s, and rests',
    async ({ rate, drift, settling }) => {
      const { run, engine } = syncedEngine({ rate, drift })
      const coming = await run(Math.abs(drift) * 20 + settling)
      expectToConverge(coming)
      expect(coming[0].scale).toBeCloseTo(drift > 0 ? 0.95 : 1.05, 12)
      expectToRest(await run(settling / 2))
      expect(engine.status()).toMatchObject({ timeSyncEnabled: true, timeSyncActive: true })
    },
  )

  it('takes an hour back slowly, by 5 % of the time', async () => {
    const { run } = syncedEngine({ drift: -3600 })
    const seconds = byTier({ gate: 600, night: 7200 })
    const samples = await run(seconds)
    expectToConverge(samples)
    expect(samples.every(({ scale }) => scale === 1.05)).toBe(true)
    expect(samples.at(-1)?.drift).toBeCloseTo(-3600 + 0.05 * seconds, 0)
  })

  const beside = [
    { scale: 1.01, drift: 30 },
    { scale: 0.99, drift: -30 },
  ]
  const crossed = [
    { scale: 1.01, drift: -30 },
    { scale: 0.99, drift: 30 },
  ]
  it.each(byTier({ gate: beside, night: [...beside, ...crossed] }))(
    'comes to UTC, and goes with it, at scale $scale from $drift s',
    async ({ scale, drift }) => {
      const { run, engine } = syncedEngine({ scale, drift })
      expectToConverge(await run(1200), scale)
      expectToRest(await run(100))
      expect(engine.status()).toMatchObject({ timeScale: scale, effectiveTimeScale: 1 })
    },
  )

  it.each([1.010001, 1.02, 0.98, 50])('leaves scale %d alone', async (scale) => {
    const { run, engine } = syncedEngine({ scale, drift: 30 })
    const samples = await run(100)
    expect(samples.every((sample) => sample.scale === scale)).toBe(true)
    expect(engine.status()).toMatchObject({ timeSyncEnabled: true, timeSyncActive: false })
    engine.changeTimeScale(1)
    expect(engine.status()).toMatchObject({ timeSyncActive: true })
    expect(engine.status().effectiveTimeScale).toBe(0.95)
  })
})

describe('disturbance', () => {
  it('makes up for ticks that were dropped', async () => {
    let stall = 0
    const { run, engine, clock } = syncedEngine({
      rate: 10,
      onTick: () => {
        clock.work(stall)
        stall = 0
      },
    })
    expectToRest((await run(10)).slice(1))
    stall = 5000
    await run(1)
    await run(1)
    expect(engine.status().ticksDropped).toBeGreaterThan(40)
    expect(engine.status().timeDriftSeconds).toBeLessThan(-4)
    const back = await run(300)
    expectToConverge(back)
    expectToRest(back.slice(-100))
  })

  it('makes up for a pause', async () => {
    const { run, engine, clock } = syncedEngine({ rate: 10 })
    await run(10)
    await engine.pause()
    const seconds = byTier({ gate: 5, night: 20 })
    await clock.advance(1000 * seconds)
    expect(engine.status().timeDriftSeconds).toBeCloseTo(-seconds, 1)
    await engine.resume()
    expect(engine.status().effectiveTimeScale).toBe(1.05)
    const back = await run(200 + 20 * seconds)
    expectToConverge(back)
    expectToRest(back.slice(-100))
  })

  it('goes slower, never back, when UTC jumps an hour back', async () => {
    const { run, engine, clock } = syncedEngine({ rate: 10 })
    await run(10)
    const { gameTimeMs } = engine.status()
    clock.jumpUtc(-3_600_000)
    const samples = await run(100)
    expectToConverge(samples.slice(1))
    expect(samples.slice(1).every(({ scale }) => scale === 0.95)).toBe(true)
    expect(engine.status().gameTimeMs - gameTimeMs).toBeCloseTo(95_000, -2)
  })

  const little = { skew: 50e-6, share: 0.1 }
  const much = { skew: -200e-6, share: 0.4 }
  it.each(byTier({ gate: [much], night: [little, much] }))(
    'keeps still beside a UTC whose seconds differ by $skew',
    async ({ skew, share }) => {
      let ticks = 0
      const { run, clock } = syncedEngine({
        rate: 10,
        onTick: () => {
          // Milliseconds as machines give them: whole, and a little late at random.
          clock.jumpUtc(100 * skew + (ticks++ % 2 === 0 ? 1 : -1))
        },
      })
      const samples = (await run(byTier({ gate: 400, night: 900 }))).slice(1)
      expect(samples.filter(({ drift }) => Math.abs(drift) > LEFT)).toEqual([])
      expectWithinLimits(samples)
      const changing = samples.filter(({ scale }, i) => i > 0 && scale !== samples[i - 1].scale)
      expect(changing.length / samples.length).toBeLessThan(share)
    },
  )

  it('takes the time that ticks need for no drift', async () => {
    let work = 0
    const { run, clock, engine } = syncedEngine({
      rate: 10,
      onTick: () => clock.work((work = (work + 37) % 90)),
    })
    expectToRest((await run(100)).slice(1))
    expect(engine.status().timeDriftSeconds).toBeCloseTo(0, 6)
  })
})

describe('switch', () => {
  it('is off unless switched on, and drift is measured all the same', async () => {
    const { run, engine } = syncedEngine({ drift: 30, enabled: false })
    const samples = await run(100)
    expect(samples.every(({ scale }) => scale === 1)).toBe(true)
    expect(engine.status()).toMatchObject({ timeSyncEnabled: false, timeSyncActive: false })
    expect(engine.status().timeDriftSeconds).toBeCloseTo(30, 1)
    expect(engine.switchTimeSync(true)).toBe(false)
    expect(engine.switchTimeSync(true)).toBe(true)
    expect(engine.status().effectiveTimeScale).toBe(0.95)
    await run(100)
    expect(engine.status().timeDriftSeconds).toBeCloseTo(25, 1)
    expect(engine.switchTimeSync(false)).toBe(true)
    expect(engine.status().effectiveTimeScale).toBe(1)
  })

  it('loses no game time where only the tick rate changes', async () => {
    const { run, engine } = syncedEngine({ enabled: false })
    await run(10.4)
    for (const rate of [10, 0.5, 3.7, 100, 0.1, 1]) {
      engine.changeTickRate(rate)
      await run(20.3)
    }
    expect(engine.status().ticksDropped).toBe(0)
    expect(Math.abs(engine.status().timeDriftSeconds)).toBeLessThan(LEFT)
  })
})

it('ignores drift up to 25 ms, and ends a correction at 5 ms', () => {
  const sync = { quiet: true }
  const scales = [0.025, 0.026, -0.025, 0.006, -0.005, 0.025].map((drift) =>
    Math.sign(scaleTowardsUtc(sync, 1e6, drift) - 1e6),
  )
  expect(scales).toEqual([0, -1, 1, -1, 0, 0])
})
