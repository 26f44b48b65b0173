import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as streamable from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { shortAnswer } from './short-answer.ts'
import type { Tool } from './tools.ts'

const INSTRUCTIONS = `Architecture design sessions. Find or create client, project and version; \
then read_workflow returns where the session is and what comes next, again after each step: a \
request is the tool of its method and path, ids and body as arguments, with what it needs from \
the user. Reading leaves no trace: go from rules 4 and 5 to the questions by yourself. Ask the \
user one question at a time; record answers, decisions and coverage at once. Addressed items need \
the answered question or the decision that settles them, deferred and na a reason. Diagrams wait \
until read_coverage_gate is open. Long answers go on at an offset.`

export interface Tools {
  readonly info: { readonly name: string; readonly version: string }
  readonly tools: ReadonlyMap<string, Tool>
  readonly send: Send
}

/** Answers one message of the protocol, whose body has been read. */
export async function mcpAnswer(
  request: Request,
  message: object,
  tools: Tools,
): Promise<Response> {
  const transport = new streamable.WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
  })
  const server = mcpServer(tools)
  await server.connect(transport)
  try {
    return await transport.handleRequest(inJson(request), { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** Answers are JSON, but the SDK wants callers to accept event streams, too. */
function inJson({ url, method, headers }: Request): Request {
  const sent = new Headers(headers)
  if (/^$|\*\/\*|application\/(?:json|\*)/i.test(sent.get('accept') ?? '')) {
    sent.set('accept', 'application/json, text/event-stream')
  }
  return new Request(url, { method, headers: sent })
}

function mcpServer({ info, tools, send }: Tools): Server {
  const capabilities = { tools: {} }
  const server = new Server(info, { capabilities, instructions: INSTRUCTIONS })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ description }) => description),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.get(name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`)
    return toolCall(tool, given, send)
  })
  return server
}

/** Bytes of an answer; larger files are available from the API. */
const FILE_BYTES_MAX = 4_194_304

type Arguments = Readonly<Record<string, unknown>>

/** Sends a request to the API in this process. */
export type Send = (path: string, init: RequestInit) => Response | Promise<Response>

/** Calls a tool; its result is the API's answer, as text, picture or file. */
async function toolCall(tool: Tool, sent: Arguments, send: Send): Promise<CallToolResult> {
  const given = givenArguments(tool.description.inputSchema.properties, sent)
  const path = filledPath(tool.path, given)
  if (path === undefined) return failure(`Every one of ${tool.path} is needed, as one name`)
  const { offset = 0 } = given
  if (!isOffset(offset)) return failure('offset must be a whole number, as in the answer before')
  const asked = tool.queryNames.filter((name) => given[name] !== undefined)
  const query = new URLSearchParams(asked.map((name) => [name, plain(given[name])])).toString()
  const target = query === '' ? path : `${path}?${query}`
  const init = tool.fileField === undefined ? body(tool, given) : form(tool.fileField, given)
  if (!init) return failure('A filename, and text or base64, are needed')
  const response = await send(target, { method: tool.method, ...init })
  if (response.ok) return success(target, response, (text) => shortAnswer(tool, text, offset))
  const { detail } = (await response.json()) as { readonly detail: unknown }
  return failure(typeof detail === 'string' ? detail : JSON.stringify(detail))
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Fills the parameters of a path; undefined when one is missing or changes the path. */
function filledPath(template: string, given: Arguments): string | undefined {
  let isWhole = true
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segments = plain(given[name] ?? '').split('/')
    // URL parsing removes dot segments, even encoded ones.
    isWhole &&= segments.every((segment) => !/^(?:\.|%2e){0,2}$/i.test(segment))
    return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')
  })
  return isWhole ? path : undefined
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function body({ bodyNames }: Tool, given: Arguments): RequestInit {
  if (bodyNames === undefined) return {}
  const sent = Object.entries(given).filter(([name]) => bodyNames.includes(name))
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(sent)),
  }
}

/** A form with one file; undefined if the arguments give none. */
function form(field: string, { filename, text, base64 }: Arguments): RequestInit | undefined {
  const content = typeof text === 'string' ? Buffer.from(text) : decoded(base64)
  if (typeof filename !== 'string' || !content) return undefined
  const data = new FormData()
  data.set(field, new Blob([new Uint8Array(content)]), filename)
  return { body: data }
}

function decoded(base64: unknown): Buffer | undefined {
  const isBase64 = typeof base64 === 'string' && /^[\w+/\s-]*=*\s*$/.test(base64)
  return isBase64 ? Buffer.from(base64, 'base64') : undefined
}

async function success(
  target: string,
  response: Response,
  shortened: (text: string) => string,
): Promise<CallToolResult> {
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  const bytes = await bytesOf(response)
  if (!bytes) {
    return failure(`More than ${FILE_BYTES_MAX} bytes; they are to be had by GET ${target}`)
  }
  if (/^text\/|json$|xml$/.test(type)) {
    // The next page is in a header, which assistants do not see.
    const cursor = /[?&]cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1]
    const texts = [
      shortened(bytes.toString()),
      ...(cursor === undefined ? [] : [`Next cursor: ${cursor}`]),
    ]
    return { content: texts.map((text) => ({ type: 'text', text })) }
  }
  const data = bytes.toString('base64')
  if (type.startsWith('image/')) return { content: [{ type: 'image', data, mimeType: type }] }
  const resource = { uri: `design-sessions:${target}`, mimeType: type, blob: data }
  return { content: [{ type: 'resource', resource }] }
}

/** The whole answer; undefined when it is too large. */
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

/**
 * Arguments of the types that a tool names: assistants send numbers, truth values and lists as
 * texts, too. What is of another type stays, for the API to refuse.
 *
 * @param properties  JSON schemas by name
 */
function givenArguments(properties: object | undefined, given: Arguments): Arguments {
  const schemas = new Map(Object.entries(properties ?? {}))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typed(schemas.get(name), value)]),
  )
}

function typed(schema: unknown, value: unknown): unknown {
  const types = typesOf(schema)
  if (typeof value !== 'string' || types.has('string')) return value
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return value
  }
  return types.has(typeOf(parsed)) ? parsed : value
}

/** The types a schema takes, those of its variants included. */
function typesOf(schema: unknown): ReadonlySet<unknown> {
  const { type, anyOf = [] } = (schema ?? {}) as {
    readonly type?: unknown
    readonly anyOf?: readonly unknown[]
  }
  const own = [type].flat().map((one) => (one === 'integer' ? 'number' : one))
  return new Set([...own, ...anyOf.flatMap((one) => [...typesOf(one)])])
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
