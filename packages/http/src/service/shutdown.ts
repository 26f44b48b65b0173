import type { Logger } from '../logs/logger.ts'

/** One thing to do before the process ends. */
export type ShutdownStep = () => void | Promise<void>

/** What a shutdown needs of its process. */
export interface ShutdownOptions {
  readonly logger: Logger
  /** Time for all steps together [ms]; when it is over the process ends with code 1. */
  readonly deadlineMs: number
  /** Ends the process. */
  readonly exit?: (code: number) => void
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const

/**
 * Ends a process in order: the steps run once, one after the other, as they were added; the exit
 * code is 0 when all went well, 1 when one failed (the others still run) or the deadline passed. A
 * second signal ends it at once, with 128 + the signal's number.
 */
export class Shutdown {
  readonly #logger: Logger
  readonly #deadlineMs: number
  readonly #exit: (code: number) => void
  readonly #steps: { readonly name: string; readonly step: ShutdownStep }[] = []
  #running: Promise<void> | undefined

  constructor({ logger, deadlineMs, exit = (code) => process.exit(code) }: ShutdownOptions) {
    this.#logger = logger
    this.#deadlineMs = deadlineMs
    this.#exit = exit
  }

  /** Adds a step behind those there. */
  add(name: string, step: ShutdownStep): void {
    this.#steps.push({ name, step })
  }

  /** Starts the shutdown on SIGTERM and SIGINT. */
  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (this.#running === undefined) void this.start(signal)
        else this.#exit(128 + SIGNALS[signal])
      })
    }
  }

  /** Starts the shutdown, or joins the one that runs. */
  start(reason: string): Promise<void> {
    this.#running ??= this.#run(reason)
    return this.#running
  }

  async #run(reason: string): Promise<void> {
    this.#logger.info({ reason }, 'shutting down')
    let current = ''
    let code = 0
    const timer = setTimeout(() => {
      this.#logger.error({ step: current }, 'shutdown took too long')
      this.#exit(1)
    }, this.#deadlineMs)
    for (const { name, step } of this.#steps) {
      current = name
      try {
        await step()
      } catch (error) {
        code = 1
        this.#logger.error({ err: error, step: name }, 'shutdown step failed')
      }
    }
    clearTimeout(timer)
    this.#logger.info({ code }, 'shut down')
    this.#exit(code)
  }
}
