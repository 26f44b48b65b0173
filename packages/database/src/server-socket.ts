import { Socket } from 'node:net'
import { codeOf } from './error.ts'
import type { HostAddress, Primary } from './primary.ts'

/** Address of a server, as postgres.js parses a URL. */
export interface ServerAddress {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** A unix socket, if it is one. */
  readonly path?: unknown
  /** How TLS is wanted; `prefer` does without it. */
  readonly ssl?: unknown
}

/** The sockets of one handle. */
export interface ServerSockets {
  /** A new, connecting one. */
  readonly open: (options: ServerAddress) => Socket | Promise<Socket>
  /** Destroys all, so that waiting queries fail. */
  cut(this: void): void
}

// After an attempt that hung this long, attempts that follow at once fail without a wait.
const HANGING_MS = 1500
const HANGING_SPEAKS_FOR_MS = 1000

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/**
 * A connection to a server whose end, unless asked for, is an error.
 *
 * postgres.js alone would try again without pause, and without an end, when something accepts its
 * connections and closes them, as a proxy in front of an absent server does.
 */
class ServerSocket extends Socket {
  // Read by postgres.js, for encryption and messages.
  readonly host: string
  readonly port: number
  readonly #opened: number = performance.now()
  readonly #onHanging: () => void

  constructor(host: string, port: number, onHanging: () => void) {
    super()
    this.host = host
    this.port = port
    this.#onHanging = onHanging
    // Otherwise the end of a long message waits for the acknowledgement of its beginning.
    this.setNoDelay()
    this.once('end', () => {
      if (!this.writableEnded) this.destroy(fault('CONNECTION_CLOSED', 'closed by the server'))
    })
  }

  // The name is Node's: what every stream's destruction goes through.
  // oxlint-disable-next-line no-underscore-dangle
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.bytesRead === 0 && performance.now() - this.#opened > HANGING_MS) this.#onHanging()
    stopReading(this)
    // Later, since an error may come before postgres.js listens or has sent its message.
    // oxlint-disable-next-line no-underscore-dangle
    setTimeout(() => super._destroy(error, callback), 1)
  }
}

/** Of a server without TLS, to a request for it. */
const NO_TLS = 0x4e

/** postgres.js would send a TLS handshake all the same, which the server cuts. */
function refuseWithoutTls(this: Socket, answer: Buffer): void {
  if (answer[0] === NO_TLS)
    this.destroy(fault('ERR_DATABASE_WITHOUT_TLS', 'the server does not offer TLS'))
}

/** Node throws an error when a destroyed socket still reads. */
export function stopReading(socket: Socket): void {
  // oxlint-disable-next-line no-underscore-dangle
  const { _handle: handle }: { _handle?: { readStop?(): unknown } | null } = Object(socket)
  handle?.readStop?.()
}

/** @param primary of several servers, to be asked for before each connection */
export function serverSockets(primary?: Primary): ServerSockets {
  const open = new Set<Socket>()
  let hangingAt = -Infinity
  const socketTo = ({ host, port }: HostAddress, ssl: unknown): ServerSocket => {
    const socket = new ServerSocket(host, port, () => {
      hangingAt = performance.now()
    })
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      primary?.forget()
    })
    if (ssl && ssl !== 'prefer') socket.once('data', refuseWithoutTls)
    return socket
  }
  return {
    open({ host, port, path, ssl }) {
      const first = { host: host[0] ?? '', port: port[0] ?? 0 }
      if (primary) {
        return primary.find().then(
          (found) => socketTo(found, ssl).connect(found.port, found.host),
          // A rejection would leave the query waiting.
          (error: unknown) => socketTo(first, ssl).destroy(fault(codeOf(error), 'no primary')),
        )
      }
      const socket = socketTo(first, ssl)
      if (performance.now() - hangingAt < HANGING_SPEAKS_FOR_MS)
        socket.destroy(fault('CONNECT_TIMEOUT', 'the server did not answer a moment ago'))
      else if (typeof path === 'string') socket.connect(path)
      else socket.connect(socket.port, socket.host)
      return socket
    },
    cut() {
      for (const socket of open)
        socket.destroy(fault('CONNECTION_CLOSED', 'the server does not answer'))
    },
  }
}
