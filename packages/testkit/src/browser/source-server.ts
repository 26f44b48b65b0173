/** Serves modules of the repository to a browser, bundled as for any page, and files they read. */
import { readFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../..', import.meta.url)

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
}

const PAGE = '<!doctype html>'

/** Without these two a browser gives no shared memory. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

export interface SourceServer {
  readonly url: string
  close(): void
}

/** @param modules  paths from the root, with a slash before, by which the page imports them */
export async function startSourceServer(modules: readonly string[]): Promise<SourceServer> {
  const chunks = modules.length > 0 ? await bundled(modules) : new Map<string, string>()
  const server = createServer((request, response) => {
    content(request.url ?? '/', chunks).then(
      ({ type, body }) => response.writeHead(200, { ...ISOLATION, 'content-type': type }).end(body),
      (error: unknown) => response.writeHead(404, ISOLATION).end(String(error)),
    )
  })
  await listening(server)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

/** By path: a browser takes seconds to ask for some hundred modules. */
async function bundled(modules: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({
    input: modules.map((path) => fileURLToPath(new URL(path.slice(1), ROOT))),
    platform: 'browser',
    tsconfig: fileURLToPath(new URL('tsconfig.json', ROOT)),
    plugins: [
      {
        name: 'as-in-its-own-place',
        transform: (code, id) => {
          const url = `new URL(${JSON.stringify(pathOf(id))}, location.origin).href`
          return code.replaceAll('import.meta.url', url)
        },
      },
    ],
    optimization: { inlineConst: false },
  })
  const { output } = await bundle.generate({
    entryFileNames: ({ facadeModuleId }) => pathOf(facadeModuleId ?? '').slice(1),
    chunkFileNames: 'chunks/[hash].js',
  })
  return new Map(
    output.flatMap((part) => ('code' in part ? [[`/${part.fileName}`, part.code]] : [])),
  )
}

/** Of a file, below the root. */
function pathOf(file: string): string {
  return `/${relative(fileURLToPath(ROOT), file)}`
}

async function content(
  path: string,
  chunks: ReadonlyMap<string, string>,
): Promise<{ type: string; body: string | Uint8Array }> {
  if (path === '/') return { type: 'text/html', body: PAGE }
  const code = chunks.get(path)
  if (code !== undefined) return { type: 'text/javascript', body: code }
  // A URL has no "..": what is read is below packages.
  const url = new URL(new URL(path, 'http://host').pathname.slice(1), ROOT)
  const type = CONTENT_TYPES[extname(url.pathname)]
  if (!url.href.startsWith(new URL('packages/', ROOT).href) || !type) throw new Error('Not here.')
  return { type, body: await readFile(fileURLToPath(url)) }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
}
