/** Serves the repository's modules to a browser, without their types. */
import { readFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../..', import.meta.url)

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
}

/** Maps bare names as Node resolves them. */
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({
  imports: {
    '@orrery/sim': '/packages/sim/src/index.ts',
    '@orrery/catalog': '/packages/catalog/src/index.ts',
    '@orrery/client': '/packages/client/src/index.ts',
    '@orrery/client/flight': '/packages/client/src/flight/index.ts',
    '@orrery/protocol': '/packages/protocol/src/index.ts',
    'gl-matrix': '/packages/sim/node_modules/gl-matrix/esm/index.js',
    '@orrery/page-kit': '/packages/page-kit/src/index.ts',
    three: '/packages/web/node_modules/three/build/three.module.js',
    valibot: '/packages/engine/node_modules/valibot/dist/index.mjs',
  },
})}</script>`

/** Without these two a browser gives no shared memory. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

export interface SourceServer {
  readonly url: string
  close(): void
}

export async function startSourceServer(): Promise<SourceServer> {
  const server = createServer((request, response) => {
    content(request.url ?? '/').then(
      ({ type, body }) => response.writeHead(200, { ...ISOLATION, 'content-type': type }).end(body),
      (error: unknown) => response.writeHead(404, ISOLATION).end(String(error)),
    )
  })
  await listening(server)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

async function content(path: string): Promise<{ type: string; body: string | Uint8Array }> {
  if (path === '/') return { type: 'text/html', body: PAGE }
  // A URL has no "..": what is read is below packages.
  const url = new URL(new URL(path, 'http://host').pathname.slice(1), ROOT)
  const type = CONTENT_TYPES[extname(url.pathname)]
  if (!url.href.startsWith(new URL('packages/', ROOT).href) || !type) throw new Error('Not here.')
  const body = await readFile(fileURLToPath(url))
  return { type, body: url.pathname.endsWith('.ts') ? stripTypeScriptTypes(body.toString()) : body }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
}
