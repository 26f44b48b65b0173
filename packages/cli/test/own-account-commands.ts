/** What the command line does to the account of its caller. */
import { createGameClient } from '@orrery/client'
import { expect, test } from 'vitest'
import { type Ended, type Run, words } from './terminal.ts'

/** How a wrong password of one's own is refused. */
export const WRONG = { code: 1, stderr: 'orrery: E003: The password is wrong.\n' }

/** @param run  commands for a server, with arguments as a line where they succeed */
export function ownAccountCommands(
  {
    orrery,
    done,
    url,
  }: {
    readonly orrery: (args: readonly string[], changes: Partial<Run>) => Promise<Ended>
    readonly done: (args: string, input?: string) => Promise<string>
    readonly url: () => string
  },
  password: string,
): void {
  test('an own password needs the present one, and a leaked token can be ended', async () => {
    const leak = async (): Promise<() => Promise<number | null>> => {
      const { token: variable } = await createGameClient({ url: url() }).adminLogin(
        'Chief_1',
        password,
      )
      const variables = { ORRERY_TOKEN: variable }
      return async () => (await orrery(['backup', 'list'], { variables })).code
    }
    const leaked = await leak()
    await done('login Chief_1', `${password}\n`)
    const change = `admins password Chief_1`
    expect(await orrery(words(change), { input: `${password}\n` })).toMatchObject({ code: 2 })
    expect(await orrery(words(change), { input: `guessed\n${password}\n` })).toMatchObject(WRONG)
    expect(await leaked()).toBe(0)
    expect(await done(change, `${password}\n${password}\n`)).toMatch(/other sessions have ended/)
    expect([await leaked(), (await orrery(['backup', 'list'], {})).code]).toEqual([4, 0])
    const late = await leak()
    expect(await done('logout --everywhere')).toBe(`Signed out everywhere at ${url()}.`)
    expect(await late()).toBe(4)
  })
}
