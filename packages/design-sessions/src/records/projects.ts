import * as v from 'valibot'
import { clients } from './clients.ts'
import { arrayOf, filled, orNull, text } from './fields.ts'
import { type RowOf, kind } from './kind.ts'

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

const words = v.optional(arrayOf(filled(WORD_MAX), { max: WORDS_MAX }), [])
const status = v.picklist(['draft', 'active', 'archived'])

/** What is designed for a client. */
export const projects = kind({
  name: 'project',
  thing: 'Project',
  parent: { table: clients, column: 'client_id' },
  order: [
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
  fields: {
    name: filled(NAME_MAX),
    /** derived from the name, unique in the client */
    slug: { shown: v.string() },
    description: orNull(text()),
    /** free names, such as `aws` */
    cloud_providers: words,
    status: v.optional(status, 'draft'),
    /** null until it is confirmed */
    architecture_pattern: orNull(v.picklist(PATTERNS)),
    /** names of files in `compliance/` */
    compliance_frameworks: words,
  },
  filters: { status },
})

export type Project = RowOf<typeof projects>
