// Law: only a drift from UTC that no setting asks for is shown as a fault.
import { expect, test } from 'vitest'
import { driftOf } from '../../src/game/utc-drift.ts'

const SYNCED = { time_sync_enabled: true, effective_time_scale: 1, paused: false }

test.each([
  [{ time_drift_seconds: 0.3 }, 'good', 'in step with UTC', /brings the game back/],
  [{ time_drift_seconds: -30 }, 'fair', '30.00 s behind UTC', /brings the game back/],
  [{ time_drift_seconds: 7200, effective_time_scale: 0.95 }, 'far', '2.000 h ahead of UTC', /back/],
  [{ time_drift_seconds: 7200, paused: true, effective_time_scale: 0 }, 'far', /^2.000 h/, /back/],
  [{ time_drift_seconds: 7200, effective_time_scale: 100 }, 'free', /^2.000 h/, /another pace/],
  [{ time_drift_seconds: 7200, time_sync_enabled: false }, 'free', /^2.000 h/, /its own time/],
  [{ time_drift_seconds: 2, time_sync_enabled: false }, 'good', /^2.000 s/, /its own time/],
  [{ time_drift_seconds: 10 }, 'good', '10.00 s ahead of UTC', /brings/],
  [{ time_drift_seconds: -10.1 }, 'fair', '10.10 s behind UTC', /brings/],
  [{ time_drift_seconds: 60 }, 'fair', '60.00 s ahead of UTC', /brings/],
  [{ time_drift_seconds: 60.1 }, 'far', '60.10 s ahead of UTC', /brings/],
  [{ time_drift_seconds: 1 }, 'good', '1.000 s ahead of UTC', /brings/],
  [{ time_drift_seconds: 0, effective_time_scale: 1.06 }, 'good', 'in step with UTC', /brings/],
  [{ time_drift_seconds: 0, effective_time_scale: 1.08 }, 'free', 'in step with UTC', /pace/],
] as const)('%o is %s: %s', (found, kind, text, hint) => {
  const shown = driftOf({ ...SYNCED, ...found })
  expect(shown.kind).toBe(kind)
  expect(shown.text).toMatch(text)
  expect(shown.hint).toMatch(hint)
})
