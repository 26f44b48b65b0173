import { plain, sentence } from './text.ts'

/** What the exit codes mean; the README has the same list. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreached: 3,
  signedOut: 4,
  declined: 5,
  unwritten: 6,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Why a command ends without its effect, in one sentence. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Errors of the client without an answer of the server. */
const UNREACHED: ReadonlySet<unknown> = new Set(['network', 'timeout', 'bad_answer'])

/** An error of any kind as a failure; undefined for what only a defect can raise. */
export function asFailure(error: unknown, url: string): Failure | undefined {
  if (error instanceof Failure) return error
  const { name, code, message, status, retryAfter, ids } = Object(error)
  if (name === 'NameFault') {
    return new Failure(ids.length > 0 ? EXIT.usage : EXIT.refused, plain(message))
  }
  // The class itself is in a module that is loaded only when a request is made.
  if (name !== 'ClientError') return undefined
  if (UNREACHED.has(code)) {
    return new Failure(EXIT.unreached, sentence(`No answer from ${url}: ${plain(message)}`))
  }
  if (code === 'E005') return new Failure(EXIT.signedOut, `Not signed in at ${url}.`)
  const again = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`
  // A server that starts or is overloaded gives a time to ask again.
  const isAway = status === 503 && retryAfter !== undefined
  const text = sentence(`${code}: ${plain(message)}`) + again
  return new Failure(isAway ? EXIT.unreached : EXIT.refused, text)
}
