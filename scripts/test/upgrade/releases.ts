// A release with another core, made of the present sources: its server as a bundle.
import { bundleService } from '../../install/bundle.ts'
import { PHYSICS } from '@orrery/sim'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the next core does otherwise: its number, and how long a step may be. */
const CHANGES: readonly (readonly [file: string, before: string, after: string])[] = [
  ['sim/src/physics.ts', `PHYSICS = ${PHYSICS}`, `PHYSICS = ${PHYSICS + 1}`],
  ['sim/src/ships/step-rule.ts', 'DYNAMICAL_FRACTION = 0.05', 'DYNAMICAL_FRACTION = 0.02'],
]

/** Makes the server of a next release in a directory; returns the URL of its module. */
export async function nextRelease(directory: string): Promise<string> {
  const bundle = join(directory, 'next')
  await bundleService('server', bundle, [
    {
      name: 'next-core',
      transform(code, id) {
        const change = CHANGES.find(([file]) => id.endsWith(file))
        if (!change) return null
        const [file, before, after] = change
        if (!code.includes(before)) throw new Error(`${file} has no ${before}`)
        return code.replace(before, after)
      },
    },
  ])
  const main = join(directory, 'next.mjs')
  writeFileSync(main, "await (await import('./next/program.mjs')).serve()\n")
  return pathToFileURL(main).href
}
