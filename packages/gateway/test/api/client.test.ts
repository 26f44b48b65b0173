// The client against the real server: a function for every operation, a socket that survives a
// lost connection, and both in a real browser.
import { type Route, api } from '@orrery/protocol'
import { type GameSocket, type SocketEvents, connectSocket, createGameClient } from '@orrery/client'
import { execFile } from 'node:child_process'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { promisify } from 'node:util'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, describe, expect, it } from 'vitest'
import { CHROMIUM_RUNS_HERE, type OpenPage, openSharedPage } from '@orrery/testkit/browser-page'
import { codeSamples } from '@orrery/testkit/readme-sample'
import type { PlayerDay } from './client-page.ts'
import { PASSWORD, adminToken, register } from '../player-client.ts'
import { sharedServer, usedServer } from '../used-server.ts'

const PLAYER_DAY = '/packages/gateway/test/api/client-page.ts'

let browser: OpenPage | undefined

const server = IS_NIGHT
  ? usedServer(async () => {
      if (CHROMIUM_RUNS_HERE) browser = await openSharedPage({ modules: [PLAYER_DAY] })
      return { ALLOWED_ORIGINS: browser?.origin, SOCKETS_MAX: '2' }
    })
  : sharedServer()

afterAll(() => browser?.close())

/** The next event of a kind. */
function next<Kind extends keyof SocketEvents>(
  socket: GameSocket,
  kind: Kind,
  fits: (event: SocketEvents[Kind]) => boolean = () => true,
): Promise<SocketEvents[Kind]> {
  return new Promise((resolve) => {
    const stop = socket.on(kind, (event) => {
      if (!fits(event)) return
      stop()
      resolve(event)
    })
  })
}

