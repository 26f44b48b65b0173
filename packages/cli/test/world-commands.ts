/** What is placed in the world, by its commands. */
import { pastSkyResponse } from '@orrery/protocol'
import { exactAnswer } from '@orrery/testkit/exact-answer'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Ended, UUID, words } from './terminal.ts'

/** @param run  commands for a server, with arguments as a line where they succeed */
export function worldCommands({
  orrery,
  done,
}: {
  readonly orrery: (args: readonly string[]) => Promise<Ended>
  readonly done: (args: string) => Promise<string>
}): void {
  test('stations and gates are placed in each way, and removed', async () => {
    const station = await done('stations create "Luna Dock" Moon --altitude 200000')
    await done('stations create "Far Dock" Sun --secondary Earth --point 2')
    expect(await done('stations list')).toMatch(/^Luna Dock .* Moon$/m)
    const [id] = UUID.exec(station) ?? []
    const twin = await done('stations create "luna dock" Moon --altitude 300000')
    const several = await orrery(words('stations delete "Luna Dock" --yes'))
    expect(several).toMatchObject({ code: 2, stdout: '' })
    expect(several.stderr).toBe(
      `orrery: More than one station is named "Luna Dock": give an id, ${id},` +
        ` ${UUID.exec(twin)?.[0]}.\n`,
    )
    const asked = await orrery(['stations', 'delete', id ?? ''])
    expect(asked.stderr).toContain(`Remove the station "Luna Dock" (${id}) at Moon? Ships`)
    expect(await done(`stations delete ${id} --yes`)).toBe('The station Luna Dock is removed.')
    expect(await done('stations delete "LUNA DOCK" --yes')).toContain('luna dock is removed')
    const gate = await done('gates create "Mars Gate" Sun Mars --point 5')
    expect(await done('gates list')).toContain('Mars Gate')
    const removal = await orrery(words('gates delete "Mars Gate"'))
    expect(removal.stderr).toContain(
      `Remove the jump gate "Mars Gate" (${UUID.exec(gate)?.[0]}) at Sun?`,
    )
    expect(await done('gates delete "Mars Gate" --yes')).toMatch(/Mars Gate is removed/)
    expect(await done('systems')).toMatch(/^alpha-centauri /m)
  })

  test('a module that there is not neither stops nor starts', async () => {
    for (const verb of ['stop', 'start']) {
      const { code, stderr } = await orrery(['modules', verb, 'smelting', 'Sol'])
      expect([code, stderr]).toEqual([1, 'orrery: E002: There is no module smelting.\n'])
    }
  })

  test('a past moment that is not kept, or not past, is a sentence', async () => {
    const before = await orrery(['past', '2000-01-01'])
    expect(before).toMatchObject({ code: 1, stdout: '' })
    expect(before.stderr).toMatch(NOT_KEPT)
    const future = await orrery(['past', '2090-01-01'])
    expect(future.stderr).toMatch(/^orrery: E003: 2090-01-01T\S+Z is not past: sol is known up to/)
    expect(await orrery(['past', 'yesterday'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('a past moment is flown again', async () => {
    const [, begun] = NOT_KEPT.exec((await orrery(['past', '2000-01-01'])).stderr) ?? []
    const system = byTier({ gate: 'trappist-1', night: 'sol' })
    const answer = JSON.parse(await done(`past ${begun} --system ${system} --json`))
    await exactAnswer(pastSkyResponse, answer)
    if (!IS_NIGHT) return
    const text = await done(`past ${begun} --system trappist-1`)
    expect(text).toMatch(
      /^The past at 20.*Z: there is no digest to compare on the way\.\nThere were no/,
    )
  })
}

/** Names since when it is kept. */
const NOT_KEPT = /^orrery: E003: .* (20\S+Z)[,:] .*\.\n$/
