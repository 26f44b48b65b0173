import { type Bus, BusError } from '@orrery/bus'
import {
  type Mirror,
  type MirrorOptions,
  type Universe,
  type WallClock,
  findShip,
  requireShip,
} from '@orrery/engine'
import {
  type CommandDone,
  type CommandRequest,
  JournalError,
  type Order,
  decodeReply,
  encodeRequest,
  onOwnerNews,
  sendCommand,
} from '@orrery/game'
import { randomUUID } from 'node:crypto'
import type { OwnerAddress } from '../forwarding/owner-address.ts'
import { type EarlierCommands, OpenCommands } from './open-commands.ts'
import { COMMANDS_PATH } from './owner-commands.ts'

/** So long a command is sent to whoever owns the world, and acts at all [ms]. */
const DEADLINE_MS = 2000

/** Time between two attempts, and what is added at random [ms]. */
const AGAIN_MS = 50
const JITTER_MS = 50

/** After so long on the bus it is sent again: the owner answers as it would have [ms]. */
const ANSWER_MS = 500

/** The last attempt waits as long as an owner for a command to become durable [ms]. */
const LAST_ANSWER_MS = 2000

/** A connection shows that its owner has ended, but not one that is silent [ms]. */
const HTTP_ANSWER_MS = 4000

/** So long a command that has acted waits to be shown here [ms]. */
const SHOWN_MS = 2000

export interface OwnerLinkOptions {
  /** carries commands while the owner is on it, too; else they go over HTTP */
  readonly bus: Bus | undefined
  /** of the claim on each star system, read from the database */
  readonly fences: () => Promise<ReadonlyMap<string, number>>
  readonly ownerAddress: (systemId: string) => OwnerAddress
  /** see `gatewayToken` */
  readonly token: string
  readonly clock: WallClock
  readonly mirror: () => Pick<Mirror, 'universe' | 'shows'>
  readonly onCommand: () => void
}

export interface OwnerLink extends MirrorCommands {
  /** As `execute`, a command to a star system that names no ship of it. */
  executeIn(
    systemId: string,
    ...command: Parameters<MirrorCommands['execute']>
  ): ReturnType<MirrorCommands['execute']>
}

type MirrorCommands = MirrorOptions['commands']

/**
 * Commands of this gateway's clients, sent to the owner of the world until one answers: each acts
 * once, since owners know those of the last minute, and those of a ship in the order in which they
 * were sent.
 */
export function createOwnerLink(options: OwnerLinkOptions): OwnerLink {
  const { clock, mirror, onCommand } = options
  const owners = watchOwners(options)
  const onBus = options.bus && busAttempts(options.bus, owners, clock)
  const attempt = async (systemId: string, request: CommandRequest): Promise<Outcome> => {
    try {
      const outcome = (await onBus?.(systemId, request)) ?? 'nowhere'
      return outcome === 'nowhere' ? await attemptOverHttp(systemId, request, options) : outcome
    } catch (error) {
      const { code } = Object(error)
      if (code === 'ERR_COMMAND_EARLY') return 'early'
      if (code === 'ERR_COMMAND_LATE') throw away()
      if (!LOST.has(code)) throw error
      options.ownerAddress(systemId).forget()
      return 'lost'
    }
  }
  const systemOf = (shipId: string): string => shownSystemOf(mirror().universe, shipId)
  const open = new OpenCommands()
  const send = async (
    systemId: string,
    order: Order,
    actor: string | null,
    id: string = randomUUID(),
  ): Promise<CommandDone> => {
    onCommand()
    const request = { id, deadlineMs: clock.utcMs() + DEADLINE_MS, actor, order }
    const named = order.kind === 'control' ? order : order.command
    const shipId = 'shipId' in named ? named.shipId : ''
    const present = (): string =>
      findShip(mirror().universe, shipId)?.world.state.system.id ?? systemId
    return open.send(shipId, id, (earlier) =>
      untilAnswered(attempt, request, { present, earlier, clock, owners }),
    )
  }
  const executeIn: OwnerLink['executeIn'] = async (systemId, command, by = {}) => {
    const { actor = null, commandId } = by
    const order = {
      kind: 'execute',
      command,
      ...(!('shipId' in command) && { systemId }),
    } as const
    const { index, sequence } = await send(systemId, order, actor, commandId)
    await Promise.race([
      mirror().shows(systemId, sequence),
      new Promise<void>((resolve) => void clock.after(SHOWN_MS, resolve)),
    ])
    return index
  }
  return {
    executeIn,
    execute: (command, by) => {
      const [first] = mirror().universe.worlds
      const systemId = 'shipId' in command ? systemOf(command.shipId) : first.state.system.id
      return executeIn(systemId, command, by)
    },
    control: async (shipId, control, actor = null, at) => {
      const order = { kind: 'control', shipId, control, ...(at !== undefined && { at }) } as const
      const { index } = await send(systemOf(shipId), order, actor)
      return { index, kept: Promise.resolve() }
    },
  }
}

/** The star system of a ship; a new one may not be shown yet, and all begin in the home system. */
function shownSystemOf(universe: Universe, shipId: string): string {
  try {
    return requireShip(universe, shipId).world.state.system.id
  } catch (error) {
    if (Object(error).code !== 'ERR_SHIP_UNKNOWN') throw error
    return universe.worlds[0].state.system.id
  }
}

