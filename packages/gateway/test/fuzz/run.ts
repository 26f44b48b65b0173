/** `scripts/orrery fuzz` sends a real server random input and reports its faults. */
import { createChance } from '@orrery/testkit'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'
import { fuzzFrames, fuzzTexts } from './parsers.ts'

const HELP = `Usage: scripts/orrery fuzz [--requests N | --parsed N] [--seed S] [--help]

Starts a game server on a directory of its own and sends N (100,000) requests, socket messages and
raw connections: valid, nearly valid and invalid, made from the server's own OpenAPI document.
Exits 1 when an answer is a server error or not documented, when data of another player appears,
when a player misses a tick, or when the server does not stop cleanly.

  --requests  how many in all
  --parsed    no server: so many mutated binary frames into the client's reader, and as many
              messages into the server's parser
  --seed      repeats the input of a run with this seed
`

/** For new players of the second half, of 100,000 requests. */
const GROWTH_MIB_MAX = 64

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    parsed: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}
const count = Number(values.parsed ?? values.requests)
const seed = Number(values.seed)
if (Number.isSafeInteger(count) && count > 0 && Number.isSafeInteger(seed)) {
  if (values.parsed === undefined) await main()
  else parse()
} else {
  console.error('--requests, --parsed and --seed must be whole numbers')
  process.exitCode = 1
}

async function main(): Promise<void> {
  console.error(`seed ${seed}`)
  const onProgress = (done: number): void => console.error(`${done} of ${count}`)
  const { outcomes, faults, held, growthMiB, seconds } = await fuzz({ count, seed, onProgress })
  for (const [route, counts] of [...outcomes].toSorted(([a], [b]) => a.localeCompare(b))) {
    const list = [...counts].toSorted(([a], [b]) => a.localeCompare(b))
    console.log(
      `${route.padEnd(50)} ${list.map(([what, times]) => `${what}: ${times}`).join('  ')}`,
    )
  }
  console.log(`\n${count} in ${seconds.toFixed(0)} s, seed ${seed}`)
  const [half] = held
  console.log(
    `holds ${half?.mib.toFixed()} MiB after half of it, and ${growthMiB.toFixed()} more at the end`,
  )
  for (const fault of faults) console.log(`FAULT ${fault}`)
  if (growthMiB > GROWTH_MIB_MAX) console.log(`FAULT memory grew by ${growthMiB.toFixed()} MiB`)
  if (faults.length > 0 || !(growthMiB <= GROWTH_MIB_MAX)) process.exitCode = 1
  else console.log('no faults')
}

function parse(): void {
  console.error(`seed ${seed}`)
  for (const [name, outcomes] of [
    ['frames', fuzzFrames(count, createChance(seed))],
    ['messages', fuzzTexts(count, createChance(seed))],
  ] as const) {
    const list = [...outcomes].map(([what, times]) => `${what}: ${times}`)
    console.log(`${name.padEnd(10)} ${list.join('  ')}`)
  }
  console.log(`${(process.memoryUsage().rss / 2 ** 20).toFixed()} MiB, no faults`)
}
