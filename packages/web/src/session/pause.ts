/** Whether the game stands. */
import type { GameSocket } from '@orrery/client'

/** Where it stands. */
export interface Pause {
  readonly tick: number
  /** game time [Unix ms] */
  readonly ms: number
}

interface Moment {
  readonly tick: number
  readonly game_time: string
  readonly paused: boolean
}

/** The pause that a moment of the server is in; undefined while the game runs. */
export function pauseOf({ tick, game_time: time, paused }: Moment): Pause | undefined {
  return paused ? { tick, ms: Date.parse(time) } : undefined
}

/** Calls back at the beginning and the end of each pause. */
export function followPause(
  socket: GameSocket,
  onChange: (pause: Pause | undefined) => void,
): void {
  let tick = NaN
  const note = (moment: Moment): void => {
    tick = moment.tick
    onChange(pauseOf(moment))
  }
  socket.on('welcome', note)
  socket.on('paused', (message) => note({ ...message, paused: true }))
  socket.on('resumed', (message) => note({ ...message, paused: false }))
  socket.on('restored', (message) => (tick = message.tick))
  socket.on('clock', (message) => note({ ...message, tick }))
}
