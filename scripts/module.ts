/** `scripts/orrery module` begins a game's own module in a folder, and tests what is there. */
import { resolve } from 'node:path'
import { commandLine } from './command/command-line.ts'
import { CommandError, run } from './command/run.ts'
import { newFolder } from './module/new-folder.ts'
import { testFolder } from './module/test-folder.ts'

const HELP = `Usage: scripts/orrery module new DIRECTORY
       scripts/orrery module test [DIRECTORY]

new    makes a folder with a module, a test of it, and what editors need to know its types
test   loads the modules of a folder as a server does, checks types, and runs the tests there

packages/module/TUTORIAL.md goes on from there.
`

const { positionals } = commandLine('module', HELP, {}, true)
const [verb, directory] = positionals
await run('module', async () => {
  if (verb === 'new' && directory !== undefined) return newFolder(resolve(directory))
  if (verb === 'test') return testFolder(resolve(directory ?? '.'))
  throw new CommandError('new DIRECTORY or test; --help says more')
})
