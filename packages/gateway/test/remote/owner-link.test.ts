// Law: a command whose owner is lost before its answer is sent again under the same id, to whoever
// owns the star system then, for two seconds in all, and at once where an owner is announced; what
// an owner refuses is not. Commands of one ship act in the order in which they were sent.
// Method: the link of a gateway on the bus of one process, and owners that answer by hand.
import { createLocalBus } from '@orrery/bus'
import { EngineError, completeHandOffs, executeCommand, systemClock } from '@orrery/engine/testing'
import {
  CommandError,
  type CommandRequest,
  JournalError,
  announceOwner,
  decodeRequest,
  encodeReply,
} from '@orrery/game'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createOwnerAddresses } from '../../src/forwarding/owner-address.ts'
import { createOwnerLink } from '../../src/remote/owner-link.ts'
import { smallUniverse } from '../sockets/small-universe.ts'

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const DONE = { fence: 2, sequence: 7, index: 4_096_064 }

const universe = smallUniverse()
executeCommand(universe, { kind: 'create_ship', shipId: SHIP, name: 'Ida' })

let bus: ReturnType<typeof createLocalBus>
let fence: number
let requests: CommandRequest[]
/** resolves once a command has found no owner on the bus */
let attempted: PromiseWithResolvers<void>

beforeEach(() => {
  bus = createLocalBus()
  fence = 1
  requests = []
  attempted = Promise.withResolvers()
})

/** An owner under a fence. */
function own(
  at: number,
  answer: (request: CommandRequest) => Promise<Uint8Array>,
): { end(): void } {
  return bus.answer(`cmd.sol.${at}`, (payload) => {
    const request = decodeRequest(payload)
    requests.push(request)
    return answer(request)
  })
}

/** An owner that an earlier command may not have reached. */
function ownInOrder(at: number): void {
  const known = new Set<string | undefined>([undefined])
  own(at, async ({ id, after }) => {
    if (!known.has(after)) return encodeReply(new CommandError('ERR_COMMAND_EARLY', 'Early.'))
    known.add(id)
    return encodeReply(DONE)
  })
}

function newLink(clock = systemClock): ReturnType<typeof createOwnerLink> {
  return createOwnerLink({
    bus,
    fences: async () =>
      new Map([
        ['sol', fence],
        ['alpha', 1],
      ]),
    ownerAddress: createOwnerAddresses(
      async () => {
        attempted.resolve()
        return undefined
      },
      () => systemClock.monotonicMs(),
    ),
    token: 'token',
    clock,
    mirror: () => ({ universe, shows: async () => undefined }),
    onCommand: () => undefined,
  })
}

function steer(link = newLink(), thrustLevel = 0.5): Promise<{ readonly index: number }> {
  return link.control(SHIP, { thrustLevel })
}

/** Throttles of all requests, in the order in which they came. */
function throttles(): unknown[] {
  return requests.map(({ order }) => order.kind === 'control' && order.control.thrustLevel)
}

test('a command goes to the next owner under its id', async () => {
  const former = own(1, () => {
    former.end()
    fence = 2
    own(2, async () => encodeReply(DONE))
    return new Promise(() => undefined)
  })
  expect((await steer()).index).toBe(DONE.index)
  expect(requests.length).toBe(2)
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
})

test('a command goes to the next owner at once when that is announced', async () => {
  // No other attempt comes.
  const link = newLink({ ...systemClock, after: () => () => undefined })
  const first = steer(link)
  await attempted.promise
  fence = 2
  own(2, async () => encodeReply(DONE))
  announceOwner(bus, 'sol')
  await setImmediate()
  expect(requests.length).toBe(0)
  announceOwner(bus, 'sol', 'answered')
  expect((await first).index).toBe(DONE.index)
  // What was known of the owner is read again.
  fence = 3
  own(3, async () => encodeReply({ ...DONE, index: 5 }))
  announceOwner(bus, 'sol')
  await setImmediate()
  expect((await steer(link)).index).toBe(5)
})

test('a command of an owner that stops goes to the next one', async () => {
  const former = own(1, async () => {
    former.end()
    fence = 2
    own(2, async () => encodeReply(DONE))
    return encodeReply(new JournalError('ERR_JOURNAL_STOPPED', 'The server stops.'))
  })
  expect((await steer()).index).toBe(DONE.index)
})

test('where no owner answers in time it is said whether the command may have acted', async () => {
  await expect(steer()).rejects.toMatchObject({ code: 'ERR_JOURNAL_AWAY' })
  own(1, () => new Promise(() => undefined))
  await expect(steer()).rejects.toMatchObject({ code: 'ERR_JOURNAL_UNKNOWN' })
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
})

test('a refusal is no loss', async () => {
  own(1, async () => encodeReply(new EngineError('ERR_DOCKED', 'The ship is docked.')))
  await expect(steer()).rejects.toMatchObject({ code: 'ERR_DOCKED' })
  expect(requests.length).toBe(1)
})

test('a command that no owner had goes where its ship has gone', async () => {
  const shipId = '4b0a5c52-6a0e-4a51-9d9a-6b0a3f5f6d11'
  executeCommand(universe, { kind: 'create_ship', shipId, name: 'Max' })
  const steered = newLink().control(shipId, { thrustLevel: 0.5 })
  await attempted.promise
  executeCommand(universe, { kind: 'transfer_ship', shipId, systemId: 'alpha' })
  completeHandOffs(universe)
  bus.answer('cmd.alpha.1', async () => encodeReply(DONE))
  expect((await steered).index).toBe(DONE.index)
})

test('a later order of a ship waits while an earlier one is repeated', async () => {
  const link = newLink()
  const former = own(1, async ({ order }) => {
    const isFirst = order.kind === 'control' && order.control.thrustLevel === 0.1
    if (isFirst) return new Promise(() => undefined)
    former.end()
    fence = 2
    ownInOrder(2)
    return encodeReply(new JournalError('ERR_JOURNAL_STOPPED', 'The server stops.'))
  })
  await Promise.all([steer(link, 0.1), steer(link, 0.2)])
  expect(throttles()).toEqual([0.1, 0.2, 0.1, 0.2])
})

test('a later order of a ship waits while an earlier one is on its way to another', async () => {
  const link = newLink()
  const former = own(1, () => new Promise(() => undefined))
  const first = steer(link, 0.1)
  await expect.poll(throttles).toEqual([0.1])
  former.end()
  // The link does not know yet that the system has another owner.
  ownInOrder(1)
  await Promise.all([first, steer(link, 0.2)])
  expect(throttles()).toEqual([0.1, 0.2, 0.1, 0.2])
})

test('a ship that the mirror does not show yet is commanded at its home', async () => {
  own(1, async () => encodeReply(DONE))
  expect((await newLink().control(randomUUID(), { thrustLevel: 0.5 })).index).toBe(DONE.index)
  const shipId = randomUUID()
  const rename = { kind: 'rename_ship', shipId, name: 'Ada' } as const
  expect(await newLink().execute(rename)).toBe(DONE.index)
  expect(requests.at(-1)?.order).toMatchObject({ command: rename })
})
