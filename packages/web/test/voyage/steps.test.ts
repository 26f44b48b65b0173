// Laws: each step of the first voyage is done by what is seen, and not before; a voyage goes from
// one to the next, shows each long enough, and is taken up where it was left.
import { expect, test } from 'vitest'
import { keepVoyage, keptVoyage } from '../../src/session/kept-voyage.ts'
import type { Seen } from '../../src/voyage/seen.ts'
import { STEPS } from '../../src/voyage/steps.ts'
import { createVoyage } from '../../src/voyage/voyage.ts'

/** In a low orbit about Earth, as a ship begins. */
const FIRST: Seen = {
  yaw: 0,
  pitch: 0.2,
  offPrograde: 0,
  offVertical: Math.PI / 2,
  thrust: 0,
  body: 'Earth',
  apoapsis: 439_000,
  meanApoapsis: 425_000,
  meanPeriapsis: 420_000,
  hasStation: false,
  clearance: NaN,
  relativeSpeed: NaN,
  approach: NaN,
  isDocked: false,
  fuelShare: 0.97,
}
const HIGH = { meanApoapsis: 760_000 }
const NEAR = { hasStation: true, clearance: 60, relativeSpeed: 0.02, approach: 160 }

/** What does each step, and what does not do it yet. */
const DEEDS: Readonly<Record<string, readonly [does: Partial<Seen>, ...not: Partial<Seen>[]]>> = {
  look: [{ yaw: -0.6 }, {}, { yaw: 0.1 }],
  point: [{ offVertical: 0.05 }, { offVertical: Math.PI / 2 }],
  burn: [{ thrust: 1 }, { thrust: 1, offPrograde: 1.5 }],
  raise: [HIGH, {}, { ...HIGH, thrust: 1 }, { meanApoapsis: 500_000 }, { meanApoapsis: NaN }],
  circularize: [{ ...HIGH, meanPeriapsis: 755_000 }, HIGH, { meanApoapsis: NaN }],
  target: [{ hasStation: true }, {}],
  rendezvous: [
    NEAR,
    { ...NEAR, relativeSpeed: 90 },
    { ...NEAR, hasStation: false },
    { ...NEAR, approach: 5600 },
  ],
  dock: [{ isDocked: true }, NEAR],
  refuel: [{ fuelShare: 1 }, {}],
  moon: [{ body: 'Moon' }, { body: 'Sun' }],
}

const shownMs = 60_000

test.each(STEPS)('$id is done by what the ship does, and not before', ({ id, isDone }) => {
  const [does, ...not] = DEEDS[id]
  const seen = [does, ...not].map((part) => isDone(FIRST, { ...FIRST, ...part }))
  expect(seen).toEqual([true, ...not.map(() => false)])
})

test('what to do is one sentence, with the keys of the player', () => {
  const words = STEPS.map((step) => step.words((action) => `<${action}>`, FIRST))
  for (const sentence of words) expect(sentence).toMatch(/^[A-Z](?!.*\. ).+\.$/)
  expect(words[3]).toContain('739.0 km, cut the engine, with <flight.cut>')
})

test('a voyage goes through all steps, each shown long enough, and ends', () => {
  const kept: string[] = []
  const voyage = createVoyage(undefined, ({ step }) => kept.push(step))
  let nowMs = 0
  for (const { id, done } of STEPS) {
    expect(voyage.step.value?.id).toBe(id)
    // An orbit that is round already, such as FIRST, is one to raise.
    const seen = { ...FIRST, ...HIGH, meanApoapsis: 425_000 + (id === 'circularize' ? 9e5 : 0) }
    voyage.look(seen, nowMs)
    const does = { ...seen, ...DEEDS[id][0] }
    voyage.look(does, nowMs + 100)
    expect(voyage.step.value?.id).toBe(id)
    voyage.look(does, nowMs + shownMs)
    expect(voyage.said.value).toBe(done)
    nowMs += 2 * shownMs
  }
  expect([voyage.step.value, voyage.at.value]).toEqual([undefined, STEPS.length])
  voyage.skip()
  expect(voyage.at.value).toBe(STEPS.length)
  expect([...new Set(kept)]).toEqual([...STEPS.map(({ id }) => id), ''])
})

test('a step that is skipped has come to nothing', () => {
  const voyage = createVoyage(undefined, () => {})
  voyage.look(FIRST, 0)
  voyage.skip()
  expect([voyage.step.value?.id, voyage.said.value]).toEqual(['point', ''])
})

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
  }
}

test('each account goes on where it was, measured from where its step began', () => {
  const kept = storage()
  keepVoyage(kept, 'other', { step: 'moon', isOn: false })
  keepVoyage(kept, 'mine', { step: 'raise', isOn: true, before: FIRST })
  const again = keptVoyage(kept, 'mine')
  const voyage = createVoyage(again, () => {})
  expect([voyage.step.value?.id, voyage.before.value]).toEqual(['raise', FIRST])
  voyage.look({ ...FIRST, ...HIGH }, 0)
  voyage.look({ ...FIRST, ...HIGH }, shownMs)
  expect(voyage.step.value?.id).toBe('circularize')
  expect(keptVoyage(kept, 'other')).toMatchObject({ step: 'moon', isOn: false })
  expect(keptVoyage(kept, 'nobody')).toBeUndefined()
})

test('after its end, or from a damaged storage, it begins at the first step', () => {
  for (const text of ['', '7', '[]', '{"mine":7}', '{"mine":{"step":"","isOn":true,"before":7}}']) {
    const kept = { getItem: () => text, setItem: () => {} }
    expect(createVoyage(keptVoyage(kept, 'mine'), () => {}).step.value?.id).toBe('look')
  }
})
