import { type Mirror, type MirrorOptions, type WallClock, requireShip } from '@orrery/engine'
import {
  type CommandDone,
  type CommandRequest,
  JournalError,
  type Order,
  decodeReply,
  encodeRequest,
} from '@orrery/game'
import { randomUUID } from 'node:crypto'
import type { OwnerAddress } from '../forwarding/owner-address.ts'
import { COMMANDS_PATH } from '../routes/owner-commands.ts'

/** A command that has not reached an owner by then is given up [ms]. */
const DEADLINE_MS = 2000

/** Time between two attempts, and what is added at random [ms]. */
const AGAIN_MS = 50
const JITTER_MS = 50

/** An owner that has taken a command answers within this time [ms]. */
const ANSWER_MS = 12_000

/** So long a command that has acted waits to be shown here [ms]. */
const SHOWN_MS = 2000

export interface OwnerLinkOptions {
  readonly ownerAddress: OwnerAddress
  /** see `gatewayToken` */
  readonly token: string
  readonly clock: WallClock
  readonly mirror: () => Mirror
  readonly onCommand: () => void
}

/**
 * Commands of this gateway's clients, sent to the owner of the world. One that may have reached it
 * is not repeated: a later owner would not know it.
 */
export function createOwnerLink(options: OwnerLinkOptions): MirrorOptions['commands'] {
  const { clock, mirror, onCommand } = options
  const send = async (order: Order, actor: string | null): Promise<CommandDone> => {
    onCommand()
    const deadlineMs = clock.utcMs() + DEADLINE_MS
    const request = { id: randomUUID(), deadlineMs, actor, order }
    do {
      const done = await attempt(request, options)
      if (done) return done
      await new Promise<void>((resolve) => {
        void clock.after(AGAIN_MS + JITTER_MS * Math.random(), resolve)
      })
    } while (clock.utcMs() < deadlineMs)
    throw new JournalError('ERR_JOURNAL_AWAY', 'No owner of the world answers; try again later.')
  }
  return {
    execute: async (command, { actor = null } = {}) => {
      const { universe } = mirror()
      const world = 'shipId' in command && requireShip(universe, command.shipId).world
      const { system } = (world || universe.worlds[0]).state
      const { index, sequence } = await send({ kind: 'execute', command }, actor)
      await Promise.race([
        mirror().shows(system.id, sequence),
        new Promise<void>((resolve) => void clock.after(SHOWN_MS, resolve)),
      ])
      return index
    },
    control: async (shipId, control, actor = null, at) => {
      const order = { kind: 'control', shipId, control, ...(at !== undefined && { at }) } as const
      const { index } = await send(order, actor)
      return { index, kept: Promise.resolve() }
    },
  }
}

/** Undefined where the command has reached no owner. */
async function attempt(
  request: CommandRequest,
  { ownerAddress, token }: OwnerLinkOptions,
): Promise<CommandDone | undefined> {
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
    const message = 'The owner of the world was lost before its answer.'
    throw new JournalError('ERR_JOURNAL_UNKNOWN', message, { cause: error })
  }
  await response.body?.cancel()
  ownerAddress.forget()
  // It starts, stands by, or is another server.
  return undefined
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
