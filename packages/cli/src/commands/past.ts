import type { PastResponse, PastSkyResponse } from '@orrery/client'
import type { Command } from 'commander'
import { setTimeout } from 'node:timers/promises'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { plain, sentence, table } from '../text.ts'

/** Between two looks at a flight under way. */
const LOOK_MS = 200

/** A past moment, flown again. */
export function addPast(program: Command): void {
  works<{ system: string }>(
    program
      .command('past')
      .description('the ships of a past moment, which is flown again beside the game')
      .argument('<time>', 'game time (UTC), such as 2026-11-21T18:50:00Z')
      .option('--system <id>', 'star system', 'sol'),
    'past 2026-11-21T18:50:00Z',
    async ({ admin, options }, time) => {
      const at = isoTime(time)
      const { call } = await admin()
      const { api } = await import('@orrery/client/routes')
      const { past_id } = await call(api.openPast, { system_id: options.system, at })
      try {
        await arrived(() => call(api.readPast, { past_id }))
        const answer = await call(api.readPastSky, { past_id, at })
        return { answer, text: pastText(answer) }
      } finally {
        await call(api.endPast, { past_id })
      }
    },
  )
}

/** @throws {Failure} when it is no time */
function isoTime(text: string): string {
  const zoned = /z$|[+-]\d\d:?\d\d$/i.test(text) ? text : `${text}Z`
  const ms = Date.parse(zoned)
  if (Number.isFinite(ms)) return new Date(ms).toISOString()
  throw new Failure(EXIT.usage, 'A time such as 2026-11-21T18:50:00Z is expected.')
}

/** @throws {Failure} when the flight fails */
async function arrived(look: () => Promise<PastResponse>): Promise<void> {
  for (;;) {
    const { reason, state } = await look()
    if (state === 'failed') throw new Failure(EXIT.refused, sentence(plain(reason)))
    if (state === 'ready') return
    await setTimeout(LOOK_MS)
  }
}

function pastText({ digests, game_time, ships }: PastSkyResponse): string {
  const rows = ships.map(({ fuel, name, reference_body, relative_velocity, ship_id, ...ship }) => {
    const { x, y, z } = ship.relative_position
    const { x: vx, y: vy, z: vz } = relative_velocity
    const distance = `${(Math.hypot(x, y, z) / 1000).toFixed(1)} km`
    const speed = `${Math.hypot(vx, vy, vz).toFixed(1)} m/s`
    return [name, reference_body, distance, speed, `${fuel.toFixed(1)} kg`, ship_id]
  })
  const head = ['NAME', 'AT', 'DISTANCE', 'SPEED', 'FUEL', 'ID']
  const listed = table(head, rows, 'There were no ships.')
  return `The past at ${game_time}: ${digestText(digests)}.\n${listed}`
}

function digestText({ compared, equal }: PastSkyResponse['digests']): string {
  if (compared === 0) return 'there is no digest to compare on the way'
  const verdict = equal === compared ? 'all are equal' : `${compared - equal} DIFFER`
  return `${compared} digests compared, ${verdict}`
}
