/** The server under test: one process after the other, at one address, in one data directory. */
import {
  type ServiceEnvironment,
  type ServiceProcess,
  WITHOUT_LIMITS,
  startService,
} from '@orrery/testkit'
import { randomBytes } from 'node:crypto'
import { PASSWORD } from '../crash/scenario.ts'
import { type GameDirectory, createGameDirectory } from '../trials/game-directory.ts'
import { badLines } from '../trials/server-log.ts'

export const ADMIN: { readonly username: string; readonly password: string } = {
  username: 'chief',
  password: PASSWORD,
}

/** Ships that the server, and a replay of its journal, have room for. */
export const SHIPS_MAX = '10000'

/**
 * A client that looks for a stopped server may be given its port for its own end: clients of
 * another address than the server's own are not.
 */
const HOST = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'

export class ServedGame {
  readonly directory: GameDirectory
  readonly url: string
  /** what went wrong with its processes */
  readonly faults: string[] = []
  #process: ServiceProcess
  readonly #variables: ServiceEnvironment

  private constructor(
    directory: GameDirectory,
    variables: ServiceEnvironment,
    { process, url }: { readonly process: ServiceProcess; readonly url: string },
  ) {
    this.directory = directory
    this.url = url
    this.#process = process
    this.#variables = { ...variables, PORT: new URL(url).port }
  }

  /** @param given  variables of the environment that a soak passes on */
  static async start(given: ServiceEnvironment): Promise<ServedGame> {
    const directory = await createGameDirectory()
    const variables = {
      ...given,
      ...directory.variables,
      ...WITHOUT_LIMITS,
      HOST,
      PORT: '0',
      MAX_SHIPS: SHIPS_MAX,
      JWT_SECRET_KEY: randomBytes(32).toString('hex'),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
    }
    const process = started(variables)
    try {
      return new ServedGame(directory, variables, { process, url: await process.ready })
    } catch (error) {
      await directory.remove()
      throw error
    }
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** SIGTERM, and a start. */
  async restart(): Promise<void> {
    await this.stop()
    this.#process = started(this.#variables)
    await this.#process.ready
  }

  /** SIGTERM, as an operator's. */
  async stop(): Promise<void> {
    const code = await this.#process.stop()
    if (code !== 0) this.faults.push(`the server stopped with ${code}`)
    const lines = badLines(this.#process, ['error', 'fatal'])
    this.faults.push(...lines.map((line) => `log: ${line}`))
  }

  /** Ends what still runs, and deletes the data. */
  async remove(): Promise<void> {
    if (this.#process.running()) await this.#process.kill()
    await this.directory.remove()
  }
}

function started(variables: ServiceEnvironment): ServiceProcess {
  return startService({ main: import.meta.resolve('@orrery/gateway/main'), variables })
}
