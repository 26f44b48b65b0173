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
  /** fields of the body; undefined without one */
  readonly bodyNames: readonly string[] | undefined
  /** field of the body that is a file */
  readonly fileField: string | undefined
}

/** A file as arguments, in place of a form's part. */
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
      // The todos of read_workflow contain a method and a path.
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

const CLIENT = '/clients/{client_id}'
const PROJECT = `${CLIENT}/projects/{project_id}`
const VERSION = '/versions/{version_id}'
const ARTIFACT = `${VERSION}/artifacts/{artifact_id}`
const ADR = `${VERSION}/adrs/{adr_id}`
const QUESTION = `${VERSION}/questions/{question_id}`
const COVERAGE = `${VERSION}/coverage/{coverage_id}`
const INVENTORY = `${VERSION}/inventory/{inventory_id}`
const UPLOAD = `${VERSION}/uploads/{upload_id}`

/** The operation of each tool, in the order of a session. */
export const TOOL_NAMES: Readonly<Record<string, string>> = {
  read_workflow: `GET ${VERSION}/workflow`,
  read_coverage_gate: `GET ${VERSION}/coverage/gate`,
  list_session_files: 'GET /projects/{project_id}/knowledge-files',

  read_index_status: 'GET /knowledge/reindex/status',
  search_knowledge: 'POST /knowledge/search',
  list_knowledge: 'GET /knowledge',
  read_knowledge_file: 'GET /knowledge/{path}',

  list_clients: 'GET /clients',
  create_client: 'POST /clients',
  read_client: `GET ${CLIENT}`,
  change_client: `PATCH ${CLIENT}`,
  remove_client: `DELETE ${CLIENT}`,

  list_projects: `GET ${CLIENT}/projects`,
  create_project: `POST ${CLIENT}/projects`,
  read_project: `GET ${PROJECT}`,
  change_project: `PATCH ${PROJECT}`,
  remove_project: `DELETE ${PROJECT}`,

  list_versions: 'GET /projects/{project_id}/versions',
  create_version: 'POST /projects/{project_id}/versions',
  read_version: 'GET /projects/{project_id}/versions/{version_id}',
  change_version: 'PATCH /projects/{project_id}/versions/{version_id}',
  compare_versions: `GET ${VERSION}/diff`,

  list_questions: `GET ${VERSION}/questions`,
  create_question: `POST ${VERSION}/questions`,
  read_question: `GET ${QUESTION}`,
  change_question: `PATCH ${QUESTION}`,

  list_adrs: `GET ${VERSION}/adrs`,
  create_adr: `POST ${VERSION}/adrs`,
  read_adr: `GET ${ADR}`,
  change_adr: `PATCH ${ADR}`,
  supersede_adr: `POST ${ADR}/supersede`,

  list_coverage: `GET ${VERSION}/coverage`,
  create_coverage: `POST ${VERSION}/coverage`,
  create_coverage_batch: `POST ${VERSION}/coverage/batch`,
  read_coverage: `GET ${COVERAGE}`,
  change_coverage: `PATCH ${COVERAGE}`,
  remove_coverage: `DELETE ${COVERAGE}`,
  read_coverage_summary: `GET ${VERSION}/coverage/summary`,

  list_artifacts: `GET ${VERSION}/artifacts`,
  create_artifact: `POST ${VERSION}/artifacts`,
  read_artifact: `GET ${ARTIFACT}`,
  change_artifact: `PATCH ${ARTIFACT}`,
  remove_artifact: `DELETE ${ARTIFACT}`,
  render_artifact: `POST ${ARTIFACT}/render`,
  read_artifact_output: `GET ${ARTIFACT}/outputs/{filename}`,
  export_artifact_pdf: `GET ${ARTIFACT}/export-pdf`,
  clone_version: `POST ${VERSION}/artifacts/clone`,

  list_templates: 'GET /templates',
  render_template: 'POST /templates/render',

  list_inventory: `GET ${VERSION}/inventory`,
  create_inventory: `POST ${VERSION}/inventory`,
  read_inventory: `GET ${INVENTORY}`,
  change_inventory: `PATCH ${INVENTORY}`,
  remove_inventory: `DELETE ${INVENTORY}`,

  list_uploads: `GET ${VERSION}/uploads`,
  create_upload: `POST ${VERSION}/uploads`,
  read_upload: `GET ${UPLOAD}`,
  download_upload: `GET ${UPLOAD}/download`,
  remove_upload: `DELETE ${UPLOAD}`,

  start_reindex: 'POST /knowledge/reindex',
  stop_reindex: 'POST /knowledge/reindex/stop',
  pause_reindex: 'POST /knowledge/reindex/pause',
  resume_reindex: 'POST /knowledge/reindex/resume',
  limit_reindex: 'POST /knowledge/reindex/timeout',
  clear_index: 'POST /knowledge/reindex/clear',
}
