import { createInterface } from 'node:readline/promises'
import { EXIT, Failure } from './failure.ts'

/** Questions go to stderr, so that stdout holds answers only. */
const output = process.stderr

/**
 * Asks before something that cannot be taken back.
 *
 * @param isAgreed  `--yes` was given
 * @throws {Failure} when the answer is no, or nobody can be asked
 */
export async function confirmed(question: string, isAgreed: boolean | undefined): Promise<void> {
  if (isAgreed) return
  if (!process.stdin.isTTY) {
    throw new Failure(EXIT.declined, `${question} Without a terminal this needs --yes.`)
  }
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({ message: question, initialValue: false, output })
  if (answer !== true) throw new Failure(EXIT.declined, 'Nothing was changed.')
}

/** A text from the terminal. @throws {Failure} */
export async function askedText(message: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure(EXIT.usage, `${message} is missing.`)
  const { text } = await import('@clack/prompts')
  return given(await text({ message, output }))
}

/** A password from a hidden prompt, or the next line of stdin. @throws {Failure} */
export async function askedPassword(message: string): Promise<string> {
  if (process.stdin.isTTY) {
    const { password } = await import('@clack/prompts')
    return given(await password({ message, output }))
  }
  const lines = createInterface({ input: process.stdin })
  // Editors begin files with a mark of their encoding, which is no part of a password.
  for await (const line of lines) return line.replace(/^\u{feff}/u, '')
  throw new Failure(EXIT.usage, `${message} is missing: stdin holds no line.`)
}

function given(answer: string | symbol): string {
  if (typeof answer === 'string') return answer
  throw new Failure(EXIT.declined, 'Nothing was changed.')
}
