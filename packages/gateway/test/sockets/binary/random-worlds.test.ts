// Law: whatever happens in whatever order, each client of binary frames has every ship, where it
// is. Method: random acts on the sockets of a real engine: ships come, go and are ordered, clients
// come, go, narrow their views and lose frames, and commands wait to become durable.
import { type Chance, createChance, testSeed } from '@orrery/testkit/chance'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type BinaryServer, shipsOf, usedBinaryServers } from './binary-server.ts'
import { type Followed, follow, seenBy } from './followed-world.ts'

const open = usedBinaryServers()

const WORLDS = IS_NIGHT ? 600 : 40
const ROUNDS = 12
const ACTS = 14
const CLIENTS_MAX = 5

interface Play {
  readonly server: BinaryServer
  readonly chance: Chance
  readonly ships: string[]
  /** that clients fly themselves: nothing is done to them here */
  readonly flown: Set<string>
  readonly clients: Followed[]
  /** commands that may have to become durable */
  readonly commands: Promise<unknown>[]
  /** lets them */
  commit: (() => void) | undefined
}

type Act = (play: Play) => unknown

const waitFor =
  (secondsMax: number): Act =>
  ({ chance, server }) =>
    server.pass(secondsMax * chance.share())

const ACTS_BY_NAME: Readonly<Record<string, Act>> = {
  create: ({ chance, commands, server, ships }) => {
    const shipId = chance.uuid()
    ships.push(shipId)
    commands.push(server.engine.execute({ kind: 'create_ship', shipId, name: 'New' }))
  },
  rename: ({ chance, commands, server, ships }) => {
    const name = `Ship ${chance.below(1000)}`
    commands.push(server.engine.execute({ kind: 'rename_ship', shipId: chance.pick(ships), name }))
  },
  remove: ({ chance, commands, flown, server, ships }) => {
    const shipId = chance.pick(ships)
    if (ships.length < 4 || flown.has(shipId)) return
    ships.splice(ships.indexOf(shipId), 1)
    commands.push(server.engine.execute({ kind: 'remove_ship', shipId }))
  },
  order: async ({ chance, flown, server, ships }) => {
    const shipId = chance.pick(ships)
    if (flown.has(shipId)) return
    await server.engine.steer(shipId, { thrustLevel: chance.pick([0, 0.3]) })
    server.sockets.ordered(shipId)
  },
  join: async ({ chance, clients, flown, server, ships }) => {
    if (clients.length === CLIENTS_MAX) return
    const own = chance.oneIn(3) ? undefined : chance.pick(ships)
    if (own !== undefined) flown.add(own)
    const client = follow(server, own)
    clients.push(client)
    await client.socket.opened
  },
  leave: ({ chance, clients }) => {
    if (clients.length > 0) clients.splice(chance.below(clients.length), 1)[0].socket.close()
  },
  narrow: async (play) => {
    const { chance, clients, ships } = play
    if (clients.length === 0) return
    const { socket } = chance.pick(clients)
    await socket.subscribe({ ids: ships.filter(() => chance.oneIn(2)) })
    if (chance.oneIn(2)) await waitFor(0.3)(play)
    await socket.subscribe({})
  },
  reconnect: async (play) => {
    const { chance, clients } = play
    if (clients.length === 0) return
    const client = chance.pick(clients)
    if (chance.oneIn(2)) client.lose()
    if (chance.oneIn(2)) await waitFor(1)(play)
    await client.reconnect()
  },
  stopCommits: (play) => {
    if (play.commit) return
    const { engine, journal } = play.server
    const sequences = engine.universe.worlds.map(
      ({ intake, state }) => [state.system.id, intake.sequence] as const,
    )
    const durable = new Map(sequences)
    const { promise, resolve } = Promise.withResolvers<void>()
    journal.kept = promise
    journal.durableUpTo = (systemId) => durable.get(systemId) ?? 0
    play.commit = resolve
  },
  commit: (play) => {
    const { journal } = play.server
    play.commit?.()
    play.commit = undefined
    journal.kept = Promise.resolve()
    delete journal.durableUpTo
  },
  receive: ({ clients }) => Promise.all(clients.map(({ socket }) => socket.ping())),
  passInstant: waitFor(0.03),
  passTick: waitFor(0.12),
  passTicks: waitFor(1.2),
}

/** What is wrong with what a client sees: ships by their places; empty if nothing is. */
async function faultsOf(client: Followed, { server, ships }: Play): Promise<string[]> {
  const seen = await seenBy(client, server)
  const truth = shipsOf(server, 'sol')
  const ghosts = [...seen.keys()].filter((id) => !truth.has(id))
  const others = [...truth].flatMap(([id, state]) => {
    const [x, y, z] = seen.get(id) ?? []
    if (x === undefined) return [`${ships.indexOf(id)} is not known`]
    const metres = Math.hypot(x - state[0], y - state[1], z - state[2])
    return metres < 1e-3 ? [] : [`${ships.indexOf(id)} is ${metres} m off`]
  })
  return [...ghosts.map((id) => `${id} is a ghost`), ...others]
}

const seeds = createChance(testSeed('worlds of binary frames'))

for (let world = 0; world < WORLDS; world++) {
  const chance = seeds.branch()
  test(`each client has every ship, whatever has happened: ${world}`, async () => {
    const server = await open()
    server.engine.changeTickRate(chance.pick([1, 8]))
    const ships = [await server.launch('First')]
    const play: Play = {
      server,
      chance,
      ships,
      flown: new Set(),
      clients: [],
      commands: [],
      commit: undefined,
    }
    for (let round = 0; round < ROUNDS; round++) {
      const names = Array.from({ length: ACTS }, () => chance.pick(Object.keys(ACTS_BY_NAME)))
      for (const name of names) await ACTS_BY_NAME[name](play)
      ACTS_BY_NAME['commit'](play)
      await server.pass(0.2)
      await Promise.all(play.commands.splice(0))
      await server.pass(2.5)
      for (const client of play.clients) {
        expect(await faultsOf(client, play), `after ${names.join(', ')}`).toEqual([])
      }
    }
    for (const { socket } of play.clients) socket.close()
  })
}
