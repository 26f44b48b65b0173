// Law: each command of `scripts/orrery` prints its help and ends with 0, and does nothing else.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runHere } from './command-here.ts'

const ROOT = new URL('../../', import.meta.url)
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('package.json', ROOT), 'utf8'),
)
const COMMANDS = Object.entries(scripts).filter(
  ([name, line]) => line.startsWith('node ') && name !== 'postinstall',
)

test.each(COMMANDS)('%s', async (_, line) => {
  const [file = '', ...given] = line.split(' ').filter((word) => !/^node$|^--(?=\S+=)/.test(word))
  const surroundings = { directory: tmpdir(), env: {} }
  const help = await runHere(new URL(file, ROOT), [...given, '--help'], surroundings)
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toMatch(/^(?:Usage: \S|Serves )/)
})
