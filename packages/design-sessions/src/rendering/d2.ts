import { D2 } from '@terrastruct/d2'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { type FontFace, fontBytes } from './fonts.ts'
import { RenderError, sourceError } from './render-error.ts'

/** The types lack these fields. */
type Engine = D2 & { readonly ready: Promise<void>; readonly worker: Worker }

let engine: Engine | undefined
let fonts: Readonly<Record<string, string>> | undefined

/** Layouts of more parts exceed any time limit. */
const PARTS_MAX = 5000

/** Ends of statements, and arrows. */
const PARTS = /[\n;]|<?-+>|<-+|--+/g

/** A list of positions and messages. */
const FAULTS = /^\[\{"range":/

/** Messages after its WebAssembly program has exited. */
const EXITED = /not valid JSON|already exited/

/** Renders a D2 source, laid out by ELK. */
export async function d2(source: string): Promise<string> {
  const parts = source.match(PARTS)?.length ?? 0
  if (parts > PARTS_MAX) {
    throw sourceError(`The source has ${parts} lines and arrows, at most ${PARTS_MAX}`)
  }
  engine ??= new D2() as Engine
  fonts ??= {
    fontRegular: base64('regular'),
    fontItalic: base64('italic'),
    fontSemibold: base64('semibold'),
    fontBold: base64('bold'),
  }
  await engine.ready
  try {
    return await Promise.race([drawn(engine, source, fonts), exitOf(engine.worker)])
  } catch (error) {
    const { message } = error as Error
    if (EXITED.test(message)) throw outOfMemory()
    if (!FAULTS.test(message)) throw error
    const faults = JSON.parse(message) as readonly { readonly errmsg: string }[]
    throw sourceError(faults.map(({ errmsg }) => errmsg.replace(/^index:/, '')).join('\n'))
  }
}

async function drawn(engine: D2, source: string, fonts: object): Promise<string> {
  const look = { themeID: 0, center: true }
  // The only file: imports find nothing. Fonts are Base64, although their type is bytes.
  const options = { ...look, layout: 'elk', ...fonts } as const
  const { diagram } = await engine.compile({ fs: { index: source }, options })
  return engine.render(diagram, look)
}

/** D2 never answers once its program has exited, usually out of memory. */
async function exitOf(worker: Worker): Promise<never> {
  await Promise.race([once(worker, 'exit'), once(worker, 'error')]).catch(() => undefined)
  throw outOfMemory()
}

function outOfMemory(): RenderError {
  return new RenderError('ERR_RENDER_MEMORY', 'D2 gave up: the diagram needs too much memory')
}

function base64(face: FontFace): string {
  return fontBytes(face).toString('base64')
}
