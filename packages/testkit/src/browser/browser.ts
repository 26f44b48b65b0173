/** Headless Chromium, whose binary and libraries come from npm. */
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { madeOnce } from '../services/made-once.ts'

const PACKAGE = chromiumPackage()
const UNPACKED = fileURLToPath(new URL('unpacked', PACKAGE))

/** The package has a binary for no other platform, and an installation may lack the package. */
export const CHROMIUM_RUNS_HERE: boolean =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(new URL('bin/chromium.br', PACKAGE))

/** As without a graphics card: WebGL by the processor, and the page itself without any GL. */
const GRAPHICS = ['--enable-unsafe-swiftshader']
const NO_GRAPHICS = ['--disable-gpu', '--disable-3d-apis']

/**
 * A later list replaces an earlier one, so this has the library's own. The first looks up fonts in
 * the browser's process, where it meets what Skia has not implemented and aborts.
 */
const WITHOUT = [
  'FontDataServiceLinux',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
]

export interface LaunchedBrowser {
  readonly browser: Browser
  readonly close: () => Promise<void>
}

export interface BrowserOptions {
  /** whether pages can use WebGL */
  readonly hasGraphics?: boolean
}

const shared = new Map<boolean, Promise<LaunchedBrowser>>()

/** The browser of all test files that one process runs; it ends with that process. */
export async function sharedBrowser({
  hasGraphics = false,
}: BrowserOptions = {}): Promise<Browser> {
  const launched = shared.get(hasGraphics) ?? launchBrowser({ hasGraphics })
  shared.set(hasGraphics, launched)
  return (await launched).browser
}

export async function launchBrowser({
  hasGraphics = false,
}: BrowserOptions = {}): Promise<LaunchedBrowser> {
  const parts = await unpacked()
  const browser = await chromium.launch({
    executablePath: join(parts, 'chromium'),
    args: [...(hasGraphics ? GRAPHICS : NO_GRAPHICS), `--disable-features=${WITHOUT.join()}`],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [join(parts, 'al2023', 'lib'), parts].join(':'),
      FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)),
    },
  })
  return { browser, close: () => browser.close() }
}

/** Unpacked once per installation, which takes three seconds of a processor. */
async function unpacked(): Promise<string> {
  if (!existsSync(UNPACKED)) await madeOnce('unpacked-chromium', unpackIntoPackage)
  return UNPACKED
}

/**
 * Elsewhere first: the package takes an incomplete file of a killed process for a complete one.
 */
async function unpackIntoPackage(): Promise<void> {
  const unfinished = await mkdtemp(`${UNPACKED}.new-`)
  try {
    await unpack(unfinished)
    await rename(unfinished, UNPACKED)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another run was faster.
    if (!existsSync(UNPACKED)) throw error
  }
}

/** Its directory; where it is not installed, one without it. */
function chromiumPackage(): URL {
  try {
    return new URL('../', import.meta.resolve('@sparticuz/chromium'))
  } catch {
    return new URL('./', import.meta.url)
  }
}

/** The package unpacks into the directory for temporary files. */
async function unpack(directory: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = directory
  const names = ['chromium.br', 'al2023.tar.br', 'swiftshader.tar.br']
  const parts = names.map((name) => inflate(fileURLToPath(new URL(`bin/${name}`, PACKAGE))))
  if (TMPDIR === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = TMPDIR
  await Promise.all(parts)
}
