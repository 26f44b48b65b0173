import { Socket } from 'node:net'

/** Where a server is, as postgres.js reads it from a URL. */
export interface ServerAddress {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** A unix socket, if it is one. */
  readonly path?: unknown
}

/** The sockets of one handle. */
export interface ServerSockets {
  /** A new one, connecting; a host later in the list at each turn. */
  readonly open: (options: ServerAddress) => Socket
  /** Ends them all: the server does not answer. Queries that wait on them fail. */
  cut(this: void): void
}

// An attempt that hung for most of the time it had says enough for those that follow at once.
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
    // Else the end of a long message waits for the acknowledgement of its beginning.
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
    // Later, since an error may come before postgres.js listens, or has sent what it is about to.
    // oxlint-disable-next-line no-underscore-dangle
    setTimeout(() => super._destroy(error, callback), 1)
  }
}

/** What a socket that is destroyed still reads, Node takes for an error of its own and throws. */
export function stopReading(socket: Socket): void {
  // oxlint-disable-next-line no-underscore-dangle
  const { _handle: handle }: { _handle?: { readStop?(): unknown } | null } = Object(socket)
  handle?.readStop?.()
}

export function serverSockets(): ServerSockets {
  const open = new Set<Socket>()
  let turn = 0
  let hangingAt = -Infinity
  return {
    open({ host, port, path }) {
      const choice = turn % host.length
      turn += 1
      const socket = new ServerSocket(host[choice] ?? '', port[choice] ?? 0, () => {
        hangingAt = performance.now()
      })
      open.add(socket)
      socket.once('close', () => open.delete(socket))
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
