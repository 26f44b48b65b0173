import {
  type FrameReader,
  type ReadFrame,
  type SystemMessage,
  createFrameReader,
  shipClassOf,
} from '@orrery/protocol'
import type { GameSocket } from '../socket/game-socket.ts'
import type { FlightClock } from '../clocks/flight-clock.ts'
import { takeFrame } from './frame-intake.ts'
import type { Scene } from '../scene/scene.ts'

/** Of a longer sleep the bodies are not made up for, but asked for: six days of game time. */
const LAG_NODES_MAX = 2048

/** What binary frames of a socket are written to. */
export interface FrameFeed {
  readonly socket: GameSocket
  readonly scene: Scene
  readonly clock: FlightClock
  /** called with each frame, once the scene has it */
  readonly onFrame?: (frame: ReadFrame) => void
  /** called when the star system is another, or the same in another era */
  readonly onSystem?: (message: SystemMessage) => void
  /** called with what could not be read, before all is asked for again */
  readonly onFault?: (error: unknown) => void
}

/** Writes all that a binary socket sends; returns how to stop. */
export function followFrames(feed: FrameFeed): () => void {
  const { socket, scene, clock, onFrame, onSystem, onFault } = feed
  let reader: FrameReader | undefined
  let system: SystemMessage | undefined
  const empty = (): void => {
    scene.clear()
    scene.announce()
  }
  /** What cannot be read leads to another connection, which is sent all again. */
  const startAgain = (): void => {
    empty()
    socket.reconnect({ resume: false })
  }
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      onFault?.(error)
      startAgain()
    }
  }
  const stops = [
    socket.on('welcome', ({ frames, ship_id: shipId }) => {
      clock.isLeading = frames !== undefined && shipId !== ''
      guarded(() => {
        reader = frames && createFrameReader(frames)
      })
    }),
    socket.on('ship_assigned', ({ ship_id: shipId }) => {
      clock.isLeading = reader !== undefined && shipId !== ''
    }),
    // All ships follow again; the bodies are kept where nothing of them is another.
    socket.on('system', (message) => {
      guarded(() => {
        if (JSON.stringify(message) === JSON.stringify(system)) return empty()
        system = undefined
        scene.enter(message.system, message.ship_classes.map(shipClassOf))
        system = message
        onSystem?.(message)
      })
    }),
    socket.on('objects', ({ objects, rows }) => scene.placeObjects(objects, rows)),
    socket.on('restored', empty),
    socket.on('reset', empty),
    socket.on('frame', (bytes) => {
      guarded(() => {
        const frame = reader?.read(bytes)
        if (!frame) return
        const isAnchored = frame.blocks.some(({ name }) => name === 'anchor')
        if (!isAnchored && (scene.bodies?.lag(frame.index) ?? 0) > LAG_NODES_MAX)
          return startAgain()
        noteClock(clock, frame)
        takeFrame(scene, frame)
        onFrame?.(frame)
      })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function noteClock(clock: FlightClock, { index, blocks }: ReadFrame): void {
  for (const { name, rows, columns } of blocks) {
    if (name !== 'clock' || rows === 0) continue
    const { offset, scale, era } = columns
    return clock.note({ index: index + offset[0], scale: scale[0], era: era[0] })
  }
  clock.notePublished(index)
}
