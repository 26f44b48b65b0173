// One law: what is secret is never logged, at no level, and no log line gives away its kind.
import { expect } from 'vitest'

/**
 * What of an output gives something secret away; it must have been written at level debug, so
 * that each request left a line, else nothing would be shown.
 *
 * @param secrets  keys, passwords, URLs with credentials, tokens: each as a client knows it
 */
export function secretsIn(output: string, secrets: ReadonlySet<string>): readonly string[] {
  expect(output).toMatch(/"level":"debug".*"path":"\/api\//)
  const kinds = output.match(/.{0,80}(?:argon2|eyJ[\w-]{8}|[Bb]earer [\w-]{8}).{0,9}/g) ?? []
  // Never the secret itself: a failure is shown.
  const found = Array.from(secrets).flatMap((secret) => {
    const at = output.indexOf(secret)
    return at < 0 ? [] : [`${secret.slice(0, 9)}… after ${output.slice(Math.max(0, at - 150), at)}`]
  })
  return [...kinds, ...found]
}
