/** The processes that work in a directory, such as a PostgreSQL server in its data. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50

/** Ids of the processes whose working directory is a directory or is in it; Linux only. */
export function processesIn(directory: string): number[] {
  const isWithin = (path: string): boolean => path === directory || path.startsWith(`${directory}/`)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWithin(workingDirectory(name)))
    .map(Number)
}

/** Ids of the processes of a parent, or of a group by its leader; Linux only. */
export function processesOf(pid: number, relation: 'parent' | 'group'): number[] {
  const field = relation === 'parent' ? 1 : 2
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statFields(name)[field]) === pid)
    .map(Number)
}

/**
 * Ids of the processes of the PostgreSQL server of a database directory: the server, its sessions,
 * and the shells that guard it. Outside Linux the server's first process alone, with which the
 * others end.
 */
export function serverProcesses(directory: string): number[] {
  if (process.platform === 'linux') return processesIn(directory)
  return [postmaster(directory)].filter(isRunning)
}

/** Memory of processes, what they share counted once. */
export interface ProcessMemory {
  /** [bytes] */
  readonly total: number
  /** of it, what processes share with each other, as PostgreSQL's buffers [bytes] */
  readonly shared: number
}

/** Sums the memory of processes (PSS); those that have ended have none. Linux only. */
export function processMemory(pids: readonly number[]): ProcessMemory {
  let total = 0
  let shared = 0
  for (const pid of pids) {
    const parts = memoryParts(pid)
    const bytes = (name: string): number =>
      1024 * Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(parts)?.[1] ?? 0)
    total += bytes('Pss')
    shared += bytes('Pss_Shmem')
  }
  return { total, shared }
}

/** Waits until no process works in a directory; returns those that still do after a time. */
export async function processesLeft(directory: string, msMax: number): Promise<readonly number[]> {
  const endMs = performance.now() + msMax
  let pids = serverProcesses(directory)
  while (pids.length > 0 && performance.now() < endMs) {
    await sleep(POLL_MS)
    pids = serverProcesses(directory)
  }
  return pids
}

/** SIGKILL; ids of processes that have ended already are ignored. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (Object(error).code !== 'ESRCH') throw error
    }
  }
}

/** Id of the first process of the server of a database directory; NaN where there is none. */
export function postmaster(directory: string): number {
  try {
    return parseInt(readFileSync(join(directory, 'postgresql', 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return NaN
  }
}

/** Ids of the processes that a process has started, of those that these have, and so on; Linux. */
export function processesBelow(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...processesBelow(child)])
}

/** Each thread lists its own: to read the parents of all processes takes 25 times as long. */
function childrenOf(pid: number): number[] {
  const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`), [])
  const list = (id: string): string =>
    unlessEnded(() => readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8'), '')
  return threads.flatMap((id) => list(id).match(/\d+/g) ?? []).map(Number)
}

/** What a read of a process or thread gives, or something else once that has ended. */
function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** State, parent, group and so on; empty once the process has ended. */
export function statFields(pid: number | string): string[] {
  const stat = unlessEnded(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // The name before them may have spaces.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Empty once the process has ended. */
function memoryParts(pid: number): string {
  return unlessEnded(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '')
}

/** Empty once the process has ended, and for another user's. */
function workingDirectory(pid: string): string {
  return unlessEnded(() => readlinkSync(`/proc/${pid}/cwd`), '')
}

/** Also of another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}
