/** `scripts/orrery carry-core` makes the core of this release, to be carried by the next one. */
import { CARRIED_DIRECTORY } from '@orrery/gateway/carried-file'
import { PHYSICS } from '@orrery/sim'
import { resolve } from 'node:path'
import { commandLine } from './command/command-line.ts'
import { carryCore } from './install/carried-core.ts'

const HELP = `Usage: scripts/orrery carry-core [DIRECTORY]

Makes the core of this release, a program of 4 MB that follows a world as this release does, in the
directory, by default packages/gateway/carried-core. To be run before PHYSICS is raised: a release
with another physics goes on with what this one has journalled only by its core.
`

const { positionals } = commandLine('carry-core', HELP, {}, true)
const directory = resolve(positionals[0] ?? CARRIED_DIRECTORY)
await carryCore(directory)
console.log(`The core of physics ${PHYSICS} is in ${directory}`)
