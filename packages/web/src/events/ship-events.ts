/** What happens to the player's ship: words for the log, and notices of what matters. */
import type { EventMessage, GameClient } from '@orrery/client'
import { type ReadonlySignal, type Signal, effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { EventLog } from '../session/event-log.ts'
import { type EventNames, eventWords, noticeKindOf } from './event-words.ts'
import type { Notices } from '../session/notices.ts'
import type { Session } from '../session/session.ts'
import type { Thing } from '../readings/thing.ts'

/** What of the game the ship's events concern. */
interface EventReceiver {
  readonly client: GameClient
  readonly focus: Signal<Thing | undefined>
  readonly notices: Notices
  readonly log: EventLog
  /** what is flown meanwhile */
  readonly practice: ReadonlySignal<Session | undefined>
}

/** @param looksAtShip  the ship becomes the focus when it is known */
export function followShip(game: EventReceiver, session: Session, looksAtShip: boolean): void {
  const { socket, flight } = session
  const { username, shipId } = session.account
  // A later account may take the name of one that was deleted.
  const account = `${username} ${shipId}`
  const names = eventNames(game, session)
  socket.on('welcome', ({ era }) => game.log.open(account, era))
  socket.on('event', (event) => {
    // Names of star systems are asked for.
    if (event.to_system !== undefined) void names.ask().then(() => note(game, event, names))
    else note(game, event, names)
  })
  socket.on('restored', ({ game_time: time, era }) => {
    game.log.open(account, era)
    const text = say('The world has gone back to {time} UTC.', {
      time: time.slice(0, 16).replace('T', ' '),
    })
    game.log.add({ ms: Date.parse(time), kind: 'event', text })
    game.notices.show({ subject: 'world', kind: 'warning', text })
  })
  for (const kind of ['welcome', 'ship_assigned'] as const) {
    socket.on(kind, ({ ship_id: id }) => noteAssigned(game, session, id))
  }
  followMode(game, session)
  followPassage(game, session)
  if (!looksAtShip) return
  const stop = flight.world.on('joined', (ships) => {
    if (!ships.some(({ id }) => id === flight.ship.id)) return
    game.focus.value = { kind: 'ship', id: flight.ship.id }
    stop()
  })
}

/** Logs what happens in practices. */
export function attachPractices(game: EventReceiver): void {
  effect(() => {
    const { value: practice } = game.practice
    if (!practice) return
    const { log = game.log, socket } = practice
    const names = eventNames(game, practice)
    socket.on('event', (event) => note({ ...game, log }, event, names, say('Practice: ')))
  })
}

/** @param where  it happens, at the beginning of a notice */
function note(
  game: EventReceiver,
  event: EventMessage,
  names: EventNames,
  where: string = game.practice.value ? say('In the game: ') : '',
): void {
  const text = eventWords(event, names)
  const kind = noticeKindOf(event)
  const logKind = kind === 'warning' || kind === 'error' ? 'error' : 'event'
  game.log.add({ ms: Date.parse(event.game_time), kind: logKind, text })
  if (!kind) return
  const isLasting = kind !== 'info'
  game.notices.show({ subject: where + event.event, kind, text: where + text, isLasting })
}

function eventNames(
  { client }: EventReceiver,
  { flight: { world } }: Session,
): EventNames & { ask: () => Promise<void> } {
  const systems = new Map<string, string>()
  return {
    station: (wanted) => world.objects().find(({ id }) => id === wanted)?.name,
    system: (id) => systems.get(id),
    ask: async () => {
      const answer = await client.systems().catch(() => undefined)
      for (const { id, name } of answer?.systems ?? []) systems.set(id, name)
    },
  }
}

function noteAssigned(game: EventReceiver, session: Session, id: string): void {
  const { focus, notices } = game
  if (id !== '') {
    notices.withdraw('ship')
    if (focus.value?.kind === 'ship') focus.value = { kind: 'ship', id }
    return
  }
  notices.show({
    subject: 'ship',
    kind: 'warning',
    text: say('{username} has no ship now. An administrator can assign one.', {
      username: session.account.username,
    }),
    isLasting: true,
  })
}

/** What was looked at is not in another star system. */
function followPassage({ focus }: EventReceiver, { flight: { world, ship } }: Session): void {
  let before = world.system?.id
  world.on('system', ({ id }) => {
    if (before !== undefined && before !== id) focus.value = { kind: 'ship', id: ship.id }
    before = id
  })
}

/** A ship that this page cannot fly by itself is shown as the server sends it. */
function followMode(game: EventReceiver, { flight: { ship } }: Session): void {
  ship.on('mode', (change) => {
    const isForeign = change.mode === 'received' && ['physics', 'layout'].includes(change.reason)
    if (!isForeign) return game.notices.withdraw('physics')
    game.notices.show({
      subject: 'physics',
      kind: 'info',
      text: say(
        'This page and the server are of different versions: the server moves your ship here.',
      ),
      action: { label: say('Reload'), act: () => location.reload() },
      isLasting: true,
    })
  })
}
