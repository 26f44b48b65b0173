// Law: an auditor in a second process proves a running server's flight, whatever becomes of the
// server, and names the ship of a command that was changed on its way to the journal. Method: a
// real server with its embedded database under one pilot, killed and started again, then with a
// trigger that changes what is journalled; `replay --follow` is a process.
import { type AdminClient, type GameClient, connectSocket, createGameClient } from '@orrery/client'
import { openDatabase } from '@orrery/database'
import { type ServiceProcess, startService } from '@orrery/testkit'
import { prepareData } from '@orrery/testkit/prepared-data'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const MINUTES = 300_000
const PASSWORD = 'correct horse 7b'
const ADMIN = { username: 'Chief_1', password: 'admin-pass-9d1f' }

const main = import.meta.resolve('@orrery/gateway/main')
const data = mkdtempSync(join(tmpdir(), 'orrery-follow-'))
const variables = {
  PORT: '0',
  DATA_DIR: data,
  JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  MAX_SHIPS: '100',
  WORKERS: '1',
}

let server: ServiceProcess
let game: GameClient
let admin: AdminClient
let url: string

async function startServer(): Promise<void> {
  server = startService({ main, variables })
  url = await server.ready
  game = createGameClient({ url })
  const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
  admin = game.admin(token)
}

function startFollower(...args: string[]): ServiceProcess {
  const script = new URL('../replay.ts', import.meta.url).href
  return startService({ main: script, args: ['--follow', ...args], variables: { DATA_DIR: data } })
}

/** Text of a number of equal digests, one after the other. */
function equalDigests(count: number): RegExp {
  return new RegExp(`((?:^\\d+  \\S+  [0-9a-f]{32}  \\w+: equal\\n[^]*?){${count}})`, 'm')
}

describe.runIf(IS_NIGHT)('an auditor', () => {
  beforeAll(async () => {
    await prepareData(data, main)
    await startServer()
    await admin.game.changeTickRate(10)
    await admin.game.changeTimeScale(100)
  }, MINUTES)

  afterAll(() => {
    void server.kill()
    rmSync(data, { recursive: true, force: true })
  })

  test(
    'goes on over a kill, a pause, other clocks and a reset, and ends at an interrupt',
    async () => {
      const follower = startFollower()
      await follower.announced(/(following era 1 )/)
      const { token } = await game.register('Dallas', PASSWORD)
      const socket = connectSocket({ url, token })
      await socket.opened
      await socket.control({ thrust_level: 0.5, pointing: 'prograde' })
      await follower.announced(equalDigests(4))
      await admin.game.pause()
      await admin.game.changeTimeScale(50)
      await admin.game.resume()
      await follower.announced(equalDigests(8))
      socket.close()
      await server.kill()
      await follower.announced(/(the database is away: )/)
      await startServer()
      await follower.announced(/(the database is back\n)/)
      await follower.announced(equalDigests(20))
      await admin.game.reset()
      await follower.announced(/(following era 2 )/)
      process.kill(follower.pid ?? NaN, 'SIGINT')
      expect(await follower.ended).toBe(0)
      expect(follower.output().stdout).not.toContain('DIFFERS')
      expect(follower.output().stdout).toMatch(
        /behind by 0 rows, \d\.\d s; last clock \d+\.\d s ago\n$/,
      )
    },
    MINUTES,
  )

  test(
    'names the ship of a command that was changed on its way to the journal',
    async () => {
      await server.stop()
      const database = await openDatabase({ directory: join(data, 'game'), schema: 'game' })
      await database.sql.unsafe(`
        create function changed() returns trigger language plpgsql as $$ begin
          new.command := jsonb_set(new.command, '{control,thrustLevel}', '0.75');
          return new;
        end $$;
        create trigger changed before insert on journal for each row
          when (new.command #>> '{control,thrustLevel}' = '0.5') execute function changed()`)
      await database.close()
      await startServer()
      await admin.game.changeTickRate(10)
      await admin.game.changeTimeScale(100)
      const pilots = [await game.register('Kane', PASSWORD), await game.register('Ash', PASSWORD)]
      const follower = startFollower('--json')
      await follower.announced(/("equal":true)/)
      const sockets = pilots.map(({ token }) => connectSocket({ url, token }))
      await Promise.all(sockets.map((socket) => socket.opened))
      await sockets[0].control({ thrust_level: 0.25 })
      await sockets[1].control({ thrust_level: 0.5 })
      await follower.announced(/("event":"waiting")/)
      while (follower.running() && !follower.output().stdout.includes('"event":"snapshot"')) {
        await admin.snapshots.create()
      }
      expect(await follower.ended).toBe(1)
      const events = follower
        .output()
        .stdout.trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(events.at(-1)).toMatchObject({
        event: 'snapshot',
        ships_differing: 1,
        ships: [{ ship_id: pilots[1].ship_id }],
      })
      for (const socket of sockets) socket.close()
      expect(await server.stop()).toBe(0)
    },
    MINUTES,
  )
})
