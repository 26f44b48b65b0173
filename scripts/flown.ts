/**
 * `scripts/orrery flown` compares ships that the client flies in headless Chromium with those of
 * the world, by the checks that a server sends.
 */
import { progress } from '@orrery/testkit/progress'
import { run } from './command/run.ts'
import { commandLine } from './command/command-line.ts'
import { openFlyingPage } from './flown/chromium.ts'
import { flownWorld } from './flown/world.ts'

const HELP = `Usage: scripts/orrery flown [--ships 1000] [--hours 24]

Flies ships of the solar system under scripted orders: in Node, together, by the kernels in
WebAssembly, and each by itself in headless Chromium, by the bundled client from its seed. Checks
are compared each 64 s. A thousand ships take about ten minutes for a day.

  --ships N   ships (1000)
  --hours H   game time (24)

Exits 0 when no check differs, 1 when one does, 2 on failure.
`

const { values } = commandLine('flown', HELP, {
  ships: { type: 'string', default: '1000' },
  hours: { type: 'string', default: '24' },
})

async function main(): Promise<number> {
  const [ships, hours] = [Number(values.ships), Number(values.hours)]
  progress.start('flown')
  const beginMs = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - beginMs) / 1000)} s`
  const world = await flownWorld(ships, 3600 * hours)
  const page = await openFlyingPage(world.place)
  try {
    const verdicts = await page.fly(world.ships, (count) => {
      progress.at('ships flown in Chromium', count, ships)
    })
    const { matched, differs, early, late } = verdicts
    const orders = world.ships.reduce((sum, ship) => sum + ship.orders.length, 0)
    process.stdout.write(
      `${ships} ships, ${hours} h, ${orders} orders: ${matched} checks equal, ${differs} differ, ` +
        `${early + late} not compared; Chromium ${page.version}, Node ${process.version}, ` +
        `${seconds()}\n`,
    )
    return differs + early + late === 0 ? 0 : 1
  } finally {
    await page.close()
    progress.end()
  }
}

await run('flown', main)
