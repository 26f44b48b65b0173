/** A page of headless Chromium, whose binary and libraries come from npm. */
import { inflate } from '@sparticuz/chromium'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, chromium } from 'playwright-core'
import { startSourceServer } from './source-server.ts'

/** The package has a binary for no other platform. */
export const CHROMIUM_RUNS_HERE: boolean = process.platform === 'linux' && process.arch === 'x64'

const PACKED = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))

/** A page that can import the repository's own modules. */
export interface OpenPage {
  readonly page: Page
  /** such as `http://127.0.0.1:41234` */
  readonly origin: string
  readonly version: string
  close(): Promise<void>
}

export async function openPage(): Promise<OpenPage> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-chromium-'))
  const server = await startSourceServer()
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  try {
    const { executablePath, libraries } = await unpacked(directory)
    const browser = await chromium.launch({
      executablePath,
      env: { ...process.env, LD_LIBRARY_PATH: libraries },
    })
    const page = await browser.newPage()
    await page.goto(server.url)
    return {
      page,
      origin: new URL(server.url).origin,
      version: browser.version(),
      async close() {
        await browser.close()
        server.close()
        await remove()
      },
    }
  } catch (error) {
    server.close()
    await remove()
    throw error
  }
}

/**
 * Into a new directory: the package's default place is shared, and it takes an incomplete file of
 * a killed process for a complete one.
 */
async function unpacked(directory: string): Promise<{ executablePath: string; libraries: string }> {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = directory
  const parts = ['chromium.br', 'al2023.tar.br'].map((name) =>
    inflate(fileURLToPath(new URL(name, PACKED))),
  )
  if (TMPDIR === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = TMPDIR
  const [executablePath, libraries] = await Promise.all(parts)
  return { executablePath, libraries: join(libraries, 'lib') }
}
