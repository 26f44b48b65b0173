import type { Bus } from '@orrery/bus'
import { type Database, migrate } from '@orrery/database'
import { type Engine, createPool, systemClock } from '@orrery/engine'
import {
  type CarriedCore,
  type GivenShips,
  HOME_ID,
  type HostBeats,
  type Standby,
  type TakenOver,
  createStandby,
  startBeats,
} from '@orrery/game'
import { type Logger, waitingApp } from '@orrery/http'
import { type Host, type HostClock, migrations } from '@orrery/store'
import type { Hono } from 'hono'
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { errorShape } from '../documents/error-shape.ts'
import { clockWords, logClock } from '../operations/host-clock.ts'

/** Names to listen on that no other machine can ask for. */
const ANY_ADDRESS = new Set(['0.0.0.0', '[::]'])

/** Where other servers reach this one. */
export function hostAddress({ hostAddress: given }: Config, listening: URL): string {
  if (given !== undefined) return given
  const address = new URL(listening)
  if (ANY_ADDRESS.has(address.hostname)) address.hostname = hostname()
  return address.origin
}

/** What this process shows other hosts of itself. */
export interface HostLife {
  readonly host: Host
  /** an operator wants it to own nothing */
  isDrained(this: void): boolean
  /** it is to own nothing while another one can: it is drained, or its clock is wrong */
  isUnfit(this: void): boolean
  /** of its machine; undefined while it shows itself to no one */
  hostClock(this: void): HostClock | undefined
  /** called when it is unfit, and another host is there for what is left */
  readonly onDrained: () => void
  /**
   * called with a star system that a leader follows no more; where a former owner had published too
   * much it ends, since another host, or its next start, follows what is stored
   */
  readonly onUnfollowed: (systemId: string, wasMisled: boolean) => void
  /** called with a star system of its own that it cannot fly: another host, or a new start, may */
  readonly onUnflyable: (systemId: string) => void
  /** shows it from now on */
  start(): void
  owns(game: { readonly engine: Pick<Engine, 'status'> }): void
  flies(engine: Pick<Engine, 'status'>): void
  follows(standby: Standby): void
  stop(): Promise<void>
}

export function hostLife({
  database,
  host,
  logger,
  onLost,
}: {
  readonly database: Database
  readonly host: Host
  readonly logger: Logger
  readonly onLost: (reason: string) => void
}): HostLife {
  let beats: HostBeats | undefined
  let load = (): number => 0
  let lag = (): number | null => null
  const isDrained = (): boolean => beats?.isDrained() ?? false
  const hostClock = (): HostClock | undefined => beats?.clock()
  return {
    host,
    isDrained,
    isUnfit: () => isDrained() || hostClock()?.clockState === 'wrong',
    hostClock,
    onDrained: () => {
      const reason = isDrained() ? undefined : clockWords(hostClock())
      onLost(`${reason ?? 'it is drained'}: another server takes the world`)
    },
    onUnfollowed: (systemId, wasMisled) => {
      if (wasMisled) onLost(`${systemId} was shown further than it has come`)
    },
    onUnflyable: (systemId) => onLost(`${systemId} cannot be flown on from where it is followed`),
    start: () => {
      beats ??= startBeats(database, host, {
        state: () => ({ load: load(), lag: lag() }),
        clock: systemClock,
        onClock: (seen) => logClock(logger, seen),
      })
    },
    owns: ({ engine }) => {
      load = () => engine.status().utilisation
      lag = () => null
    },
    flies: (engine) => {
      load = () => engine.status().utilisation
    },
    follows: (standby) => {
      load = () => 0
      lag = () => standby.position()?.lagSeconds ?? null
    },
    stop: async () => beats?.stop(),
  }
}

export interface StandByOptions {
  readonly config: Config
  readonly ships: GivenShips
  readonly carried: CarriedCore | undefined
  readonly database: Database
  readonly bus: Bus | undefined
  readonly life: HostLife
  readonly logger: Logger
  /** goes on with the world once it is taken */
  readonly play: (taken: TakenOver) => Promise<void>
  /** flies systems of a world that another leads, until they are another's, or all are its own */
  readonly fly: (taken: TakenOver, signal: AbortSignal) => Promise<TakenOver | undefined>
  /** stores the world, which another gave away in the moment in which this one ends */
  readonly keep: (taken: TakenOver) => Promise<unknown>
  /** it could not */
  readonly onFailed: (reason: string) => void
}

/** A server that follows the world of another. */
export interface StandingBy {
  /** answers 503, and names the owner */
  readonly app: Hono
  /** @throws what kept it from going on with the world */
  end(): Promise<void>
}

/** Follows the world, and takes it over once its owner is dead. */
export async function standBy(options: StandByOptions): Promise<StandingBy> {
  const { bus, carried, config, database, fly, keep, life, logger, play, ships, onFailed } = options
  await migrate(database, migrations)
  const standby = createStandby({
    database,
    bus,
    host: life.host,
    isUnfit: life.isUnfit,
    shipsMax: config.shipsMax,
    modules: ships.modules,
    carried,
    createPool: (universe) =>
      createPool(universe, config.workers, (error) => logger.error({ err: error }, 'unexpected')),
    clock: systemClock,
    logger,
  })
  life.start()
  const ending = new AbortController()
  let failure: { readonly error: unknown } | undefined
  const stand = async (): Promise<void> => {
    for (;;) {
      life.follows(standby)
      const taken = await standby.takeOver(ending.signal)
      if (!taken || ending.signal.aborted) break
      const led = taken.owner.claims().has(HOME_ID) ? taken : await fly(taken, ending.signal)
      if (led) return play(led)
    }
    // From then on nothing is given to it.
    await life.stop()
    const left = await standby.left()
    if (left) await keep(left)
  }
  const playing = stand().catch((error: unknown) => {
    failure = { error }
    onFailed('the world could not be taken over')
  })
  const message = (): string => {
    const state = life.isDrained() ? 'is drained' : 'stands by'
    const lack = standby.lack()
    const words = clockWords(life.hostClock())
    const owner = `${standby.owner() ?? 'another process'} owns the world`
    const what = lack ? `it cannot own the world: ${lack}` : owner
    return `This server ${state}: ${what}${words === undefined ? '' : `; ${words}`}`
  }
  return {
    app: waitingApp({ message, shape: errorShape, logger }),
    end: async () => {
      ending.abort()
      await playing
      if (failure) throw failure.error
    },
  }
}
