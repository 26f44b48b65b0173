// The tests of one service, which files would share one after the other: each leaves its records,
// and needs none of another.
import { describe } from 'vitest'

describe('conformance', async () => void (await import('./conformance.ts')))
describe('report', async () => void (await import('./documents/report.ts')))
describe('hostile bundles', async () => void (await import('./bundle/hostile-bundles.ts')))
describe('round trip', async () => void (await import('./bundle/round-trip.ts')))
describe('large version', async () => void (await import('./large-version.ts')))
describe('audit', async () => void (await import('./audit.ts')))
describe('preview', async () => void (await import('./preview.ts')))
describe('render queue', async () => void (await import('./rendering/render-queue.ts')))