describe('the operations', () => {
  /** Calls every function of a tree, with the same text for all arguments. */
  const callAll = (tree: object): unknown[] =>
    Object.values(tree).flatMap((branch: unknown) => {
      if (typeof branch === 'function') return [branch('ID', 'ID')]
      return callAll(branch as object)
    })

  it('have a function or a declaration each', async () => {
    const asked: string[] = []
    const game = createGameClient({
      url: 'http://nowhere',
      fetch: (input, init) => {
        asked.push(`${init?.method} ${new URL(input).pathname}`)
        return Promise.resolve(new Response(null, { status: 204 }))
      },
    })
    const [player, admin] = [game.player('a.b.c'), game.admin('a.b.c')]
    const service = game.service('a.b.c')
    const { call, ...named } = admin
    const { call: ask, ...own } = player
    await Promise.allSettled(callAll({ ...game, player: own, admin: named }))
    // Others are called by their declarations.
    const functions = new Set(asked)
    for (const { request, access, ...route } of Object.values<Route<unknown>>(api)) {
      const caller = { admin: call, player: ask, service: service.call }[access as string]
      // Those of modules are there with modules.
      if (!caller || request.includes('/api/player/modules')) continue
      if (functions.has(request.replace(/:\w+/, 'ID'))) continue
      const names = Array.from(request.matchAll(/:(\w+)/g), ([, name]) => [name, 'ID'])
      await caller({ request, access, ...route }, Object.fromEntries(names)).catch(() => undefined)
    }
    const { paths } = await createGameClient({ url: server.url }).openApi()
    const offered = Object.entries(paths as object).flatMap(([path, methods]) =>
      Object.keys(methods as object).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'ID')}`,
      ),
    )
    // The legacy alias of the other admin login, the pages, which are for browsers, modules, which
    // have a client of their own, bodies for clients in other languages: this one integrates, and
    // a stream, which the event source of each language reads.
    const others = new Set([
      'POST /api/admin/login',
      'GET /',
      'GET /admin',
      'GET /api/systems/ID/ephemeris',
      'GET /api/service/events/stream',
      'GET /api/modules',
      'GET /api/player/modules',
      'POST /api/player/modules/ID',
    ])
    const wanted = offered.filter((operation) => !others.has(operation))
    expect(asked.toSorted()).toEqual(wanted.toSorted())
  })
})

/** A connection to the server that can be cut. */
interface Wire {
  readonly url: string
  cut(): void
  close(): void
}

async function wireTo(port: number): Promise<Wire> {
  const ends = new Set<Socket>()
  const wire: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => undefined).on('close', () => ends.delete(end))
    }
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const end of ends) end.destroy()
  }
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut()
      wire.close()
    },
  }
}

describe('a player', () => {
  it('flies, loses the connection, and resumes', async () => {
    const { token, ship_id: shipId } = await register(server, 'Ripley')
    const wire = await wireTo(server.port)
    const socket = connectSocket({ url: wire.url, token, view: { rate: 50 } })
    try {
      expect((await next(socket, 'subscribed')).rate).toBe(50)
      expect((await socket.opened).ship_id).toBe(shipId)
      const { game_time: actsAt } = await socket.control({ thrust_level: 0.25 })
      const tick = await next(socket, 'tick', ({ game_time }) => game_time >= actsAt)
      expect(tick.ships.find((ship) => ship.ship_id === shipId)?.thrust_level).toBe(0.25)
      await expect(socket.control({ thrust_level: 2 })).rejects.toMatchObject({ code: 'E001' })
      expect((await createGameClient(server).player(token).ship()).thrust_level).toBe(0.25)

      const resumed = next(socket, 'resumed_session')
      const lost = next(socket, 'disconnected')
      wire.cut()
      expect(await lost).toMatchObject({ code: 1006, error: undefined })
      expect(await resumed).toMatchObject({ valid: true, era: tick.era })
      await next(socket, 'tick')
      expect((await socket.startManeuver({ maneuver: 'kill_rotation' })).type).toBe('accepted')
    } finally {
      socket.close()
      wire.close()
    }
  })

  it('stops its clock during a pause', async () => {
    const { token } = await register(server, 'Parker')
    const { game } = createGameClient(server).admin(await adminToken(server))
    const socket = connectSocket({ url: server.url, token })
    try {
      await socket.opened
      const paused = next(socket, 'paused')
      await game.pause()
      const shown = Date.parse((await paused).game_time)
      expect([socket.gameTimeNow(), socket.gameTimeNow()]).toEqual([shown, shown])
      const resumed = next(socket, 'resumed')
      await game.resume()
      await resumed
      await next(socket, 'tick')
      expect(socket.gameTimeNow()).toBeGreaterThan(shown)
    } finally {
      socket.close()
    }
  })

  it('votes for the pace, which is kept over a lost connection', async () => {
    const { token } = await register(server, 'Voter')
    const admin = createGameClient(server).admin(await adminToken(server))
    const wire = await wireTo(server.port)
    const socket = connectSocket({ url: wire.url, token })
    const runsAt = (scale: number): Promise<unknown> =>
      next(socket, 'clock', ({ time_scale: its }) => its === scale)
    try {
      await socket.opened
      await expect(socket.vote(20)).rejects.toMatchObject({ code: 'E003' })
      const shown = next(socket, 'votes')
      const bounds = { lowest: 1, highest: 50 }
      const waiting = { ...bounds, voters: 1, votes: 0, pace: null }
      expect(await admin.game.allowPaceVote(bounds)).toEqual(waiting)
      expect(await shown).toEqual({ type: 'votes', ...waiting })
      let running = runsAt(20)
      expect(await socket.vote(20)).toMatchObject({ type: 'voted', pace: 20 })
      await running
      expect(await admin.game.paceVote()).toEqual({ ...waiting, votes: 1, pace: 20 })
      wire.cut()
      await next(socket, 'voted')
      // The operator's is kept for later.
      const changed = { previous_scale: 1, new_scale: 3 }
      expect(await admin.game.changeTimeScale(3)).toEqual(changed)
      expect((await admin.status()).time_scale).toBe(20)
      running = runsAt(3)
      await admin.game.endPaceVote()
      await running
      await admin.game.changeTimeScale(1)
      const { entries } = await admin.audit({ limit: 9 })
      const actions = entries.map(({ action }) => action)
      expect(actions).toEqual(expect.arrayContaining(['pace_vote', 'pace_vote_end']))
    } finally {
      socket.close()
      wire.close()
    }
  })

  it('gets the reason when the account is deleted, and does not reconnect', async () => {
    const { token, player_id: playerId } = await register(server, 'Kane')
    const { players } = createGameClient(server).admin(await adminToken(server))
    const socket = connectSocket({ url: server.url, token })
    await socket.opened
    const lost = next(socket, 'disconnected')
    await players.remove(playerId)
    expect(await lost).toMatchObject({ code: 4004, retryMs: undefined, error: { code: 'E014' } })
    const again = connectSocket({ url: server.url, token })
    await expect(again.opened).rejects.toMatchObject({ code: 'E005' })
  })
})

describe('the examples of READMEs', () => {
  const REPOSITORY = new URL('../../../../', import.meta.url)

  const examplesOf = (path: string): readonly string[] => codeSamples(new URL(path, REPOSITORY))

  /** What an example prints, line by line. */
  const printed = async (example: string): Promise<string[]> => {
    const program = example.replaceAll('http://127.0.0.1:3000', server.url)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', program],
      { cwd: new URL('packages/gateway', REPOSITORY) },
    )
    return stdout.trimEnd().split('\n')
  }

  it('of the client fly a ship and forecast its way', async () => {
    const [first = '', flight = ''] = examplesOf('packages/client/README.md')
    const lines = await printed(first)
    expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^thrust from 20/), 'E001'])
    expect(lines.slice(-2)).toEqual(['Ida of Tharsis 0.5', 'closed undefined'])
    const pilot = `
      import { connectSocket, createGameClient } from '@orrery/client'
      const url = '${server.url}'
      const { token } = await createGameClient({ url }).register('Ferro', '${PASSWORD}')\n`
    const end = 'console.log(marks.length)'
    expect(flight).toContain(end)
    const flown = await printed(pilot + flight.replace(end, `${end}; process.exit()`))
    expect(flown.join(' ')).toMatch(/(?:received|flown) Earth Float64Array.* \d+$/)
  })

  it.runIf(IS_NIGHT)('of the repository give thrust', async () => {
    const [example = ''] = examplesOf('README.md')
    const imports = "import { connectSocket, createGameClient } from '@orrery/client'\n"
    const program = example
      .replace('Dallas', 'Gorman')
      .replace('await socket.control', 'const { type } = $&')
    expect(await printed(`${imports}${program}console.log(type); socket.close()`)).toEqual([
      'accepted',
    ])
  })

  it('of the protocol have the results that they show', async () => {
    const [example = ''] = examplesOf('packages/protocol/README.md')
    const results = Array.from(example.matchAll(/ \/\/ (.*)$/gm), ([, result]) => result)
    expect(results).toHaveLength(4)
    expect(await printed(example.replaceAll(/^(.*) \/\/ .*$/gm, 'console.log($1)'))).toEqual(
      results,
    )
  })
})

describe.runIf(IS_NIGHT && CHROMIUM_RUNS_HERE)('in Chromium', () => {
  it('a player registers, logs in and flies', async () => {
    const args = [server.url, 'Lambert', PASSWORD].map((arg) => JSON.stringify(arg)).join()
    const day = await browser?.page.evaluate<PlayerDay>(
      `import('${PLAYER_DAY}').then((page) => page.playerDay(${args}))`,
    )
    expect(day).toMatchObject({ name: 'Ida of Tharsis', refusal: 'E005' })
    expect(day?.ticks).toBeGreaterThanOrEqual(2)
    expect(day?.roundTripMs).toBeGreaterThanOrEqual(0)
    const { game_time: time } = await server.order('GET', '/api/admin/status')
    expect(Math.abs((day?.gameTimeMs ?? NaN) - Date.parse(time))).toBeLessThan(60_000)
  })
})

describe.runIf(IS_NIGHT)('a server that is full', () => {
  it('is asked again until it has room', async () => {
    const open = async (name: string): Promise<GameSocket> =>
      connectSocket({ url: server.url, token: (await register(server, name)).token })
    const occupants = [await open('Brett'), await open('Bishop')]
    await Promise.all(occupants.map((socket) => socket.opened))
    const waiting = await open('Ash')
    try {
      const lost = await next(waiting, 'disconnected')
      expect(lost).toMatchObject({ error: undefined, retryMs: expect.any(Number) as number })
      occupants[0].close()
      expect((await waiting.opened).type).toBe('welcome')
    } finally {
      for (const socket of [...occupants, waiting]) socket.close()
    }
  })
})
