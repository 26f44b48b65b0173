// Section 1.2: templates.
import { expect } from 'vitest'
import { DECISION, type Json, NO_ID, created, newSession } from '../ask.ts'
import { type Cases, answers, missing, read, rejects } from './case.ts'

const RENDER = '/templates/render'

export const templates: Cases = {
  '1.2 GET /icons': async (stage) => {
    expect(await read(stage, '/icons')).toContain('logos:redis')
    expect(await read(stage, '/icons?q=azure%20vault')).toEqual([
      'azure:backup-vault',
      'azure:key-vaults',
      'azure:recovery-services-vaults',
    ])
    expect(await read(stage, '/icons?q=nothing-like-it')).toEqual([])
    await rejects(stage, ['GET', `/icons?q=${'a'.repeat(101)}`], 'query', 'q')
  },
  '1.2 GET /templates': async (stage) => {
    expect(await read(stage, '/templates')).toEqual([
      'architecture',
      'cost-estimate',
      'coverage-checklist',
      'design-document',
      'iac-plan',
      'runbook',
    ])
  },
  '1.2 POST /templates/render': async (stage) => {
    const { project, version } = await newSession(stage)
    const runbook = (values: object): Promise<Json> =>
      answers(stage, ['POST', RENDER, { template_name: 'runbook', ...values }], { status: 200 })
    for (const [sent, name] of [
      [{}, 'Untitled Project'],
      [{ project_name: 'Shop' }, 'Shop'],
      // A name is text, not a template.
      [{ project_name: '{{7*7}}' }, '{{7*7}}'],
      [{ version_id: version.id }, project.name],
      [{ project_name: 'Shop', version_id: version.id }, 'Shop'],
    ] as const) {
      const body = await runbook(sent)
      expect(Object.keys(body)).toEqual(['source_code'])
      expect(body.source_code.startsWith(`# ${name}: runbook\n`)).toBe(true)
    }
    // A plan of infrastructure as code names the decisions on its tool alone.
    for (const title of ['One queue for orders', 'Pulumi builds the network']) {
      await created(stage, `/versions/${version.id}/adrs`, { ...DECISION, title })
    }
    const plan = { template_name: 'iac-plan', version_id: version.id }
    const { source_code } = await answers(stage, ['POST', RENDER, plan], { status: 200 })
    expect(source_code).toContain('| ADR-002 | Pulumi builds the network |')
    expect(source_code).not.toContain('One queue')
    for (const template_name of ['none', '__proto__']) {
      await missing(stage, ['POST', RENDER, { template_name }], 'Template')
    }
    const ofNothing = { template_name: 'runbook', version_id: NO_ID }
    await missing(stage, ['POST', RENDER, ofNothing], 'Version')
    await rejects(stage, ['POST', RENDER, {}], 'body', 'template_name')
    for (const [field, value] of Object.entries({
      template_name: 7,
      version_id: 'x',
      project_name: ' ',
    })) {
      const sent = { template_name: 'runbook', [field]: value }
      await rejects(stage, ['POST', RENDER, sent], 'body', field)
    }
  },
}
