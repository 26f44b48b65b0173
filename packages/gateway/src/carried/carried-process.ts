// The process of a carried core: it follows a world as its own release does, which may be the one
// before, and gives it away as an image. It ends with the channel to its server.
import { openDatabase } from '@orrery/database'
import { errorText, systemClock, universeImage } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { type Follower, FollowerError, causeIn, createFollower } from '@orrery/game'
import { join } from 'node:path'
import type { CarriedAnswer, CarriedBeginning, CarriedPromotion } from './carried-message.ts'

/** Time between two reports of how far it has come. */
const REPORT_MS = 100

process.once('disconnect', () => process.exit())

const ending = new AbortController()
let begun: Promise<{ readonly follower: Follower; readonly following: Promise<void> }> | undefined

process.on('message', (message: CarriedBeginning | CarriedPromotion) => {
  if (message.kind === 'begin') begun = begin(message)
  const acting = message.kind === 'begin' ? begun : promote(message)
  acting?.catch(fail)
})

function say(answer: CarriedAnswer): void {
  process.send?.(answer)
}

function fail(error: unknown): void {
  say({ kind: 'failed', message: errorText(error), lack: causeIn(error, ['ERR_MODULE']) })
}

async function begin(beginning: CarriedBeginning): Promise<NonNullable<Awaited<typeof begun>>> {
  const { databaseUrl, directory, moduleFiles, shipsMax } = beginning
  const { sql } = await openDatabase({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    directory: join(directory, 'game'),
    schema: 'game',
    readOnly: 'joined',
  })
  const log = { info: ignored, error: ignored, fatal: ignored }
  const follower = createFollower({
    sql,
    shipsMax,
    modules: await modulesOf(moduleFiles),
    createPool: undefined,
    clock: systemClock,
    logger: log,
    onOpened: (place) => say({ kind: 'opened', place }),
    onDigest: ({ systemId, index, digest, kept }) => {
      if (digest === kept) return
      const message = `${systemId} has digest ${digest} at index ${index}, its owner ${kept}.`
      fail(new FollowerError('ERR_FOLLOWER_DIGEST', message))
    },
    onAway: (reason) => say({ kind: 'away', reason }),
    onBack: () => say({ kind: 'back' }),
  })
  const reports = setInterval(() => {
    say({ kind: 'flown', position: follower.position() })
  }, REPORT_MS)
  const following = follower.follow(ending.signal).finally(() => clearInterval(reports))
  following.catch(fail)
  return { follower, following }
}

/** Without any, nothing of modules is loaded. */
async function modulesOf(files: readonly string[]): Promise<GameModules | undefined> {
  if (files.length === 0) return undefined
  const { loadModules } = await import('@orrery/module/load')
  return loadModules(files)
}

async function promote({ until, owned }: CarriedPromotion): Promise<void> {
  ending.abort()
  const { follower, following } = await begun!
  await following
  const promoted = await follower.promote(until, (systemId) => owned.includes(systemId))
  const { digests, era, events, gameClock, tick, universe } = promoted
  const { header, bytes } = universeImage(universe, gameClock, tick)
  const lattice = header.worlds[0].index
  const image = { lattice, header: JSON.parse(JSON.stringify(header)), bytes }
  say({ kind: 'promoted', universe: { era, image, digests, events } })
}

function ignored(): void {
  // What goes wrong is in its error.
}
