import * as v from 'valibot'
import { named } from '../openapi.ts'
import { clients } from './clients.ts'
import {
  type Changes,
  type Timestamps,
  arrayOf,
  filled,
  id,
  orNull,
  text,
  timestamps,
} from './fields.ts'
import type { Table } from './table.ts'

const NAME_MAX = 255
const WORD_MAX = 100
const WORDS_MAX = 100

/** Architecture patterns of the contract. */
export const PATTERNS = [
  'three-tier-web',
  'microservices',
  'data-pipeline',
  'static-site',
  'hybrid-cloud',
  'event-driven',
  'multi-cloud',
  'edge-computing',
  'ai-ml-infrastructure',
  'saas-multi-tenant',
  'cdn-fronted-onprem',
  'disaster-recovery-implementations',
] as const

export interface ProjectFields {
  readonly name: string
  readonly description: string | null
  /** free names, such as `aws` */
  readonly cloud_providers: readonly string[]
  readonly status: 'draft' | 'active' | 'archived'
  /** null until it is confirmed */
  readonly architecture_pattern: (typeof PATTERNS)[number] | null
  /** names of files in `compliance/` */
  readonly compliance_frameworks: readonly string[]
}

/** What is designed for a client. */
export interface Project extends ProjectFields, Timestamps {
  readonly id: string
  readonly client_id: string
  /** derived from the name, unique in the client */
  readonly slug: string
}

const status = v.picklist(['draft', 'active', 'archived'])
const pattern = v.picklist(PATTERNS)

const entries = {
  id: id(),
  client_id: id(),
  name: v.string(),
  slug: v.string(),
  description: v.nullable(v.string()),
  cloud_providers: v.array(v.string()),
  status,
  architecture_pattern: v.nullable(pattern),
  compliance_frameworks: v.array(v.string()),
  ...timestamps,
}

export const project: v.GenericSchema<unknown, Project> = named('Project', v.object(entries))

const words = arrayOf(filled(WORD_MAX), { max: WORDS_MAX })

export const projectCreate: v.GenericSchema<unknown, ProjectFields> = v.object({
  name: filled(NAME_MAX),
  description: orNull(text()),
  cloud_providers: v.optional(words, []),
  status: v.optional(status, 'draft'),
  architecture_pattern: v.optional(v.nullable(pattern), null),
  compliance_frameworks: v.optional(words, []),
})

export const projectUpdate: v.GenericSchema<unknown, Changes<ProjectFields>> = v.partial(
  v.object({
    name: filled(NAME_MAX),
    description: v.nullable(text()),
    cloud_providers: words,
    status,
    architecture_pattern: v.nullable(pattern),
    compliance_frameworks: words,
  }),
)

export const projectFilters: v.ObjectEntries = { status }

export const projects: Table = {
  name: 'project',
  thing: 'Project',
  columns: Object.keys(entries),
  parent: { table: clients, column: 'client_id' },
  order: [
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
}
