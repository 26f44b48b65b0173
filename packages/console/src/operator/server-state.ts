/** How the server is, in words: the gravest first. */
import type { Reading } from './live.ts'

export interface ServerState {
  readonly text: string
  readonly grade: 'good' | 'fair' | 'bad'
}

export function serverState({ status, load }: Reading): ServerState {
  if (load.faulted) return { text: 'stopped: a tick failed', grade: 'bad' }
  const stopped = status.stopped_systems.map(({ system_id: id }) => id).join(', ')
  if (stopped !== '') return { text: `${stopped}: no commands until a restart`, grade: 'bad' }
  if (status.paused) return { text: 'paused', grade: 'fair' }
  if (load.overloaded) return { text: 'overloaded', grade: 'bad' }
  return { text: 'running', grade: 'good' }
}
