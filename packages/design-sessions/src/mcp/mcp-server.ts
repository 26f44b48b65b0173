import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as streamable from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { type Ask, toolCall } from './tool-call.ts'
import type { Tool } from './tools.ts'

const INSTRUCTIONS = `Architecture design sessions. Wait until read_index_status says indexed; \
find or create client, project and version; then read_workflow tells where the session stands and \
what comes next, again after each step: a request is the tool of its method and path, ids and \
body as arguments, with what it needs from the user. Reading leaves no trace: go from rules 4 \
and 5 to the questions by yourself. Ask the user one question at a time; record answers, \
decisions and coverage at once: what one answer settles by one create_coverage_batch. Diagrams \
wait until read_coverage_gate is open.`

/** What a message is answered by. */
export interface Tools {
  readonly info: { readonly name: string; readonly version: string }
  readonly tools: ReadonlyMap<string, Tool>
  readonly ask: Ask
}

/** The answer to one message of the protocol, whose body has been read. */
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
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function mcpServer({ info, tools, ask }: Tools): Server {
  const capabilities = { tools: {} }
  const server = new Server(info, { capabilities, instructions: INSTRUCTIONS })
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
