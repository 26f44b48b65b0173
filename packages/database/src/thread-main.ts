// The thread of an embedded database: PGlite and the socket in front of it. PostgreSQL runs
// synchronously in WebAssembly, so it must not share a thread with the game.
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openCluster } from './cluster.ts'
import { reasonOf } from './error.ts'
import { acceptCopy, markClean } from './last-good-copy.ts'
import type { ThreadOptions, ThreadReport } from './thread.ts'

const { directory, schema, isRevival, socketPath }: ThreadOptions = workerData

// One connection works at a time; the others are room for a reconnection that overtakes its past.
const CONNECTIONS_MAX = 4
const COPY_KEPT_AFTER_MS = 3000

function report(message: ThreadReport): void {
  parentPort?.postMessage(message)
}

/** Makes the copy taken at this start the last good one; that it fails only leaves the earlier. */
async function keepCopy(stopping: AbortSignal): Promise<void> {
  // Not beside the game's own start.
  await setTimeout(COPY_KEPT_AFTER_MS, undefined, { signal: stopping }).catch(() => {})
  try {
    await acceptCopy(directory)
  } catch (error) {
    report({ kind: 'log', line: `The copy of the database was not kept: ${reasonOf(error)}` })
  }
}

async function serve(): Promise<void> {
  let isServing = false
  const { database, fellBack } = await openCluster({
    directory,
    schema,
    isRevival,
    onServerLog: (line) => report({ kind: 'log', line }),
    onAbort: () => {
      // Its connections would wait for ever. Later, so that what it says on the way out is heard.
      if (isServing) setImmediate(() => process.exit(1))
    },
  })
  isServing = true
  const server = new PGLiteSocketServer({
    db: database,
    maxConnections: CONNECTIONS_MAX,
    ...(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath }),
  })
  await server.start()
  const stopping = new AbortController()
  const copying = keepCopy(stopping.signal)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await server.stop()
    await copying
    await database.close()
    markClean(directory)
  }
  parentPort?.once('message', () => {
    void stop().finally(() => process.exit(0))
  })
  const port = Number(server.getServerConn().split(':').at(-1))
  const address = socketPath === undefined ? { host: '127.0.0.1', port } : { path: socketPath }
  report({ kind: 'listening', address, fellBack })
}

serve().catch((error: unknown) => {
  report({ kind: 'failed', reason: reasonOf(error) })
})
