// Goal: API.md lists every method. Method: the names are read from the clients themselves.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createGameClient } from '../src/index.ts'
import { GameSocket } from '../src/socket/game-socket.ts'

/** Dotted names of all functions of a tree. */
function names(tree: object): string[] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function' ? [name] : names(value as object).map((it) => `${name}.${it}`),
  )
}

it('API.md has the signature of every method', async () => {
  const list = await readFile(new URL('../API.md', import.meta.url), 'utf8')
  const heads = ['service', 'player', 'admin'].map((name) => `\\n${name}\\(token\\)\\n(.*?)`)
  const routes = new RegExp(`\`\`\`\\n(register.*?)${heads.join('')}\`\`\``, 's')
  const [, open = '', service = '', player = '', admin = ''] = routes.exec(list) ?? []
  const [, socket = ''] = /```\n(opened.*?)```/s.exec(list) ?? []
  const game = createGameClient({ url: 'http://nowhere' })
  const others = { ...game, service: {}, player: {}, admin: {} }
  const listed = (text: string): string[] =>
    [...text.matchAll(/^ *([\w.]+)\(/gm)].map(([, name]) => name).toSorted()
  expect(listed(open)).toEqual(names(others).toSorted())
  expect(listed(service)).toEqual(names(game.service('a.b.c')).toSorted())
  expect(listed(player)).toEqual(names(game.player('a.b.c')).toSorted())
  expect(listed(admin)).toEqual(names(game.admin('a.b.c')).toSorted())
  const methods = Object.entries(Object.getOwnPropertyDescriptors(GameSocket.prototype))
    .filter(([name, { value }]) => name !== 'constructor' && value !== undefined)
    .map(([name]) => name)
  expect(listed(socket)).toEqual(methods.toSorted())
})
