import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@orrery/database/embedded'
import { endInOrder, endingWithParent } from './service-process.ts'

/** From here on one stopped subscriber does not stall those that publish. */
const VERSION_MIN = [2, 10, 26]

/** A NATS server at a URL. */
export interface NatsServer {
  /** with its user and password */
  readonly url: string
  readonly port: number
  kill(): Promise<void>
  /** at the same URL, after it was killed */
  restart(): Promise<void>
  /** Stops it where it is, as a machine that hangs does. */
  freeze(): void
  thaw(): void
  /** what it has written since its last start */
  log(): string
  /** ends it and removes its data */
  stop(): Promise<void>
}

/**
 * The program of a new enough server: `NATS_SERVER`, else that of `PATH`. Tests that need one are
 * skipped where it is undefined.
 */
export const NATS_SERVER: string | undefined = [process.env['NATS_SERVER'], 'nats-server']
  .map((program) => program ?? '')
  .find(isNewEnough)

function isNewEnough(program: string): boolean {
  if (program === '') return false
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const version = /v(\d+)\.(\d+)\.(\d+)/
    .exec(stdout ?? '')
    ?.slice(1)
    .map(Number)
  if (!version) return false
  const differing = version.findIndex((number, place) => number !== VERSION_MIN[place])
  return differing < 0 || version[differing] > VERSION_MIN[differing]
}

/**
 * Starts a server on a port of 127.0.0.1 that ends with this process.
 *
 * @param settings  further lines of its file, which replace those before
 */
export async function startNatsServer(settings: readonly string[] = []): Promise<NatsServer> {
  endInOrder()
  const directory = await mkdtemp(join(tmpdir(), 'orrery-nats-'))
  const end = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', end)
  const port = await freePort()
  const file = join(directory, 'nats.conf')
  const lines = [
    `listen: 127.0.0.1:${port}`,
    'authorization { user: orrery, password: "a secret: /@" }',
    'no_fast_producer_stall: true',
    'max_pending: 64MB',
    'write_deadline: "2s"',
    ...settings,
  ]
  await writeFile(file, lines.join('\n'))
  const start = async (): Promise<Running> => started([NATS_SERVER ?? 'nats-server', '-c', file])
  let server = await start()
  const kill = async (): Promise<void> => {
    server.signal('SIGKILL')
    await server.ended
  }
  return {
    url: `nats://orrery:${encodeURIComponent('a secret: /@')}@127.0.0.1:${port}`,
    port,
    kill,
    restart: async () => {
      server = await start()
    },
    freeze: () => server.signal('SIGSTOP'),
    thaw: () => server.signal('SIGCONT'),
    log: () => server.log(),
    stop: async () => {
      await kill()
      process.off('exit', end)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface Running {
  signal(name: NodeJS.Signals): void
  log(): string
  readonly ended: Promise<unknown>
}

/** Resolves when the server takes connections. */
async function started(command: readonly string[]): Promise<Running> {
  const [program = '', ...words] = endingWithParent(command)
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(child, 'close').then(() => process.off('exit', end))
  let log = ''
  const ready = Promise.withResolvers<void>()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
    if (log.includes('Server is ready')) ready.resolve()
  })
  void ended.then(() => ready.reject(new Error(`The NATS server has ended: ${log}`)))
  await ready.promise
  return { signal: (name) => void child.kill(name), log: () => log, ended }
}
