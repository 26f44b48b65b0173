// The process of a past moment that is flown again: it reads the database, and nothing else of the
// running game. It ends with the channel to its server.
import { openDatabase } from '@orrery/database'
import { type Mirror, createMirror, errorText, systemClock } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { type FlownPast, type PastReading, Refusal, createFlownPast, refusal } from '@orrery/game'
import type { PastSkyResponse } from '@orrery/protocol'
import { join } from 'node:path'
import { constants, setPriority } from 'node:os'
import { bodiesResponse } from '../views/system-views.ts'
import { shipState, stationEntry, timestamp } from '../views/wire-views.ts'
import {
  type PastAnswer,
  type PastBeginning,
  type PastQuestion,
  memoryText,
} from './past-message.ts'

interface Flight {
  readonly past: FlownPast
  readonly mirror: Mirror
}

process.once('disconnect', () => process.exit())
setPriority(constants.priority.PRIORITY_LOW)

let begun: Promise<Flight> | undefined
/** one question after the other */
let queue: Promise<unknown> = Promise.resolve()

process.on('message', (message: PastBeginning | PastQuestion) => {
  if (message.kind === 'begin') {
    begun = begin(message)
    // Who looks gets the reason.
    begun.catch(() => undefined)
  } else queue = queue.then(() => answer(message)).then(say)
})

function say(message: PastAnswer): void {
  process.send?.(message)
}

async function begin(beginning: PastBeginning): Promise<Flight> {
  const { bytesMax, databaseUrl, directory, moduleFiles, shipsMax, systemId } = beginning
  const modules = await modulesOf(moduleFiles)
  const { sql } = await openDatabase({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    directory: join(directory, 'game'),
    schema: 'game',
    readOnly: 'joined',
  })
  const mirror = createMirror({
    clock: systemClock,
    shipsMax,
    settings: () => ({ adaptiveTickRate: false, timeSyncEnabled: false, goalMs: undefined }),
    commands: { execute: noCommand, control: noCommand },
    onPublish: () => undefined,
    onCommand: () => undefined,
    onOrdered: () => undefined,
    onEvent: () => undefined,
    onReplaced: () => undefined,
  })
  // A moment needs no ephemeris of later days.
  mirror.stop()
  const onStride = (reading: PastReading): void => {
    if (process.memoryUsage.rss() > bytesMax) {
      throw refusal('E003', memoryText(beginning), 409)
    }
    say({ kind: 'stride', reading })
  }
  return { past: createFlownPast({ sql, systemId, shipsMax, modules, mirror, onStride }), mirror }
}

/** Without any, nothing of modules is loaded. */
async function modulesOf(files: readonly string[]): Promise<GameModules | undefined> {
  if (files.length === 0) return undefined
  const { loadModules } = await import('@orrery/module/load')
  return loadModules(files)
}

async function answer({ id, index, shipId }: PastQuestion): Promise<PastAnswer> {
  try {
    const { mirror, past } = await begun!
    const reading = await past.flyTo(index)
    const sky = Buffer.from(JSON.stringify(skyOf(mirror, reading, shipId)))
    return { kind: 'seen', id, reading, sky }
  } catch (error) {
    const known = error instanceof Refusal ? error : refusal('E003', errorText(error), 409)
    const { code, message, status } = known
    return { kind: 'refused', id, code, message, status }
  }
}

/** @throws {Refusal} 409 E003 where the ship of who looks was not in the star system */
function skyOf(
  mirror: Mirror,
  { compared, equal, index }: PastReading,
  shipId: string | undefined,
): PastSkyResponse {
  const [fleet] = mirror.sky().fleets.values()
  if (shipId !== undefined && fleet.indexOf(shipId) < 0) {
    throw refusal('E003', 'Your ship was not in this star system then', 409)
  }
  return {
    game_time: timestamp(index),
    digests: { compared, equal },
    bodies: [...bodiesResponse(mirror.bodies(fleet.systemId)).bodies],
    stations: mirror.stations().map(stationEntry),
    ships: fleet.ships.map((_, place) => shipState(fleet.view(place))),
  }
}

function noCommand(): Promise<never> {
  return Promise.reject(new Error('The past takes no command'))
}
