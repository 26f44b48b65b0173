// Goal: callbacks come in order at their times, and a wait for what does not come ends.
import { expect, test } from 'vitest'
import { simulatedClock } from '../src/index.ts'

test('callbacks come in the order of their times, and not when they are cancelled', async () => {
  const clock = simulatedClock(1000)
  const calls: string[] = []
  const note = (name: string) => (): void => void calls.push(`${name} ${clock.monotonicMs()}`)
  clock.after(20, note('b'))
  clock.after(10, () => {
    note('a')()
    clock.after(5, note('c'))
  })
  clock.after(12, note('d'))()
  await clock.advance(18)
  expect(calls).toEqual(['a 10', 'c 15'])
  await clock.advance(18)
  expect(calls).toEqual(['a 10', 'c 15', 'b 20'])
  expect(clock.utcMs()).toBe(1036)
})

test('a test that waits without end fails', async () => {
  const clock = simulatedClock(0)
  const wait = async (): Promise<void> => {
    for (;;) await clock.advance(1e6)
  }
  await expect(wait()).rejects.toThrow('passed 1000000000 ms')
})
