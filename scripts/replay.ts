/** `scripts/orrery replay` flies a stored span of the world's life again, and compares the bits. */
import {
  type PortableRecord,
  type SystemDigest,
  allShips,
  packJournal,
  parseKeptCommand,
  takeNamesOut,
  unpackJournal,
  universeImage,
  openedInside,
} from '@orrery/engine/testing'
import { openStored } from '@orrery/game'
import { readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { commandLine } from './command/command-line.ts'
import { environmentConfig, environmentModules, openGameDatabase } from './command/game-database.ts'
import { CommandError, run } from './command/run.ts'
import { type Report, closingLines, createComparison, utcText } from './replay/comparison.ts'
import { fly } from './replay/flight.ts'
import { follow } from './replay/following.ts'
import { type FlightRecord, storedDigests, storedRecords, upTo } from './replay/records.ts'
import { type Span, beginningOf, momentOf, openSpan, passedOver } from './replay/span.ts'
import { storedUniverse } from './replay/stored-universe.ts'

const HELP = `Usage: scripts/orrery replay [--era N] [--from WHERE] [--to WHERE] [--verify] [--json]
       scripts/orrery replay --export FILE [--era N] [--from WHERE] [--to WHERE]
       scripts/orrery replay --import FILE [--verify] [--json]
       scripts/orrery replay --follow [--json]

Replays a stored world under its stored commands, on all cores, and prints the digest of each 64 s
of game time with the one that the server stored.

  --era N        the era to replay; by default the newest
  --from WHERE   begin with the newest usable snapshot at or before a lattice index or a UTC time
                 (2026-11-21T18:50:00Z), or with snapshot:ID; by default the era's first
  --to WHERE     end at a lattice index or a UTC time; by default where the journal ends
  --verify       compare also each stored snapshot on the way, ship by ship and column by column
  --export FILE  write snapshot, commands and digests to a new file, without a replay. It contains
                 no names of players: ships are called Ship 1, Ship 2, ..., and keep their ids
  --import FILE  replay such a file, on any machine, without a database
  --follow       open the newest snapshot and fly on as a running server writes its journal, until
                 an interrupt; compare each digest. After one that differs it waits for the next
                 snapshot and names the ships. Reports every 10 s how far it is behind
  --json         print one JSON object and nothing else; with --follow, one per line

The server keeps JOURNAL_HOURS of the journal, by default 24: what is older cannot be replayed, nor
can eras that ended before. An era begins with the oldest snapshot that has all of the journal after
it; older snapshots can be restored.

The database is the server's: DATA_DIR or DATABASE_URL, from the environment or .env. It is only
read, and the server may run. MAX_SHIPS has the same meaning as for the server.

Exits 0 on success, 1 when --verify, --import or --follow found a difference, 2 on failure.
`

const { values } = commandLine('replay', HELP, {
  era: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  verify: { type: 'boolean', default: false },
  export: { type: 'string' },
  import: { type: 'string' },
  follow: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
})

type Options = typeof values

await run('replay', async () => {
  const { import: source, export: destination, era, from, to } = values
  if (values.follow) return followed()
  if (source !== undefined) {
    if ([destination, era, from, to].some((other) => other !== undefined)) {
      throw new CommandError('--import flies the whole file; only --verify and --json go with it.')
    }
    return conclusion(await importedReport(source), { ...values, verify: true })
  }
  if (destination !== undefined && (values.verify || values.json)) {
    throw new CommandError('--export flies nothing; --verify and --json do not go with it.')
  }
  return fromDatabase()
})

async function followed(): Promise<number> {
  const { json: isJson, follow: _follow, ...others } = values
  if (Object.values(others).some((other) => other !== undefined && other !== false)) {
    throw new CommandError('--follow begins with the newest snapshot; only --json goes with it.')
  }
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort())
  const config = environmentConfig()
  const { shipsMax } = config
  const modules = await environmentModules(config)
  const database = await openGameDatabase(config, { readOnly: 'joined' })
  const { sql } = database
  try {
    return await follow({ sql, shipsMax, modules, isJson, signal: ending.signal })
  } finally {
    await database.close()
  }
}

