import { type Bus, BusError } from '@orrery/bus'
import { type Mirror, type MirrorOptions, type WallClock, requireShip } from '@orrery/engine'
import {
  type CommandDone,
  type CommandRequest,
  JournalError,
  type Order,
  decodeReply,
  encodeRequest,
  sendCommand,
} from '@orrery/game'
import { randomUUID } from 'node:crypto'
import type { OwnerAddress } from '../forwarding/owner-address.ts'
import { COMMANDS_PATH } from './owner-commands.ts'

/** A command that has not reached an owner by then is given up [ms]. */
const DEADLINE_MS = 2000

/** Time between two attempts, and what is added at random [ms]. */
const AGAIN_MS = 50
const JITTER_MS = 50

/** An owner that has taken a command answers within this time [ms]. */
const ANSWER_MS = 12_000

/** The same on the bus, where one that is not durable in time is answered, too [ms]. */
const BUS_ANSWER_MS = 4000

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

/**
 * Commands of this gateway's clients, sent to the owner of the world. One that may have reached it
 * is not repeated: a later owner would not know it.
 */
export function createOwnerLink(options: OwnerLinkOptions): MirrorOptions['commands'] {
  const { clock, mirror, onCommand } = options
  const onBus = options.bus && busAttempts(options.bus, options.fences)
  const systemOf = (shipId: string): string =>
    requireShip(mirror().universe, shipId).world.state.system.id
  const send = async (
    systemId: string,
    order: Order,
    actor: string | null,
  ): Promise<CommandDone> => {
    onCommand()
    const deadlineMs = clock.utcMs() + DEADLINE_MS
    const request = { id: randomUUID(), deadlineMs, actor, order }
    do {
      const done = (await onBus?.(systemId, request)) ?? (await attempt(systemId, request, options))
      if (done) return done
      await new Promise<void>((resolve) => {
        void clock.after(AGAIN_MS + JITTER_MS * Math.random(), resolve)
      })
    } while (clock.utcMs() < deadlineMs)
    throw new JournalError('ERR_JOURNAL_AWAY', 'No owner of the world answers; try again later.')
  }
  return {
    execute: async (command, { actor = null } = {}) => {
      const [first] = mirror().universe.worlds
      const systemId = 'shipId' in command ? systemOf(command.shipId) : first.state.system.id
      const { index, sequence } = await send(systemId, { kind: 'execute', command }, actor)
      await Promise.race([
        mirror().shows(systemId, sequence),
        new Promise<void>((resolve) => void clock.after(SHOWN_MS, resolve)),
      ])
      return index
    },
    control: async (shipId, control, actor = null, at) => {
      const order = { kind: 'control', shipId, control, ...(at !== undefined && { at }) } as const
      const { index } = await send(systemOf(shipId), order, actor)
      return { index, kept: Promise.resolve() }
    },
  }
}

type BusAttempt = (systemId: string, request: CommandRequest) => Promise<CommandDone | undefined>

/** Attempts on the bus; undefined where the command has reached no owner there. */
function busAttempts(bus: Bus, read: OwnerLinkOptions['fences']): BusAttempt {
  let fences: ReadonlyMap<string, number> | undefined
  return async (systemId, request) => {
    if (!bus.metrics().connected) return undefined
    fences ??= await read()
    const fence = fences.get(systemId) ?? 0
    try {
      return await sendCommand(bus, { systemId, fence }, request, BUS_ANSWER_MS)
    } catch (cause) {
      const { code } = Object(cause)
      if (cause instanceof BusError || code === 'ERR_JOURNAL_FENCED') fences = undefined
      // There is another owner by now.
      if (code === 'ERR_NO_RESPONDERS' || code === 'ERR_JOURNAL_FENCED') return undefined
      throw cause instanceof BusError ? lost(cause) : cause
    }
  }
}

/** Undefined where the command has reached no owner. */
async function attempt(
  systemId: string,
  request: CommandRequest,
  { ownerAddress: addressOf, token }: OwnerLinkOptions,
): Promise<CommandDone | undefined> {
  const ownerAddress = addressOf(systemId)
  const address = await ownerAddress.current()
  if (address === undefined) return undefined
  let response: Response
  try {
    response = await fetch(new URL(COMMANDS_PATH, address), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new TextDecoder().decode(encodeRequest(request)),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (response.ok) return decodeReply(new Uint8Array(await response.arrayBuffer()))
  } catch (error) {
    if (error instanceof Error && !isUnconnected(error) && !isOfFetch(error)) throw error
    ownerAddress.forget()
    if (isUnconnected(error)) return undefined
    throw lost(error)
  }
  await response.body?.cancel()
  ownerAddress.forget()
  // It starts, stands by, or is another server.
  return undefined
}

function lost(cause: unknown): JournalError {
  const message = 'The owner of the world was lost before its answer.'
  return new JournalError('ERR_JOURNAL_UNKNOWN', message, { cause })
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
