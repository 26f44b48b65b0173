// The thread of an embedded database: PGlite and the socket in front of it. PostgreSQL runs
// synchronously in WebAssembly, so it must not share a thread with the game.
import { parentPort, workerData } from 'node:worker_threads'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openCluster } from './cluster.ts'
import { reasonOf } from './error.ts'
import type { ThreadOptions, ThreadReport } from './thread.ts'

const { directory, schema, socketPath }: ThreadOptions = workerData

// One connection works at a time; the others are room for a reconnection that overtakes its past.
const CONNECTIONS_MAX = 4

function report(message: ThreadReport): void {
  parentPort?.postMessage(message)
}

async function serve(): Promise<void> {
  const database = await openCluster({
    directory,
    schema,
    onServerLog: (line) => report({ kind: 'log', line }),
  })
  const server = new PGLiteSocketServer({
    db: database,
    maxConnections: CONNECTIONS_MAX,
    ...(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath }),
  })
  await server.start()
  parentPort?.once('message', () => {
    void server
      .stop()
      .then(() => database.close())
      .then(() => process.exit(0))
  })
  const port = Number(server.getServerConn().split(':').at(-1))
  const address = socketPath === undefined ? { host: '127.0.0.1', port } : { path: socketPath }
  report({ kind: 'listening', address })
}

serve().catch((error: unknown) => {
  report({ kind: 'failed', reason: reasonOf(error) })
})