async function fromDatabase(): Promise<number> {
  const config = environmentConfig()
  const modules = await environmentModules(config)
  const asked = {
    era: values.era === undefined ? undefined : wholeNumber('era', values.era),
    from: values.from === undefined ? undefined : beginningOf(values.from),
    to: values.to === undefined ? undefined : momentOf('to', values.to),
    shipsMax: config.shipsMax,
    modules,
  }
  const database = await openGameDatabase(config, { readOnly: true })
  try {
    const { sql } = database
    const [{ exists }] = await sql<[{ exists: boolean }]>`
      select to_regclass('journal') is not null as exists`
    if (!exists) throw new CommandError('This database has no journal: no server of today used it.')
    const span = await openSpan(sql, asked, passedOver('replay'))
    const records = (systemId: string): AsyncIterable<FlightRecord> =>
      upTo(storedRecords(sql, span.start, systemId), asked.to)
    const stored = await storedDigests(sql, span.era, span.opened.universe)
    if (values.export !== undefined) return await exported(span, records, stored, values.export)
    const comparison = createComparison(
      { era: span.era, universe: span.opened.universe },
      stored,
      printUnless(values.json),
    )
    const flight = await fly({
      opened: span.opened,
      records,
      stops: values.verify ? span.stops : [],
      onDigest: comparison.digest,
      onStop: async (stop, universe) => {
        const found = await storedUniverse(sql, stop, modules)
        if (found !== undefined) comparison.snapshot(stop, universe, found)
      },
    })
    return conclusion(comparison.report(flight), values)
  } finally {
    await database.close()
  }
}

async function importedReport(file: string): Promise<Report> {
  const { era, image, records } = await unpackJournal(await readFile(file))
  const all = [...records]
  const digests = all.filter((record) => record.kind === 'digest')
  const flown = all.filter((record) => record.kind !== 'digest')
  const { header, bytes } = image
  const config = environmentConfig()
  const { shipsMax } = config
  const modules = await environmentModules(config)
  const stored = {
    lattice: header.worlds[0].index,
    header: JSON.parse(JSON.stringify(header)),
    bytes,
  }
  const opened = openedInside(await openStored(stored, { shipsMax, modules }))
  const { universe } = opened
  const comparison = createComparison({ era, universe }, digests, printUnless(values.json))
  return comparison.report(
    await fly({
      opened,
      records: (systemId) => Readable.from(flown.filter((record) => record.systemId === systemId)),
      stops: [],
      onDigest: comparison.digest,
      onStop: () => Promise.resolve(),
    }),
  )
}

/** Writes a span without names; returns the exit code. */
async function exported(
  { era, opened }: Span,
  records: (systemId: string) => AsyncIterable<FlightRecord>,
  stored: readonly SystemDigest[],
  file: string,
): Promise<number> {
  const { universe, gameClock, tick } = opened
  const { worlds } = universe
  const [{ index: begin }] = worlds
  const nameless = new Map(worlds.map((world) => [world.state.system.id, takeNamesOut(world)]))
  const image = universeImage(universe, gameClock, tick)
  const kept: PortableRecord[] = []
  let end = begin
  for (const [systemId, takeName] of nameless) {
    for await (const record of records(systemId)) {
      if (record.kind === 'clock') end = Math.max(end, record.index)
      kept.push(
        record.kind === 'command'
          ? { ...record, systemId, command: takeName(parseKeptCommand(record.command)) }
          : { ...record, systemId },
      )
    }
  }
  const commands = kept.filter(({ kind }) => kind === 'command').length
  const since = Math.max(...worlds.map((world) => world.since))
  for (const digest of stored) {
    if (digest.index > since && digest.index <= end) kept.push({ kind: 'digest', ...digest })
  }
  const packed = await packJournal({ era, image, records: kept })
  await writeFile(file, packed, { flag: 'wx' })
  process.stdout.write(
    `${file}: ${utcText(begin)} to ${utcText(end)}, ${[...allShips(universe)].length} ships at` +
      ` the beginning, ${commands} commands, ${packed.length} bytes\n`,
  )
  return 0
}

/** Prints what came of a flight; returns the exit code. */
function conclusion(report: Report, { json, verify }: Options): number {
  const text = json ? JSON.stringify(report, undefined, 2) : closingLines(report).join('\n')
  process.stdout.write(`${text}\n`)
  return verify && report.differences > 0 ? 1 : 0
}

function printUnless(json: boolean | undefined): (line: string) => void {
  return json ? () => undefined : (line) => process.stdout.write(`${line}\n`)
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new CommandError(`--${name} is ${JSON.stringify(text)}; a whole number is expected.`)
}
