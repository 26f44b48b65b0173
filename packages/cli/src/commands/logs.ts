import type { AdminClient } from '@orrery/client'
import { shipId } from '@orrery/client/named'
import type { Command } from 'commander'
import { isOn, number } from '../arguments.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { onOff, plain, table } from '../text.ts'

const LEVELS = ['verbose', 'normal', 'off'] as const

/** Kinds of events of a maneuver. */
const EVENTS = [
  'started',
  'phase_changed',
  'sample',
  'completed',
  'aborted',
  'replaced',
  'failed',
] as const

/** What the server writes down: maneuvers and admins' actions. */
export function addLogs(program: Command): void {
  addManeuvers(program)
  addDebug(program)
  works<{ limit: number }>(
    program
      .command('audit')
      .description('what was done to accounts and to the server, newest first')
      .option('--limit <count>', '1 to 1000', number, 50),
    'audit --limit 200',
    async ({ admin, options: { limit } }) => {
      const answer = await (await admin()).audit({ limit })
      const rows = answer.entries.map((entry) => [
        entry.at,
        entry.actor_name ?? entry.actor ?? 'server',
        entry.address ?? '-',
        entry.action,
        subjectOf(entry),
        inWords(entry.detail) || '-',
      ])
      const head = ['AT', 'BY', 'FROM', 'ACTION', 'SUBJECT', 'DETAIL']
      return { answer, text: table(head, rows, 'The audit trail is empty.') }
    },
  )
}

type AuditEntry = Awaited<ReturnType<AdminClient['audit']>>['entries'][number]

/** What it was done to, with the name of an account beside its id. */
function subjectOf({ actor, actor_name, subject, detail }: AuditEntry): string {
  const { username } = Object(detail)
  const name: unknown = typeof username === 'string' ? username : subject === actor && actor_name
  if (subject === null) return '-'
  return typeof name === 'string' && name !== subject ? `${name} (${subject})` : subject
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Fields and their values, without braces and quotation marks. */
function inWords(detail: unknown): string {
  if (detail === null) return ''
  if (typeof detail !== 'object') return textOf(detail)
  const parts = Object.entries(detail).map(([field, value]) => `${field} ${textOf(value)}`)
  return parts.join(', ')
}

function addManeuvers(program: Command): void {
  works<{ ship?: string; type?: string; limit: number }>(
    program
      .command('maneuvers')
      .description('the log of maneuvers, newest first')
      .option('--ship <ship>', 'of one ship, by its id or the name of its pilot')
      .option('--type <event>', `of one kind: ${EVENTS.join(', ')}`)
      .option('--limit <count>', '1 to 500', number, 50),
    'maneuvers --type completed --limit 20',
    async ({ admin, options: { ship, type, limit } }) => {
      if (type !== undefined && !EVENTS.some((one) => one === type)) {
        throw new Failure(EXIT.usage, `The type is one of ${EVENTS.join(', ')}.`)
      }
      const routes = await admin()
      const filter = {
        limit,
        ...(ship !== undefined && { ship_id: await shipId(routes, ship) }),
        ...(type !== undefined && { event_type: type }),
      }
      const answer = await routes.maneuverLog.events(filter)
      const rows = answer.events.map((event) => [
        event.game_time,
        event.ship_id,
        event.maneuver_type,
        event.event_type,
        event.phase,
        event.status_text ?? '-',
      ])
      const head = ['GAME TIME', 'SHIP', 'MANEUVER', 'EVENT', 'PHASE', 'TEXT']
      return { answer, text: table(head, rows, 'No maneuver is logged.') }
    },
  )
  works(
    program
      .command('log-level')
      .description('how much of maneuvers is logged')
      .argument('[level]', 'verbose, normal or off; without it nothing changes'),
    'log-level verbose',
    async ({ admin }, wanted?: string) => {
      const { maneuverLog } = await admin()
      const level = LEVELS.find((one) => one === wanted)
      if (wanted !== undefined && !level) {
        throw new Failure(EXIT.usage, 'The level is `verbose`, `normal` or `off`.')
      }
      const answer = await (level ? maneuverLog.changeLevel(level) : maneuverLog.level())
      return { answer, text: `Maneuvers are logged: ${plain(answer.level)}.` }
    },
  )
}

function addDebug(program: Command): void {
  works(
    program
      .command('debug')
      .description('log all maneuvers of one ship in full')
      .argument('<ship>', 'id of a ship, or the name of its pilot')
      .argument('[on|off]', 'without it nothing changes'),
    'debug Ripley on',
    async ({ admin }, given, wanted?: string) => {
      const routes = await admin()
      const ship = await shipId(routes, given)
      const { maneuverLog } = routes
      const answer = await (wanted === undefined
        ? maneuverLog.debug(ship)
        : maneuverLog.switchDebug(ship, isOn(wanted)))
      return { answer, text: `Debug of the ship is ${onOff(answer.debug)}.` }
    },
  )
}
