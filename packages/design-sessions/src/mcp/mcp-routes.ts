import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as streamable from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { jsonBody } from '@orrery/http'
import { Hono } from 'hono'
import * as v from 'valibot'
import { PREFIX } from '../app.ts'
import { JSON_BYTES_MAX } from '../errors.ts'
import { api, operation } from '../openapi.ts'
import { type Ask, toolCall } from './tool-call.ts'
import { type ApiDocument, type Tool, toolsOf } from './tools.ts'

/** A whole body of the API as arguments, with what stands around it. */
const MESSAGE_BYTES_MAX = JSON_BYTES_MAX + 65_536

const INFO = { name: 'design-sessions', version: '1' }

const INSTRUCTIONS = `Architecture design sessions. Wait until read_index_status says indexed; \
find or create client, project and version; then read_workflow tells where the session stands and \
what comes next, again after each step: a request is the tool of its method and path, ids and \
body as arguments, with what it needs from the user. Reading leaves no trace: go from rules 4 \
and 5 to the questions by yourself. Ask the user one question at a time; record answers, \
decisions and coverage at once: what one answer settles by one create_coverage_batch. Diagrams \
wait until read_coverage_gate is open.`

/**
 * The API's operations as tools of the Model Context Protocol at `POST /mcp`, without sessions:
 * each call is asked of the app itself, with the caller's own token.
 *
 * @source https://modelcontextprotocol.io/specification/2025-06-18/basic/transports
 */
export function mcpRoutes(app: Hono): Hono {
  let tools: ReadonlyMap<string, Tool> | undefined
  return new Hono().post(
    '/mcp',
    operation({
      summary: 'Model Context Protocol (streamable HTTP): the operations of this API as tools',
      tag: 'operations',
      success: { status: 200, type: 'application/json' },
      errors: [
        [400, 'Body is no message of the protocol'],
        [413, 'Too many bytes'],
        [415, 'Another content type is needed'],
      ],
    }),
    async (context) => {
      const message = await jsonBody(context, v.looseObject({}), { limit: MESSAGE_BYTES_MAX })
      // Only now are all routes known.
      tools ??= toolsOf(
        api.document(app, { title: INFO.name, version: INFO.version }) as unknown as ApiDocument,
        PREFIX,
      )
      const authorization = context.req.header('authorization')
      const ask: Ask = (path, init) => {
        const headers = new Headers(init.headers)
        if (authorization !== undefined) headers.set('authorization', authorization)
        return app.request(path, { ...init, headers }, context.env)
      }
      const transport = new streamable.WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
      })
      const server = mcpServer(tools, ask)
      await server.connect(transport)
      try {
        return await transport.handleRequest(context.req.raw, { parsedBody: message })
      } finally {
        await server.close()
      }
    },
  )
}

function mcpServer(tools: ReadonlyMap<string, Tool>, ask: Ask): Server {
  const capabilities = { tools: {} }
  const server = new Server(INFO, { capabilities, instructions: INSTRUCTIONS })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ description }) => description),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.get(name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`)
    return toolCall(tool, given, ask)
  })
  return server
}
