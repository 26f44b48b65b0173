/**
 * `scripts/orrery fly` flies one ship from low Earth orbit to the Moon and back, into the docks of
 * both their stations, by orders to its autopilot, as fast as the machine can.
 */
import { CommandError, run } from './command/run.ts'
import { commandLine } from './command/command-line.ts'
import { type Leg, VOYAGE } from './fly/legs.ts'
import { Logbook } from './fly/logbook.ts'
import { duration, arrivalText, usedText, whereabouts } from './fly/text.ts'
import { type Voyage, openVoyage } from './fly/voyage.ts'

const HELP = `Usage: scripts/orrery fly [--from 2027-03-01T12:00:00Z]

Flies one ship from low Earth orbit to the Moon, into the dock of Moon Station, back, and into that
of Earth Station: five orders, in a new world with all its bodies. The engine is the server's, only
its clock does not wait. Each leg is predicted before it is flown. About a minute.

  --from UTC   when the world begins; another day is another voyage

Exits 0 when the ship is docked, 1 when a leg fails, 2 on failure.
`

const { values } = commandLine('fly', HELP, {
  from: { type: 'string', default: '2027-03-01T12:00:00Z' },
})

/** As far as predictions may reach: 14 days. */
const AHEAD_SECONDS = 14 * 86_400

const logbook = new Logbook()

/** One leg, predicted and flown; false when it fails. */
async function flyLeg(voyage: Voyage, leg: Leg): Promise<boolean> {
  const start = voyage.seconds()
  const before = await voyage.ship()
  logbook.say(start, `${leg.title}, from ${whereabouts(before)}`)
  const expected = await voyage.predict(leg)
  const beginMs = performance.now()
  const end = await voyage.fly(leg)
  const tookMs = performance.now() - beginMs
  const after = await voyage.ship()
  const now = voyage.seconds(end.index)
  const factor = Math.round((1000 * (now - start)) / tookMs).toLocaleString('en')
  const mark = expected.marks.find(({ kind }) => ENDS.has(kind))
  const isAsPredicted = mark?.index === end.index
  const verdict = isAsPredicted ? ', just as predicted' : mark ? ', OTHER THAN PREDICTED' : ''
  logbook.close(now)
  logbook.say(now, `  ${end.failure ?? arrivalText(after)}${verdict}`)
  // A tick that docks the ship has begun to refuel it.
  const used = isAsPredicted ? expected.deltaV : before.deltaV - after.deltaV
  const time = duration(now - start)
  logbook.say(now, `  ${usedText(used)} in ${time}, ${factor} times as fast as real time`)
  return end.failure === undefined
}

/** Marks of a maneuver's end. */
const ENDS: ReadonlySet<string> = new Set(['maneuver_completed', 'maneuver_failed'])

async function main(): Promise<number> {
  const startMs = Date.parse(values.from)
  if (Number.isNaN(startMs)) throw new CommandError(`--from takes a time, not ${values.from}`)
  const beginMs = performance.now()
  const voyage = await openVoyage({
    startMs,
    aheadSeconds: AHEAD_SECONDS,
    onManeuver: (seconds, event) => logbook.note(seconds, event),
    onTick: (seconds, ship) => logbook.follow(seconds, ship),
    onError: (error) => process.stderr.write(`\nfly: ${String(error)}\n`),
  })
  let hasArrived = true
  for (const leg of VOYAGE) hasArrived &&= await flyLeg(voyage, leg)
  const seconds = voyage.seconds()
  const tookSeconds = (performance.now() - beginMs) / 1000
  const factor = Math.round(seconds / tookSeconds).toLocaleString('en')
  logbook.say(
    seconds,
    `${tookSeconds.toFixed(0)} s of real time: ${factor} times as fast, by ${voyage.ticks} ticks ` +
      `and ${voyage.rows.length} commands`,
  )
  await voyage.close()
  return hasArrived ? 0 : 1
}

await run('fly', main)
