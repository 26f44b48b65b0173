/** A service as a child process, which a test, script or bench may end at any moment. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a process needs of the environment that is no configuration of the service. */
const SURROUNDINGS = 'PATH HOME TMPDIR TEMP SystemRoot NODE_OPTIONS NODE_COMPILE_CACHE'.split(' ')

/** Variables of a service; what is undefined is not set. */
export type ServiceEnvironment = Readonly<Record<string, string | undefined>>

export interface ServiceOptions {
  /** URL of its module, such as `import.meta.resolve('@orrery/gateway/main')` */
  readonly main: string
  readonly variables: ServiceEnvironment
  readonly args?: readonly string[]
  /** in which it runs; that of this process when left out */
  readonly directory?: string
  /** for Node itself */
  readonly nodeArgs?: readonly string[]
}

export interface ServiceProcess {
  readonly pid: number | undefined
  /** address without a slash at the end, once it listens; rejects when the process ends before */
  readonly ready: Promise<string>
  /** from the start until it listened [ms]; NaN before */
  readyMs(): number
  /** exit code; null when a signal ended it */
  readonly ended: Promise<number | null>
  running(): boolean
  /** all it has written so far */
  output(): { readonly stdout: string; readonly stderr: string }
  /** the first group of a pattern, once the output has it; rejects when the process ends before */
  announced(pattern: RegExp): Promise<string>
  /** SIGTERM; resolves when it is gone */
  stop(): Promise<number | null>
  /** SIGKILL; resolves when it is gone */
  kill(): Promise<number | null>
}

/** Signals that end this process, and its exit codes, as a shell has them. */
const ENDINGS = { SIGINT: 130, SIGTERM: 143 } as const

let isEndedInOrder = false

/** A signal by itself would end this process without its 'exit' event, which ends the services. */
export function endInOrder(): void {
  if (isEndedInOrder) return
  isEndedInOrder = true
  for (const [signal, code] of Object.entries(ENDINGS)) process.once(signal, () => exit(code))
}

/** Vitest forbids `process.exit` to its workers: then what the 'exit' event ends is ended here. */
function exit(code: number): void {
  try {
    process.exit(code)
  } catch {
    process.emit('exit', code)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Linux: the system kills the process that follows with the one that has started it. */
const KEPT: readonly string[] = ['/usr/bin/setpriv', '--pdeathsig', 'KILL']

/** Whether a service ends with this process, also when this one is killed. */
export const ENDS_WITH_PARENT: boolean =
  process.platform === 'linux' && spawnSync(KEPT[0] ?? '', [...KEPT.slice(1), 'true']).status === 0

/** A command that ends with this process where the system can do that. */
export function endingWithParent(command: readonly string[]): readonly string[] {
  return [...(ENDS_WITH_PARENT ? KEPT : []), ...command]
}

export function startService(options: ServiceOptions): ServiceProcess {
  const { main, args = [], nodeArgs = [] } = options
  endInOrder()
  const startMs = performance.now()
  const command = [process.execPath, ...nodeArgs, fileURLToPath(main), ...args]
  const [program = '', ...words] = endingWithParent(command)
  const child = spawn(program, words, {
    cwd: options.directory,
    env: environment(options.variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => void (output[name] += text))
  }
  // A run that is broken off must not leave its services behind.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', end)
      resolve(code)
    })
  })
  const announced = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = (pattern.exec(output.stdout) ?? pattern.exec(output.stderr))?.[1]
        if (found !== undefined) resolve(found)
      }
      look()
      child.stdout.on('data', look)
      child.stderr.on('data', look)
      void ended.then((code) =>
        reject(new Error(`The service ended with ${code}: ${output.stdout}${output.stderr}`)),
      )
    })
  let readyMs = NaN
  const ready = announced(/listens on (\S+?)\/?\n/).then((url) => {
    readyMs = performance.now() - startMs
    return url
  })
  // A caller that ends the service before it listens does not wait for it.
  ready.catch(() => undefined)
  const signalled = (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return {
    pid: child.pid,
    ready,
    readyMs: () => readyMs,
    ended,
    running: () => child.exitCode === null && child.signalCode === null,
    output: () => ({ ...output }),
    announced,
    stop: () => signalled('SIGTERM'),
    kill: () => signalled('SIGKILL'),
  }
}

function environment(variables: ServiceEnvironment): NodeJS.ProcessEnv {
  const surroundings = SURROUNDINGS.map((name) => [name, process.env[name]] as const)
  const entries = [...surroundings, ...Object.entries(variables)]
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
