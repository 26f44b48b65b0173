// Tests that import this wait long enough for a busy machine: processes that render and index have
// a low priority.
import { vi } from 'vitest'

/** Longest time of anything that must succeed. */
export const PATIENCE_MS = 600_000

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })
