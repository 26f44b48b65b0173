import type { Tool as ToolDescription } from '@modelcontextprotocol/sdk/types.js'

/** The fields read of an operation in the API document. */
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

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** An operation of the API as a tool, and the places of its arguments. */
export interface Tool {
  readonly description: ToolDescription
  readonly method: string
  /** such as `/api/v1/clients/{client_id}` */
  readonly path: string
  readonly queryNames: readonly string[]
  /** fields of a JSON body; undefined without one */
  readonly bodyNames: readonly string[] | undefined
  /** the field of a form with a file, which the arguments of {@link FILE} describe */
  readonly fileField: string | undefined
}

/** Arguments that stand for a file. */
const FILE = {
  filename: { type: 'string' },
  text: { type: 'string', description: 'the content of a text file' },
  base64: { type: 'string', description: 'the content of any other file' },
}

/**
 * The tools by name, from the API document.
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
  const form = requestBody?.content['multipart/form-data']?.schema
  const isRead = isReading(method, path)
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...bodySchema?.properties,
    ...(form && FILE),
    ...(isRead && OFFSET),
  }
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    description: {
      name,
      // The todos of read_workflow contain a method and a path.
      description: `${summary} (${method} ${path})`,
      inputSchema: {
        type: 'object',
        properties,
        required: [...required, ...(bodySchema?.required ?? []), ...(form ? ['filename'] : [])],
      },
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: method === 'PATCH' || method === 'PUT',
        openWorldHint: false,
      },
    },
    method,
    path,
    queryNames: parameters.filter((one) => one.in === 'query').map((one) => one.name),
    bodyNames: bodySchema && Object.keys(bodySchema.properties ?? {}),
    fileField: form && Object.keys(form.properties ?? {})[0],
  }
}

/** Searches and templates are read by POST. */
function isReading(method: string, path: string): boolean {
  return method === 'GET' || /\/(?:knowledge\/search|templates\/render)$/.test(path)
}

/** Of every tool that only reads. */
const OFFSET = {
  offset: { type: 'integer', minimum: 0, description: 'where a long answer goes on' },
}

const CLIENT = '/clients/{client_id}'
const PROJECT = `${CLIENT}/projects/{project_id}`
const VERSION = '/versions/{version_id}'
const ADR = `${VERSION}/adrs/{adr_id}`
const ARTIFACT = `${VERSION}/artifacts/{artifact_id}`

/** The operations of a session, in its order; others are left to the API. */
export const TOOL_NAMES: Readonly<Record<string, string>> = {
  read_workflow: `GET ${VERSION}/workflow`,
  read_coverage_gate: `GET ${VERSION}/coverage/gate`,
  read_facts: `GET ${VERSION}/facts`,
  set_facts: `PUT ${VERSION}/facts`,
  list_excluded_items: `GET ${VERSION}/coverage/excluded`,

  start_reindex: 'POST /knowledge/reindex',
  search_knowledge: 'POST /knowledge/search',
  read_knowledge_file: 'GET /knowledge/{path}',

  list_clients: 'GET /clients',
  create_client: 'POST /clients',
  list_projects: `GET ${CLIENT}/projects`,
  create_project: `POST ${CLIENT}/projects`,
  change_project: `PATCH ${PROJECT}`,
  list_versions: 'GET /projects/{project_id}/versions',
  create_version: 'POST /projects/{project_id}/versions',
  change_version: 'PATCH /projects/{project_id}/versions/{version_id}',
  clone_version: `POST ${VERSION}/artifacts/clone`,
  compare_versions: `GET ${VERSION}/diff`,

  list_questions: `GET ${VERSION}/questions`,
  create_question: `POST ${VERSION}/questions`,
  change_question: `PATCH ${VERSION}/questions/{question_id}`,

  list_adrs: `GET ${VERSION}/adrs`,
  create_adr: `POST ${VERSION}/adrs`,
  read_adr: `GET ${ADR}`,
  change_adr: `PATCH ${ADR}`,
  supersede_adr: `POST ${ADR}/supersede`,

  list_coverage: `GET ${VERSION}/coverage`,
  create_coverage_batch: `POST ${VERSION}/coverage/batch`,
  change_coverage: `PATCH ${VERSION}/coverage/{coverage_id}`,

  list_uploads: `GET ${VERSION}/uploads`,
  create_upload: `POST ${VERSION}/uploads`,
  read_upload: `GET ${VERSION}/uploads/{upload_id}/download`,

  list_artifacts: `GET ${VERSION}/artifacts`,
  create_artifact: `POST ${VERSION}/artifacts`,
  read_artifact: `GET ${ARTIFACT}`,
  change_artifact: `PATCH ${ARTIFACT}`,
  list_icons: 'GET /icons',
  render_artifact: `POST ${ARTIFACT}/render`,
  read_artifact_output: `GET ${ARTIFACT}/outputs/{filename}`,
  export_artifact_pdf: `GET ${ARTIFACT}/export-pdf`,
  render_template: 'POST /templates/render',
}
