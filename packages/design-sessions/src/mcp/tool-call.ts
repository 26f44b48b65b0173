import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Tool } from './tools.ts'

/** Bytes that go into an answer; larger ones are for whoever asks the API itself. */
const FILE_BYTES_MAX = 4_194_304

type Arguments = Readonly<Record<string, unknown>>

/** Asks the API in process. */
export type Ask = (path: string, init: RequestInit) => Response | Promise<Response>

/** A tool's answer is the API's: JSON and text as they are, pictures and files as such. */
export async function toolCall(tool: Tool, given: Arguments, ask: Ask): Promise<CallToolResult> {
  const path = filledPath(tool.path, given)
  if (path === undefined) return failure(`Every one of ${tool.path} is needed, as one name`)
  const asked = tool.queryNames.filter((name) => given[name] !== undefined)
  const query = new URLSearchParams(asked.map((name) => [name, plain(given[name])])).toString()
  const target = query === '' ? path : `${path}?${query}`
  const response = await ask(target, { method: tool.method, ...body(tool, given) })
  if (response.ok) return success(target, response)
  const { detail } = (await response.json()) as { readonly detail: unknown }
  return failure(typeof detail === 'string' ? detail : JSON.stringify(detail))
}

/** The path with its parameters in place; undefined when one is missing or would leave it. */
function filledPath(template: string, given: Arguments): string | undefined {
  let isWhole = true
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segments = plain(given[name] ?? '').split('/')
    // A URL takes such segments away, also when they are encoded.
    isWhole &&= segments.every((segment) => !/^(?:\.|%2e){0,2}$/i.test(segment))
    return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')
  })
  return isWhole ? path : undefined
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function body({ bodyNames, fileField }: Tool, given: Arguments): RequestInit {
  if (fileField !== undefined) {
    const { filename, content_type: type = '', content = '', encoding = 'utf8' } = given
    const bytes = Buffer.from(plain(content), encoding === 'base64' ? 'base64' : 'utf8')
    const form = new FormData()
    form.set(fileField, new Blob([bytes], { type: plain(type) }), plain(filename ?? ''))
    return { body: form }
  }
  if (bodyNames === undefined) return {}
  const sent = Object.entries(given).filter(([name]) => bodyNames.includes(name))
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(sent)),
  }
}

async function success(target: string, response: Response): Promise<CallToolResult> {
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  const bytes = await bytesOf(response)
  if (!bytes) {
    return failure(`More than ${FILE_BYTES_MAX} bytes; they are to be had by GET ${target}`)
  }
  if (response.status === 204) return { content: [{ type: 'text', text: 'Done' }] }
  if (/^text\/|json$|xml$/.test(type)) {
    // The next page's place stands in a header, which an assistant does not see.
    const cursor = /[?&]cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1]
    const texts = [bytes.toString(), ...(cursor === undefined ? [] : [`Next cursor: ${cursor}`])]
    return { content: texts.map((text) => ({ type: 'text', text })) }
  }
  const data = bytes.toString('base64')
  if (type.startsWith('image/')) return { content: [{ type: 'image', data, mimeType: type }] }
  const resource = { uri: `design-sessions:${target}`, mimeType: type, blob: data }
  return { content: [{ type: 'resource', resource }] }
}

/** A whole answer; of one that is too long no more is read than shows it. */
async function bytesOf({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of body ?? []) {
    total += chunk.byteLength
    if (total > FILE_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, total)
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}
