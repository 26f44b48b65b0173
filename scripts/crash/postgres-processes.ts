/** The processes of the PostgreSQL server of a directory, found by where they work. */
import { processesIn } from '@orrery/testkit'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '@orrery/testkit'

const LOOK_MS = 50

/**
 * All processes that work in a directory: a server, its sessions, and the shells that guard it.
 * Only Linux shows them; elsewhere it is the server's first process, with which the others end.
 */
export function serverProcesses(directory: string): number[] {
  if (process.platform !== 'linux') return [postmaster(directory)].filter(isRunning)
  return processesIn(directory)
}

/** Waits until no process works in a directory; returns those that still do. */
export async function remaining(directory: string, msMax: number): Promise<readonly number[]> {
  const endMs = performance.now() + msMax
  let pids = serverProcesses(directory)
  while (pids.length > 0 && performance.now() < endMs) {
    await sleep(LOOK_MS)
    pids = serverProcesses(directory)
  }
  return pids
}

/** What of a server is killed: all, its first process, or one that serves a connection. */
export type Part = 'all' | 'postmaster' | 'session'

/** Kills processes of the server of a directory. */
export function killPostgres(directory: string, part: Part, random: Chance): void {
  const pids = serverProcesses(directory)
  if (part === 'all') kill(pids)
  if (part === 'postmaster') kill(pids.filter((pid) => pid === postmaster(directory)))
  const sessions = part === 'session' ? pids.filter(isSession) : []
  if (sessions.length > 0) kill([random.pick(sessions)])
}

export function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended since it was listed.
      if (Object(error).code !== 'ESRCH') throw error
    }
  }
}

/** By the file that the server writes; NaN where there is none. */
function postmaster(directory: string): number {
  return parseInt(textAt(join(directory, 'postgresql', 'postmaster.pid')), 10)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function isSession(pid: number): boolean {
  return textAt(`/proc/${pid}/cmdline`).startsWith('postgres: orrery ')
}

function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
