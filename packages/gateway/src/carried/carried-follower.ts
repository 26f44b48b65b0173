import { EngineError } from '@orrery/engine'
import {
  type CarriedCore,
  type Follower,
  FollowerError,
  type FollowerPosition,
  type GameConfig,
  type PromotedUniverse,
  SYSTEM_IDS,
  openStored,
} from '@orrery/game'
import { type ChildProcess, fork } from 'node:child_process'
import type {
  CarriedAnswer,
  CarriedBeginning,
  CarriedPromotion,
  CarriedUniverse,
} from './carried-message.ts'

/** Output that explains how a process ended. */
const STDERR_MAX = 2000

export type CarriedFollowerOptions = Parameters<CarriedCore['follower']>[0] & {
  /** file that the process runs */
  readonly program: string
  readonly beginning: CarriedBeginning
  /** of what is opened */
  readonly room: Pick<GameConfig, 'shipsMax' | 'modules'>
}

/** A process of the release before, which follows a world of its physics. */
export class CarriedFollower implements Follower {
  readonly #options: CarriedFollowerOptions
  readonly #failed = Promise.withResolvers<never>()
  readonly #promoted = Promise.withResolvers<CarriedUniverse>()
  #child: ChildProcess | undefined
  #position: FollowerPosition | undefined

  constructor(options: CarriedFollowerOptions) {
    this.#options = options
    // Who follows or promotes gets the reason.
    this.#failed.promise.catch(() => undefined)
  }

  async follow(signal: AbortSignal): Promise<void> {
    this.#begin()
    const ended = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => ended.resolve())
    if (!signal.aborted) await Promise.race([ended.promise, this.#failed.promise])
  }

  position(): FollowerPosition | undefined {
    return this.#position
  }

  async promote(
    ...[until = 'durable', isOwned = () => true]: Parameters<Follower['promote']>
  ): Promise<PromotedUniverse> {
    const child = this.#begin()
    const owned = SYSTEM_IDS.filter(isOwned)
    const asked = until === 'given' ? 'now' : until
    child.send({ kind: 'promote', until: asked, owned } satisfies CarriedPromotion, ignored)
    const promoted = await Promise.race([this.#promoted.promise, this.#failed.promise])
    child.kill('SIGKILL')
    const { createPool, room } = this.#options
    const { image, ...more } = promoted
    const opened = await openStored(image, room)
    return { ...opened, ...more, pool: createPool(opened.universe) }
  }

  close(): Promise<void> {
    this.#child?.kill('SIGKILL')
    return Promise.resolve()
  }

  /** Starts the process, once. */
  #begin(): ChildProcess {
    if (this.#child) return this.#child
    const { beginning, program } = this.#options
    const { NODE_COMPILE_CACHE } = process.env
    const child = fork(program, {
      env: { NODE_COMPILE_CACHE },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_MAX)
    })
    child.on('message', (answer: CarriedAnswer) => this.#hear(answer))
    child.once('error', (error) => this.#fail(error.message))
    child.once('close', () => {
      const last = stderr.trim().split('\n').at(-1)
      this.#fail(`The core of the release before has ended: ${last}`)
    })
    child.send(beginning, ignored)
    this.#child = child
    return child
  }

  #hear(answer: CarriedAnswer): void {
    const { onAway, onBack, onOpened } = this.#options
    if (answer.kind === 'opened') onOpened(answer.place)
    else if (answer.kind === 'flown') this.#position = answer.position
    else if (answer.kind === 'away') onAway(answer.reason)
    else if (answer.kind === 'back') onBack()
    else if (answer.kind === 'promoted') this.#promoted.resolve(answer.universe)
    else this.#fail(answer.message, answer.lack)
  }

  #fail(message: string, lack?: string): void {
    this.#position = undefined
    const cause = lack === undefined ? undefined : new EngineError('ERR_MODULE', lack)
    this.#failed.reject(new FollowerError('ERR_FOLLOWER_CORE', message, { cause }))
  }
}

/** A process that has ended is noticed by its end. */
function ignored(): void {
  // Nothing is left to do.
}
