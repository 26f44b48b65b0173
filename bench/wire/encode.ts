/** What records cost the server, once for all its clients. */
import { Trajectories } from '@orrery/engine/testing'
import { advanceChunk } from '@orrery/sim'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { populatedUniverse } from '../populated-universe.ts'

const SHIPS = 10_000
/** More than a client sees. */
const CROWD = 1_000_000
/** Ticks of scale 100 and of scale 1, at 10 Hz [quanta]. */
const LONG_QUANTA = 640
const SHORT_QUANTA = 6
const WARM_UP = 20
const TICKS = 100

export async function encode(): Promise<Row[]> {
  return [...(await perRecord()), ...(await firstOfCrowd())]
}

/** What the first client of a very large system makes a tick wait for. */
async function firstOfCrowd(): Promise<Row[]> {
  const [world] = (await populatedUniverse(CROWD)).worlds
  const before = performance.now()
  const trajectories = new Trajectories(world, 0, false)
  trajectories.publish(false)
  const published = performance.now()
  trajectories.whereabouts(undefined)
  return rowsOf(`first client among ${CROWD} ships`, [
    ['publish', published - before, 'ms', { max: 100 }],
    ['whereabouts', performance.now() - published, 'ms', { max: 100 }],
  ])
}

async function perRecord(): Promise<Row[]> {
  const [world] = (await populatedUniverse(SHIPS)).worlds
  const trajectories = new Trajectories(world, 0)
  const publish = (quanta: number): { readonly ms: number; readonly records: number } => {
    world.index += quanta
    for (let chunk = 0; chunk < world.state.chunks; chunk++) {
      advanceChunk(world.flight, chunk, world.index)
    }
    const startMs = performance.now()
    const { steps, burns, arcs } = trajectories.publish()
    return { ms: performance.now() - startMs, records: steps.count + burns.count + arcs.count }
  }
  const round = (quanta: number): { readonly ms: number; readonly records: number } => {
    let [ms, records] = [0, 0]
    for (let tick = 0; tick < TICKS; tick++) {
      const one = publish(quanta)
      ms += one.ms
      records += one.records
    }
    return { ms, records }
  }
  for (let tick = 0; tick < WARM_UP; tick++) publish(LONG_QUANTA)
  const [long, short] = [round(LONG_QUANTA), round(SHORT_QUANTA)]
  return rowsOf(`${SHIPS} coasting ships`, [
    ['records_at_scale_100', long.records / TICKS, 'per tick'],
    ['encode', (1000 * long.ms) / long.records, 'µs per record'],
    ['publish_at_scale_1', short.ms / TICKS, 'ms per tick'],
  ])
}