/**
 * What became of an attempt: it has reached no owner, one that was lost before its answer, or one
 * that an earlier command of the ship has not reached.
 */
type Outcome = CommandDone | 'nowhere' | 'lost' | 'early'

interface Sending {
  /** the star system that the command concerns now: that of its ship, which may leave it */
  readonly present: () => string
  readonly earlier: EarlierCommands
  readonly clock: WallClock
  readonly owners: KnownOwners
}

/** Sends a command until it has an answer, again only when all before it have one. */
async function untilAnswered(
  attempt: (systemId: string, request: CommandRequest) => Promise<Outcome>,
  request: CommandRequest,
  { present, earlier, clock, owners }: Sending,
): Promise<CommandDone> {
  let isLost = false
  let systemId = present()
  let after = earlier.last()
  do {
    // Owners of other star systems do not know a command that may have acted.
    if (!isLost) systemId = present()
    const news = owners.news()
    const sent = { ...request, ...(after !== undefined && { after }) }
    const outcome = await attempt(systemId, sent)
    if (typeof outcome === 'object') return outcome
    isLost ||= outcome === 'lost'
    if (outcome !== 'early') {
      const later = new Promise<void>((resolve) => {
        clock.after(AGAIN_MS + JITTER_MS * Math.random(), resolve)
      })
      await Promise.race([news, later])
    }
    await earlier.answered()
    after = undefined
  } while (clock.utcMs() < request.deadlineMs)
  if (!isLost) throw away()
  const message = 'The owner of the world was lost before its answer.'
  throw new JournalError('ERR_JOURNAL_UNKNOWN', message)
}

/** Refusals of an owner that ends, or takes no more now; the next one may know the command. */
const LOST: ReadonlySet<unknown> = new Set([
  'ERR_JOURNAL_FENCED',
  'ERR_JOURNAL_STOPPED',
  'ERR_STOPPED',
  'ERR_COMMANDS_OPEN',
])

function away(): JournalError {
  return new JournalError('ERR_JOURNAL_AWAY', 'No owner of the world answers; try again later.')
}

/** Who owns what, as far as it is known here. */
interface KnownOwners {
  fences(): ReturnType<OwnerLinkOptions['fences']>
  forget(): void
  /** resolves when an owner takes commands that may not have taken them before */
  news(): Promise<void>
}

function watchOwners({ bus, fences: read, ownerAddress }: OwnerLinkOptions): KnownOwners {
  let fences: ReturnType<OwnerLinkOptions['fences']> | undefined
  let next = Promise.withResolvers<void>()
  const forget = (): void => {
    fences = undefined
  }
  onOwnerNews(bus, (systemId, news) => {
    forget()
    ownerAddress(systemId).forget()
    // Before that an attempt would be in vain.
    if (news === 'given') return
    next.resolve()
    next = Promise.withResolvers()
  })
  return {
    fences: async () => {
      const reading = (fences ??= read())
      try {
        return await reading
      } catch (error) {
        if (fences === reading) forget()
        throw error
      }
    },
    forget,
    news: () => next.promise,
  }
}

/** Attempts on the bus. */
function busAttempts(
  bus: Bus,
  owners: KnownOwners,
  clock: WallClock,
): (systemId: string, request: CommandRequest) => Promise<Outcome> {
  return async (systemId, request) => {
    if (!bus.metrics().connected) return 'nowhere'
    const fence = (await owners.fences()).get(systemId) ?? 0
    const isLast = clock.utcMs() + ANSWER_MS >= request.deadlineMs
    try {
      const timeoutMs = isLast ? LAST_ANSWER_MS : ANSWER_MS
      return await sendCommand(bus, { systemId, fence }, request, timeoutMs)
    } catch (cause) {
      const { code } = Object(cause)
      if (cause instanceof BusError || LOST.has(code)) owners.forget()
      if (!(cause instanceof BusError)) throw cause
      return code === 'ERR_NO_RESPONDERS' ? 'nowhere' : 'lost'
    }
  }
}

async function attemptOverHttp(
  systemId: string,
  request: CommandRequest,
  { ownerAddress: addressOf, token }: OwnerLinkOptions,
): Promise<Outcome> {
  const ownerAddress = addressOf(systemId)
  const address = await ownerAddress.current()
  if (address === undefined) return 'nowhere'
  let response: Response
  try {
    response = await fetch(new URL(COMMANDS_PATH, address), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new TextDecoder().decode(encodeRequest(request)),
      redirect: 'error',
      signal: AbortSignal.timeout(HTTP_ANSWER_MS),
    })
    if (response.ok) return decodeReply(new Uint8Array(await response.arrayBuffer()))
  } catch (error) {
    if (error instanceof Error && !isUnconnected(error) && !isOfFetch(error)) throw error
    ownerAddress.forget()
    return isUnconnected(error) ? 'nowhere' : 'lost'
  }
  await response.body?.cancel()
  ownerAddress.forget()
  // It starts, stands by, or is another server.
  return 'nowhere'
}

/** Codes of connections that were never there: nothing has been sent. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether a request has not left, as what `fetch` throws says. */
function isUnconnected(error: unknown): boolean {
  return UNCONNECTED.has(Object(Object(error).cause).code)
}

function isOfFetch(error: Error): boolean {
  return error instanceof TypeError || error.name === 'TimeoutError' || error.name === 'AbortError'
}
