/** A link between two servers as a process of its own: it can be cut one way, slow or lossy. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** One direction of a link. */
export interface Way {
  /** nothing passes; what was sent comes when it heals, as over TCP */
  readonly isCut?: boolean
  readonly bytesPerSecond?: number
  /** share of packets that are sent twice */
  readonly loss?: number
}

/** From those who connect to the server, and back. */
export interface Ways {
  readonly there?: Way
  readonly back?: Way
}

export interface Link {
  /** the server's URL, over the link */
  readonly url: string
  change(ways: Ways): void
  end(): void
}

/** @param to  URL of the server */
export async function startLink(to: string): Promise<Link> {
  const target = new URL(to)
  const child: ChildProcess = fork(fileURLToPath(new URL('./link-process.ts', import.meta.url)), [
    target.hostname,
    target.port,
  ])
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const [port] = (await once(child, 'message')) as [number]
  target.port = String(port)
  return {
    url: target.href,
    change: (ways) => void child.send(ways),
    end: () => {
      process.off('exit', end)
      end()
    },
  }
}
