// Goal: a tick that is overdue comes at once, and the log has no warning of it. Method:
// the real clock, called for a moment that is over; Node's warnings of this process.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/index.ts'

test('what is overdue is called, without a warning', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listen)
  await new Promise<void>((resolve) => systemClock.after(-1, resolve))
  // Warnings come in their order: when this one is there, so is any before it.
  const last = once(process, 'warning')
  process.emitWarning('the last one', 'Marker')
  await last
  process.off('warning', listen)
  expect(warnings.filter(({ name }) => name !== 'Marker')).toEqual([])
})
