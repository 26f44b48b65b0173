import type { Tool as ToolDescription } from '@modelcontextprotocol/sdk/types.js'
import { TOOL_NAMES } from './tool-names.ts'

/** What is read of an operation in the API's document. */
interface Operation {
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: object
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: ObjectSchema }>>
  }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** What is read of the API's document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** An operation of the API as a tool, and where its arguments go. */
export interface Tool {
  readonly description: ToolDescription
  readonly method: string
  /** such as `/api/v1/clients/{client_id}` */
  readonly path: string
  readonly queryNames: readonly string[]
  /** the body's fields; undefined without one */
  readonly bodyNames: readonly string[] | undefined
  /** the body's field that takes a file */
  readonly fileField: string | undefined
}

/** How a file is told, where the API takes it as a part of a form. */
const FILE: ObjectSchema = {
  properties: {
    filename: { type: 'string' },
    content_type: { type: 'string', default: 'application/octet-stream' },
    content: { type: 'string' },
    encoding: { enum: ['utf8', 'base64'], default: 'utf8', description: 'of content' },
  },
  required: ['filename', 'content'],
}

/**
 * The tools, by name, as the API's own document describes their operations.
 *
 * @param prefix  of the API's paths
 */
export function toolsOf(document: ApiDocument, prefix: string): ReadonlyMap<string, Tool> {
  const tools = Object.entries(TOOL_NAMES).flatMap(([name, operationName]) => {
    const [method, below] = operationName.split(' ')
    const path = prefix + below
    const operation = document.paths[path]?.[method.toLowerCase()]
    return operation ? [[name, tool(name, method, path, operation)] as const] : []
  })
  return new Map(tools)
}

function tool(name: string, method: string, path: string, operation: Operation): Tool {
  const { summary, parameters = [], requestBody } = operation
  const bodySchema = requestBody?.content['application/json']?.schema
  const formSchema = requestBody?.content['multipart/form-data']?.schema
  const taken = bodySchema ?? (formSchema && FILE)
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...taken?.properties,
  }
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    description: {
      name,
      // What read_workflow tells is a method and a path.
      description: `${summary} (${method} ${path})`,
      inputSchema: {
        type: 'object',
        properties,
        required: [...required, ...(taken?.required ?? [])],
      },
      annotations: {
        readOnlyHint: method === 'GET',
        destructiveHint: method === 'PATCH' || method === 'DELETE' || path.endsWith('/clear'),
        openWorldHint: false,
      },
    },
    method,
    path,
    queryNames: parameters.filter((one) => one.in === 'query').map((one) => one.name),
    bodyNames: bodySchema && Object.keys(bodySchema.properties ?? {}),
    fileField: formSchema?.required?.[0],
  }
}
