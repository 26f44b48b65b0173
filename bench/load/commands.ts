/** Commands at a steady rate, from being sent until they are acknowledged. */
import { type GameSocket, connectSocket } from '@orrery/client'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pilot } from './pilots.ts'

/** Acknowledgements that are still on their way at the end have this long [ms]. */
const LAST_MS = 3000

export interface Commands {
  /** of those that were acknowledged [ms] */
  readonly ms: readonly number[]
  /** refused, or without an answer */
  readonly failures: readonly unknown[]
}

/** Connects pilots whose frames are small. */
export function openPilots(url: string, pilots: readonly Pilot[]): Promise<GameSocket[]> {
  return Promise.all(
    pilots.map(async ({ token }) => {
      const socket = connectSocket({ url, token, view: { ids: [] } })
      await socket.opened
      return socket
    }),
  )
}

/** @param counts  commands are counted during whose wait it held, at its start or end */
export function startCommands(
  sockets: readonly GameSocket[],
  perSecond: number,
  counts: () => boolean = () => true,
): { stop(): Promise<Commands> } {
  const ms: number[] = []
  const failures: unknown[] = []
  const command = async (place: number): Promise<void> => {
    const sentMs = performance.now()
    const counted = counts()
    try {
      await sockets[place % sockets.length].control({ thrust_level: (place % 10) / 1000 })
      if (counted || counts()) ms.push(performance.now() - sentMs)
    } catch (error) {
      failures.push(error)
    }
  }
  const over = new AbortController()
  const send = async (): Promise<void> => {
    const startMs = performance.now()
    for (let sent = 0; !over.signal.aborted; await sleep(1)) {
      const due = ((performance.now() - startMs) / 1000) * perSecond
      for (; sent < due; sent++) void command(sent)
    }
  }
  const sending = send()
  return {
    stop: async () => {
      over.abort()
      await sending
      await sleep(LAST_MS)
      return { ms, failures }
    },
  }
}
