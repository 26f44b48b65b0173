// Commands of an operator within this process, each as a fresh module.
import { vi } from 'vitest'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly directory: string
  /** its whole environment */
  readonly env: NodeJS.ProcessEnv
}

let runs = 0

class Exit extends Error {}

/** Runs a script with its arguments, streams, environment and directory in place of our own. */
export async function runHere(
  script: URL,
  args: readonly string[],
  { directory, env }: Surroundings,
): Promise<Outcome> {
  const { argv, env: ownEnv } = process
  const ownDirectory = process.cwd()
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    })
    // Each command adds a listener.
    vi.spyOn(process[name], 'on').mockReturnThis()
  }
  // That of the test runner writes elsewhere.
  vi.spyOn(console, 'log').mockImplementation((text) => void (output.stdout += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text) => void (output.stderr += `${text}\n`))
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    process.exitCode = code ?? process.exitCode
    throw new Exit()
  })
  process.argv = [argv[0] ?? '', script.pathname, ...args]
  process.env = env
  process.chdir(directory)
  try {
    runs += 1
    await import(`${script.href}?run=${runs}`).catch((error: unknown) => {
      if (!(error instanceof Exit)) throw error
    })
    return { code: Number(process.exitCode ?? 0), ...output }
  } finally {
    process.exitCode = undefined
    process.argv = argv
    process.env = ownEnv
    process.chdir(ownDirectory)
    vi.restoreAllMocks()
  }
}
