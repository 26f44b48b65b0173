// Law: a program's token is shown once, and ends when an operator revokes it.
import { expect, test } from 'vitest'
import type { ConsoleDesk } from './console-desk.ts'

export function tokenTests(desk: () => ConsoleDesk): void {
  test('a program has a token, which is shown once, until it is revoked', async () => {
    await desk().perform('%', { 'Name of the program': 'leaderboard', Scope: 'maneuvers' })
    await desk().outcome(/^The token is \S+, good until .* It is not shown again\./)
    await desk().choose('~')
    const listed = await desk().outcome(/^Service tokens: leaderboard \(maneuvers\) until /)
    const [id = ''] = /[0-9a-f-]{36}/.exec(listed) ?? []
    expect(id).not.toBe('')
    await desk().choose('*')
    await desk().fillIn({ 'Id of the token': id })
    await desk().page.getByRole('button', { name: 'Show what it does' }).click()
    await desk().warned(/^The program is refused/)
    await desk().confirm()
    await desk().outcome(/^The service token \S+ is revoked\./)
  })
}
