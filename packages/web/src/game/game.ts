/** The game as the page has it: who plays and what is chosen; it has neither page nor picture. */
import type { GameClient } from '@orrery/client'
import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import { type Account, type AccountStore, createAccountStore } from '../session/account.ts'
import { type Burns, createBurns } from './burns.ts'
import type { Connection } from '../session/connection.ts'
import { showEnding } from '../session/endings.ts'
import { type Entrance, createEntrance } from '../session/entrance.ts'
import { type EventLog, createEventLog } from '../session/event-log.ts'
import { type Forecasts, createForecasts } from '../forecast/forecasts.ts'
import { type Helm, createHelm } from '../orders/helm.ts'
import { voyageSwitch } from '../session/kept-voyage.ts'
import { type Notices, createNotices } from '../session/notices.ts'
import { type Pause, pauseOf } from '../session/pause.ts'
import { giveOrder } from '../orders/orders.ts'
import type { OrderKind } from '../orders/order-kinds.ts'
import { type Preview, createPreview } from '../forecast/preview.ts'
import { type Readings, createReadings } from './readings.ts'
import { followStatus } from '../session/server-status.ts'
import { type LiveSession, type Session, openSession } from '../session/session.ts'
import { type Settings, createSettings, motionPreference } from '../session/settings.ts'
import { browserStorage } from '../storage/kept-settings.ts'
import { type ShipDoing, createShipDoing } from '../orders/ship-doing.ts'
import type { ModuleParts } from '../orders/module-parts.ts'
import { followShip } from '../events/ship-events.ts'
import type { Thing } from '../readings/thing.ts'

export type Status = Awaited<ReturnType<GameClient['status']>>

export interface Game {
  readonly client: GameClient
  /** where the browser keeps who plays */
  readonly accounts: AccountStore
  readonly entrance: Entrance
  /** undefined before signing in; a practice while there is one */
  readonly session: ReadonlySignal<Session | undefined>
  /** of the server, also during a practice */
  readonly live: ReadonlySignal<LiveSession | undefined>
  readonly practice: Signal<Session | undefined>
  /** whether the bar of practices is shown */
  readonly practising: Signal<boolean>
  /** undefined before signing in; an ending stays until the next session */
  readonly connection: ReadonlySignal<Connection | undefined>
  /** as the server last stated it; undefined before its first answer */
  readonly status: Signal<Status | undefined>
  /** id of the star system that is shown without a ship */
  readonly guestSystem: Signal<string>
  /** undefined while the game runs */
  readonly pause: ReadonlySignal<Pause | undefined>
  /** what the camera looks at; undefined before the first picture */
  readonly focus: Signal<Thing | undefined>
  /** the bar of dates, with the date that it is opened at; undefined while it is closed */
  readonly dates: Signal<{ readonly ms?: number } | undefined>
  /** what the ship's instruments and orders refer to */
  readonly target: Signal<Thing | undefined>
  /** where the own ship goes */
  readonly forecasts: Forecasts
  /** where it would go under other orders */
  readonly preview: Preview
  /** what the own ship does by order */
  readonly doing: ShipDoing
  /** what the instruments show; undefined while nothing is known of the ship */
  readonly readings: ReadonlySignal<Readings | undefined>
  /** the form of orders that is open; with a plan its nodes stand on the map */
  readonly orderKind: Signal<OrderKind>
  /** undefined where there are no modules, and during a practice */
  readonly moduleParts: Signal<ModuleParts | undefined>
  /** throttle and turning by hand */
  readonly helm: Helm
  /** burns in a direction */
  readonly burns: Burns
  readonly notices: Notices
  readonly log: EventLog
  readonly settings: Settings
  /** whether the first voyage is shown */
  readonly voyage: Signal<boolean>
  /** @param looksAtShip  the ship becomes the focus when it is known; true when not given */
  enter(account: Account, looksAtShip?: boolean): void
  leave(): void
}

const NOT_KEPT = {
  subject: 'storage',
  kind: 'info',
  text: say(
    'This browser keeps no login: after a reload, sign in again. The ship flies on meanwhile.',
  ),
  isLasting: true,
} as const

/** Subjects of notices that a session leaves no meaning. */
const OF_SESSIONS = [NOT_KEPT.subject, 'voyage']

/** Where all begin. */
export const FIRST_SYSTEM = 'sol'

function pauseIn(session: Game['session'], status: Game['status']): Game['pause'] {
  return computed(() =>
    session.value ? session.value.pause.value : status.value && pauseOf(status.value),
  )
}

interface Sessions extends Pick<Game, 'practice' | 'practising' | 'session'> {
  readonly live: Signal<LiveSession | undefined>
}

function endSessions({ live, practice, practising }: Sessions): void {
  practising.value = false
  practice.value = undefined
  live.value = undefined
}

function noSessions(): Sessions {
  const live = signal<LiveSession | undefined>(undefined)
  const practice = signal<Session | undefined>(undefined)
  const session = computed(() => practice.value ?? live.value)
  return { live, practice, practising: signal(false), session }
}

/** @param url  of the server */
export function createGame(client: GameClient, url: string): Game {
  const storage = browserStorage()
  const accounts = createAccountStore(storage)
  const flown = noSessions()
  const { live, session } = flown
  const connection = signal<Connection | undefined>(undefined)
  const status = signal<Status | undefined>(undefined)
  followStatus(client, live, status)
  const target = signal<Thing | undefined>(undefined)
  const doing = createShipDoing(session)
  const forecasts = createForecasts({ session, target, maneuver: doing.maneuver })
  const preview = createPreview({ session, target, own: () => game.readings.value?.own })
  const log = createEventLog(storage)
  const notices = createNotices()
  const leave = (): void => {
    const left = live.value
    log.close()
    for (const subject of OF_SESSIONS) notices.withdraw(subject)
    endSessions(flown)
    connection.value = undefined
    target.value = undefined
    if (left && game.focus.value?.kind !== 'body') game.focus.value = undefined
    left?.close()
  }
  const enter = (account: Account, looksAtShip: boolean = true): void => {
    leave()
    notices.withdraw('session')
    if (!accounts.keep(account)) notices.show(NOT_KEPT)
    const onConnection = (change: Connection): void => {
      if (live.value !== opened) return
      if (typeof change === 'object' && 'ended' in change) {
        leave()
        showEnding(game, change.ended, account)
      }
      connection.value = change
    }
    const opened = openSession({ client, url, account, onConnection })
    live.value = opened
    connection.value = 'connecting'
    followShip(game, opened, looksAtShip)
  }
  const game: Game = {
    client,
    accounts,
    entrance: createEntrance(client, enter),
    ...flown,
    connection,
    status,
    guestSystem: signal(FIRST_SYSTEM),
    pause: pauseIn(session, status),
    focus: signal(undefined),
    dates: signal(undefined),
    target,
    forecasts,
    preview,
    doing,
    readings: createReadings({ client, session, target, forecasts, preview }),
    orderKind: signal<OrderKind>('Maneuver'),
    moduleParts: signal(undefined),
    helm: createHelm(session, (order, words) => giveOrder(game, order, words)),
    burns: createBurns({ session, target, doing, notices, log }),
    notices,
    log,
    settings: createSettings(storage, motionPreference()),
    voyage: voyageSwitch(session, storage),
    enter,
    leave,
  }
  return game
}
