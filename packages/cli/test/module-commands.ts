// What modules cost is shown by star system, and what an operator stops there goes on when it is
// started.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Ended, registered, words } from './terminal.ts'

/** The module of the server. */
export const MINING: string = fileURLToPath(new URL('../../module/src/mining.ts', import.meta.url))

/** @param run  commands for a server, with arguments as a line where they succeed */
export function moduleCommands({
  orrery,
  done,
  url,
}: {
  readonly orrery: (args: readonly string[]) => Promise<Ended>
  readonly done: (args: string) => Promise<string>
  readonly url: () => string
}): void {
  /** The line of the module in Sol. */
  async function line(): Promise<string> {
    const [found] = /^mining .* sol .*$/m.exec(await done('modules')) ?? []
    return found ?? ''
  }

  test('a module is stopped in a star system, and started', async () => {
    expect(await line()).toMatch(/^mining +5 +sol +[\d.]+ KiB .* ms +0 +asteroid 36\/64 +-$/)
    expect(await done('modules stop mining Sol --reason "It is repaired."')).toBe(
      'mining has stopped in sol.',
    )
    expect(await line()).toMatch(/ \d{4}-\d\d-\d\dT\S+Z: It is repaired\.$/)
    const again = await orrery(words('modules stop mining sol'))
    expect(again).toMatchObject({
      code: 1,
      stderr: 'orrery: E003: Module mining has stopped in Sol already.\n',
    })
    expect(await done('modules start mining Sol')).toBe('mining runs in sol.')
    expect(await line()).toMatch(/-$/)
  })

  test('what modules keep of a ship is shown by column', async () => {
    await registered(url(), 'Digger_1', 'digger-pass-9d1f')
    const shown = await done('modules ship Digger_1')
    expect(shown.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^mining +ore +0$/),
      expect.stringMatching(/^mining +drill +-$/),
      expect.stringMatching(/^mining +full +false$/),
      expect.stringMatching(/^mining +tank +0$/),
      expect.stringMatching(/^mining +credits +0$/),
    ])
  })

  test('an operator gives a ship a command of a module', async () => {
    await registered(url(), 'Digger_2', 'digger-pass-9d1f')
    expect(await done('modules command Digger_2 mining stop')).toMatch(/^mining +drill +-$/m)
    const far = await orrery(words(`modules command Digger_2 mining drill '{"asteroid":1}'`))
    expect([far.code, far.stderr]).toEqual([1, expect.stringContaining('mining drill: too_far')])
    const wrong = await orrery(words("modules command Digger_2 mining drill '{'"))
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('{ is no JSON object.')])
  })
}
