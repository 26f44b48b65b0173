import { type Engine, requireShip } from '@orrery/engine'
import type { WallClock } from '@orrery/engine'
import type { SentCommand } from '@orrery/store'
import { JournalError } from '../journal/journal-error.ts'
import { CommandError } from './command-error.ts'
import type { CommandDone, CommandRequest, Order } from './command-message.ts'

/** So long a command that comes again is known to have acted [ms]. */
const KNOWN_MS = 60_000

/** Commands that are carried out at once. */
const OPEN_MAX = 1000

export interface CommandExecutionOptions {
  readonly engine: Pick<Engine, 'universe' | 'steer' | 'execute' | 'clock' | 'followed'>
  /** of a star system that this process owns */
  readonly fence: (systemId: string) => number
  readonly clock: Pick<WallClock, 'utcMs' | 'monotonicMs'>
  /** what has acted in star systems in the last minute, under owners before, too */
  readonly sent: (systemIds: readonly string[]) => Promise<readonly SentCommand[]>
  /** an order of a ship is durable */
  readonly onOrdered: (shipId: string) => void
}

/**
 * Carries out commands of other processes; one that comes again under the same id acts once.
 *
 * @throws {CommandError | EngineError | JournalError} by its promise
 */
export type CommandExecution = (request: CommandRequest) => Promise<CommandDone>

export function createCommandExecution(options: CommandExecutionOptions): CommandExecution {
  const { clock, engine, fence, sent } = options
  /** by id, oldest first */
  const known = new Map<string, { readonly sinceMs: number; readonly done: Promise<CommandDone> }>()
  let open = 0
  /** by the systems that this process owns, or has owned */
  const learned = new Map<string, { readonly fence: number; readonly done: Promise<void> }>()

  /** Learns what others have carried out in systems that this process has taken since. */
  const learn = async (): Promise<void> => {
    const own = engine.universe.worlds
      .map(({ state }) => state.system.id)
      .filter((systemId) => fence(systemId) > 0)
    const taken = own.filter((systemId) => learned.get(systemId)?.fence !== fence(systemId))
    if (taken.length > 0) {
      const done = learnSent(taken)
      for (const systemId of taken) learned.set(systemId, { fence: fence(systemId), done })
    }
    try {
      await Promise.all(own.flatMap((systemId) => learned.get(systemId)?.done ?? []))
    } catch (cause) {
      learned.clear()
      const message = 'The journal does not say what has acted.'
      throw new JournalError('ERR_JOURNAL_AWAY', message, { cause })
    }
  }
  const learnSent = async (systemIds: readonly string[]): Promise<void> => {
    const sinceMs = clock.monotonicMs()
    for (const { commandIds, systemId, sequence, lattice: index } of await sent(systemIds)) {
      const done = Promise.resolve({ fence: fence(systemId), sequence, index })
      for (const id of commandIds) if (!known.has(id)) known.set(id, { sinceMs, done })
    }
  }

  const forget = (): void => {
    const oldestMs = clock.monotonicMs() - KNOWN_MS
    for (const [id, { sinceMs }] of known) {
      if (sinceMs > oldestMs) return
      known.delete(id)
    }
  }

  return async (request) => {
    forget()
    requireOwn(engine, request.order)
    if (!known.has(request.id)) await learn()
    const before = known.get(request.id)
    if (before) return before.done
    if (clock.utcMs() > request.deadlineMs) {
      throw new CommandError('ERR_COMMAND_LATE', 'The command came after its deadline.')
    }
    if (request.after !== undefined && !known.has(request.after)) {
      throw new CommandError('ERR_COMMAND_EARLY', 'One that acts before it has not come.')
    }
    if (open >= OPEN_MAX) {
      throw new CommandError('ERR_COMMANDS_OPEN', `${open} commands are being carried out.`)
    }
    open++
    const done = carryOut(request, options).finally(() => open--)
    known.set(request.id, { sinceMs: clock.monotonicMs(), done })
    return done.catch((error: unknown) => {
      // It has not acted: it comes again, here when the system does.
      if (Object(error).code === 'ERR_JOURNAL_FENCED') known.delete(request.id)
      throw error
    })
  }
}

/** @throws {JournalError} 'ERR_JOURNAL_FENCED' while another process owns the system */
function requireOwn({ followed }: Pick<Engine, 'followed'>, order: Order): void {
  const named = order.kind === 'control' ? order : order.command
  const { systemId } = order.kind === 'execute' ? order : {}
  const isElsewhere =
    'shipId' in named
      ? followed.has(named.shipId)
      : systemId !== undefined && followed.hasSystem(systemId)
  if (!isElsewhere) return
  throw new JournalError('ERR_JOURNAL_FENCED', 'Another server owns the star system.')
}

async function carryOut(
  { id, actor, order }: CommandRequest,
  { engine, fence, onOrdered }: CommandExecutionOptions,
): Promise<CommandDone> {
  const systemId = systemOf(engine, order)
  const { sequences: before } = engine.clock()
  const by = { actor, commandId: id }
  const index = await act(engine, order, by).catch((error: unknown) => {
    // Its system was given away while it waited for a tick.
    if (Object(error).code === 'ERR_SYSTEM_STOPPED') requireOwn(engine, order)
    throw error
  })
  if (order.kind === 'control') onOrdered(order.shipId)
  // One that was given away before this was durable has none any more.
  const sequences = { ...before, ...engine.clock().sequences }
  return { fence: fence(systemId), sequence: sequences[systemId], index }
}

function systemOf({ universe }: Pick<Engine, 'universe'>, order: Order): string {
  const named = order.kind === 'control' ? order : order.command
  const { systemId } = order.kind === 'execute' ? order : {}
  if (systemId !== undefined) return systemId
  const world = 'shipId' in named ? requireShip(universe, named.shipId).world : universe.worlds[0]
  return world.state.system.id
}

async function act(
  engine: Pick<Engine, 'steer' | 'execute'>,
  order: Order,
  by: { readonly actor: string | null; readonly commandId: string },
): Promise<number> {
  if (order.kind === 'execute') return engine.execute(order.command, by)
  const { actor, commandId } = by
  const { at, control, shipId } = order
  const { index, kept } = await engine.steer(shipId, control, actor, at, commandId)
  await kept
  return index
}
