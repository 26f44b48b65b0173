import type { AdminClient } from '@orrery/client'
import type { Command } from 'commander'
import { setTimeout as wait } from 'node:timers/promises'
import { confirmed } from '../asking.ts'
import { type Context, type Result, works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'

/** Between two looks at how far it is [ms]. */
const LOOK_MS = 1000

/** Between two lines about it where nothing can be overwritten [ms]. */
const LINE_MS = 10_000

/** More than a step of the lattice [ms]. */
const LATTICE_MS = 100

interface Options {
  readonly yes?: boolean
  readonly wait: boolean
}

/** Moves game time. */
export function addClock(program: Command): void {
  works<Options>(
    program
      .command('clock')
      .description('let game time hurry to a later moment; every ship is flown there')
      .argument('<time|stop>', 'UTC unless it has a zone, `now`, or `stop` to end the hurry')
      .option('--yes', 'do not ask')
      .option('--no-wait', 'do not wait until it is there'),
    'clock "2026-11-28 12:00"',
    async (context, time) => (time === 'stop' ? stopped(context) : moved(context, moment(time))),
  )
}

const DATE = String.raw`\d{4}-\d\d-\d\d`
const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`
const ISO = new RegExp(`^${DATE}(?:[T ]${TIME})?(?<zone>Z|[+-]\\d\\d:?\\d\\d)?$`, 'i')

/** A moment as it is typed; without a zone it is UTC, whatever the machine's is. */
function moment(text: string): Date {
  if (text === 'now') return new Date()
  const found = ISO.exec(text)
  const wanted = new Date(found?.groups?.['zone'] || text.length === 10 ? text : `${text}Z`)
  if (found && !Number.isNaN(wanted.getTime())) return wanted
  const example = 'A time such as 2026-03-01T12:00:00Z is expected, `now` or `stop`.'
  throw new Failure(EXIT.usage, example)
}

async function moved({ admin, options }: Context<Options>, wanted: Date): Promise<Result> {
  const routes = await admin()
  const goal = wanted.toISOString()
  const { game_time, paused } = await routes.status()
  const held = paused ? ' The game is paused: it hurries once it is resumed.' : ''
  const question =
    `Game time is ${game_time}. Let it hurry to ${goal}, ${span(wanted, game_time)} later?` +
    ` Only a restore goes back.${held}`
  await confirmed(question, options.yes)
  const answer = await routes.game.moveClock(goal)
  if (!options.wait || paused) {
    return { answer, text: `Game time hurries to ${answer.game_time}.${held}` }
  }
  await arrived(routes, answer.game_time)
  return { answer, text: `Game time was ${answer.previous_game_time}; it is there.` }
}

async function stopped({ admin }: Context<Options>): Promise<Result> {
  const answer = await (await admin()).game.stopClock()
  const { game_time, previous_goal } = answer
  const text = previous_goal === null ? 'Game time did not hurry' : `The hurry to ${previous_goal}`
  return { answer, text: previous_goal === null ? `${text}.` : `${text} ended at ${game_time}.` }
}

/** Time between two moments in days, hours and minutes; seconds below a minute. */
function span(wanted: Date, game_time: string): string {
  const seconds = Math.round((wanted.getTime() - Date.parse(game_time)) / 1000)
  if (Math.abs(seconds) < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  const parts = [
    [Math.trunc(minutes / 1440), 'd'],
    [Math.trunc((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ]
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ')
}

/** The server keeps moments in steps of its lattice, which are no whole milliseconds. */
function isBefore(time: string, other: string): boolean {
  return Date.parse(time) < Date.parse(other) - LATTICE_MS
}

/**
 * Waits until game time is there; a terminal shows how far it is, a log gets a line now and then.
 *
 * @throws {Failure} when the hurry ends before, or is held
 */
async function arrived(admin: AdminClient, goal: string): Promise<void> {
  const { isTTY } = process.stderr
  const interrupted = (): void => {
    process.stderr.write(`\nGame time still hurries to ${goal}; stop it: orrery clock stop\n`)
    process.exit(EXIT.declined)
  }
  process.once('SIGINT', interrupted)
  let lineMs = Date.now()
  try {
    for (;;) {
      // In this order: a goal that is gone by then was reached, or ended before.
      const { clock_goal } = await admin.load()
      const { game_time, paused } = await admin.status()
      if (!isBefore(game_time, goal)) return
      const isEnded =
        clock_goal === null || isBefore(clock_goal, goal) || isBefore(goal, clock_goal)
      const ending = isEnded ? 'The hurry ended' : paused ? 'The game was paused' : ''
      if (ending) throw new Failure(EXIT.refused, `${ending} at ${game_time}, before ${goal}.`)
      if (isTTY) process.stderr.write(`\r\x1b[K${game_time}`)
      else if (Date.now() - lineMs >= LINE_MS) {
        process.stderr.write(`${game_time}\n`)
        lineMs = Date.now()
      }
      await wait(LOOK_MS)
    }
  } finally {
    process.removeListener('SIGINT', interrupted)
    if (isTTY) process.stderr.write('\r\x1b[K')
  }
}
