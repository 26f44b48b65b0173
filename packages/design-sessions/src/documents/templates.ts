import { architecture, designDocument } from './design-templates.ts'
import { costEstimate, coverageChecklist, iacPlan, runbook } from './operation-templates.ts'
import type { Template } from './template-context.ts'

/** By the names they are asked for. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  architecture,
  'cost-estimate': costEstimate,
  'coverage-checklist': coverageChecklist,
  'design-document': designDocument,
  'iac-plan': iacPlan,
  runbook,
}
