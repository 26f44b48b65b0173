import * as v from 'valibot'
import { clients } from './clients.ts'
import { arrayOf, filled, orNull, text } from '../tables/fields.ts'
import { type RowOf, kind } from '../tables/kind.ts'

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

const status = v.picklist(['draft', 'active', 'archived'])

const description = v.nullable(text())
const pattern = v.nullable(v.picklist(PATTERNS))
const words = arrayOf(filled(WORD_MAX), { max: WORDS_MAX })

/** What a version is designed for; that of its project when it is created. */
export const ownScope = {
  description: { shown: v.nullable(v.string()), update: description },
  cloud_providers: { shown: v.array(v.string()), update: words },
  architecture_pattern: { shown: pattern, update: pattern },
  compliance_frameworks: { shown: v.array(v.string()), update: words },
}

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
    cloud_providers: v.optional(words, []),
    status: v.optional(status, 'draft'),
    /** null until it is confirmed */
    architecture_pattern: v.optional(pattern, null),
    /** names of files in `compliance/` */
    compliance_frameworks: v.optional(words, []),
  },
  filters: { status },
})

export type Project = RowOf<typeof projects>
