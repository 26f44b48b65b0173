// The clock of the world and its switches at the operators' console, as part of its tests.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { MapParts } from './console-map.ts'

/** Registers the tests; the console shows its overview. */
export function clockTests(parts: () => MapParts): void {
  test('the clock is held and changed; a value out of range is a sentence', async () => {
    const { game, desk } = parts()
    const { page } = desk
    await desk.choose('p')
    await desk.outcome(/^Paused at tick \d+\./)
    await page.getByText('paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await desk.outcome(/^Running from tick/)
    await desk.choose('t')
    await desk.fillIn({ 'Ticks per second': '500' })
    await page.keyboard.press('Enter')
    await desk.dialog().getByText('Tick rate must be a number from 0.1 to 100').waitFor()
    await desk.fillIn({ 'Ticks per second': '5' })
    await desk.confirm()
    await desk.outcome(/^Tick rate 5 Hz, before 1 Hz\./)
    await desk.perform('s', { 'Game seconds per second': '2' })
    await desk.outcome(/^Time scale 2, before 1\./)
    await desk.perform('s', { 'Game seconds per second': '1' })
    await desk.outcome(/^Time scale 1, before 2\./)
    expect((await game.client.status()).effective_time_scale).toBe(1)
  })

  test.runIf(IS_NIGHT)('game time is led ahead; sync and registration are switched', async () => {
    const { game, desk } = parts()
    const { page } = desk
    const { game_time: now } = await game.client.status()
    const later = new Date(Date.parse(now) + 3_600_000).toISOString()
    await desk.perform('i', { 'Later moment (UTC)': later })
    await desk.outcome(/^Game time fast-forwards to/)
    await expect.poll(async () => (await game.client.status()).game_time >= later).toBe(true)
    const far = new Date(Date.parse(later) + 30 * 86_400_000).toISOString()
    await desk.perform('i', { 'Later moment (UTC)': far })
    await desk.outcome(/^Game time fast-forwards to/)
    await desk.choose('r')
    await desk.outcome(/^Game time goes on at its set scale from /)
    expect((await game.client.status()).effective_time_scale).toBe(1)
    await desk.choose('y')
    await desk.outcome(/^Time sync is on\./)
    const scale = page.getByRole('button', { name: 'Time scale' })
    // What is shown is never older than the sentence.
    expect(await scale.isDisabled()).toBe(true)
    for (const step of ['y off', 'a on', 'a off', '& on']) {
      const [key = '', state] = step.split(' ')
      await desk.choose(key)
      await desk.outcome(new RegExp(` is ${state}\\.`))
    }
    await page.getByRole('button', { name: 'Close registration' }).click()
    await desk.outcome(/^Registration is closed\./)
    await page.getByRole('button', { name: 'Open registration' }).click()
    await desk.outcome(/^Registration is open\./)
  })
}
