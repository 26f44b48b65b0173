import type { Project } from '../../src/records/projects.ts'
import { choiceField, lineField, linesField, proseField } from '../kit/field.ts'

const STATUSES: Readonly<Record<Project['status'], string>> = {
  draft: 'Draft',
  active: 'Active',
  archived: 'Archived',
}

const PATTERNS: Readonly<Record<NonNullable<Project['architecture_pattern']> | '', string>> = {
  '': 'Not confirmed yet',
  'three-tier-web': 'Three-tier web',
  microservices: 'Microservices',
  'data-pipeline': 'Data pipeline',
  'static-site': 'Static site',
  'hybrid-cloud': 'Hybrid cloud',
  'event-driven': 'Event-driven',
  'multi-cloud': 'Multi-cloud',
  'edge-computing': 'Edge computing',
  'ai-ml-infrastructure': 'AI and ML infrastructure',
  'saas-multi-tenant': 'Multi-tenant SaaS',
  'cdn-fronted-onprem': 'On premises behind a CDN',
  'disaster-recovery-implementations': 'Disaster recovery',
}

/** What a project and its versions are designed for. */
export const SCOPE_FIELDS = [
  proseField('description', 'Description', { empty: null }),
  linesField('cloud_providers', 'Providers', { hint: 'One in each line, such as aws.' }),
  choiceField('architecture_pattern', 'Architecture pattern', PATTERNS),
  linesField('compliance_frameworks', 'Compliance frameworks', {
    hint: 'One in each line, such as gdpr.',
  }),
]

export const PROJECT_FIELDS = [
  lineField('name', 'Name', { isRequired: true }),
  ...SCOPE_FIELDS,
  choiceField('status', 'Status', STATUSES),
]
