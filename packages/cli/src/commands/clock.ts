import type { AdminClient } from '@orrery/client'
import type { Command } from 'commander'
import { setTimeout as wait } from 'node:timers/promises'
import { confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'

/** Between two looks at how far it is [ms]. */
const LOOK_MS = 1000

/** Moves game time. */
export function addClock(program: Command): void {
  works<{ yes?: boolean; wait: boolean }>(
    program
      .command('clock')
      .description('let game time hurry to a later moment; every ship is flown there')
      .argument('<time>', 'ISO 8601, or `now` for UTC')
      .option('--yes', 'do not ask')
      .option('--no-wait', 'do not wait until it is there'),
    'clock now --yes',
    async ({ admin, options }, time) => {
      const wanted = time === 'now' ? new Date() : new Date(time)
      if (Number.isNaN(wanted.getTime())) {
        throw new Failure(EXIT.usage, 'A time such as 2026-03-01T12:00:00Z is expected, or `now`.')
      }
      const routes = await admin()
      const { game_time } = await routes.status()
      const seconds = Math.round((wanted.getTime() - Date.parse(game_time)) / 1000)
      await confirmed(`Move game time from ${game_time} by ${seconds} s?`, options.yes)
      const answer = await routes.game.moveClock(wanted.toISOString())
      if (!options.wait) return { answer, text: `Game time hurries to ${answer.game_time}.` }
      await arrived(routes)
      return { answer, text: `Game time was ${answer.previous_game_time}; it is there.` }
    },
  )
}

/** Waits until game time does not hurry; a terminal sees how far it is. */
async function arrived(admin: AdminClient): Promise<void> {
  const { isTTY } = process.stderr
  while ((await admin.load()).clock_goal !== null) {
    if (isTTY) process.stderr.write(`\r\x1b[K${(await admin.status()).game_time}`)
    await wait(LOOK_MS)
  }
  if (isTTY) process.stderr.write('\r\x1b[K')
}
