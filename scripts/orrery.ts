/**
 * `scripts/orrery NAME ARGUMENTS` runs a script of `package.json` as `npx pnpm NAME` does, within
 * this process and without asking a registry.
 */
import './install/compile-cache.mjs'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = new URL('../', import.meta.url)

/** They name files of the caller's directory; the others work in the project's. */
const STAYS = ['admin', 'module']

const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
const [name = '', ...args] = process.argv.slice(2)
// Options of Node are those of this process: the shell's line has them.
const command = (scripts[name] ?? '').replace(/^node (?:--\S+ )+/, 'node ')
const [program, file = '', ...given] = command.split(' ')
if (program === 'node') {
  if (!STAYS.includes(name)) process.chdir(fileURLToPath(ROOT))
  const path = fileURLToPath(new URL(file, ROOT))
  process.argv.splice(1, Infinity, path, ...given, ...args)
  await import(pathToFileURL(path).href)
} else {
  const isAsked = ['', 'help', '--help', '-h'].includes(name)
  if (program !== '') console.error(`Run this one as: npx pnpm ${name}`)
  else if (!isAsked) console.error(`There is no command ${name}.`)
  const names = Object.entries(scripts)
    .filter(([, each]) => each.startsWith('node '))
    .map(([one]) => one)
    .filter((one) => one !== 'postinstall')
  console.log(`Usage: scripts/orrery COMMAND [ARGUMENTS]\n\nCommands: ${names.join(', ')}`)
  process.exitCode = isAsked ? 0 : 2
}
