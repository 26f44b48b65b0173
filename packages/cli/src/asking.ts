import { createInterface } from 'node:readline/promises'
import { EXIT, Failure } from './failure.ts'

/** Questions go to stderr, so that stdout holds answers only. */
const output = process.stderr

/**
 * Asks before something that cannot be taken back.
 *
 * @param isAgreed  `--yes` was given
 * @throws {Failure} when the answer is no, or no person can be asked
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

/** A password from a hidden prompt, or the first line of stdin. @throws {Failure} */
export async function askedPassword(message: string): Promise<string> {
  const [password] = await askedPasswords([message])
  return password
}

/** Passwords from hidden prompts, or the first lines of stdin. @throws {Failure} */
export async function askedPasswords(messages: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = []
  if (process.stdin.isTTY) {
    const { password } = await import('@clack/prompts')
    for (const message of messages) answers.push(given(await password({ message, output })))
    return answers
  }
  for await (const line of createInterface({ input: process.stdin })) {
    // Editors begin files with a mark of their encoding, which is no part of a password.
    answers.push(answers.length === 0 ? line.replace(/^\u{feff}/u, '') : line)
    if (answers.length === messages.length) return answers
  }
  const missing = messages[answers.length]
  throw new Failure(EXIT.usage, `${missing} is missing: stdin holds no further line.`)
}

function given(answer: string | symbol): string {
  if (typeof answer === 'string') return answer
  throw new Failure(EXIT.declined, 'Nothing was changed.')
}
