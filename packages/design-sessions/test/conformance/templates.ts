// Section 1.2: templates.
import { expect } from 'vitest'
import { type Cases, answers, wrong } from './case.ts'

export const templates: Cases = {
  '1.2 GET /templates': async (stage) => {
    const names = await answers(stage, ['GET', '/templates'], { status: 200 })
    expect(names).toEqual(expect.arrayContaining(['architecture', 'runbook']))
    expect(names.length).toBeGreaterThanOrEqual(6)
  },
  '1.2 POST /templates/render': async (stage) => {
    const path = '/templates/render'
    for (const [sent, name] of [
      [{ project_name: 'Shop {{ x }}' }, 'Shop'],
      [{}, 'Untitled Project'],
    ] as const) {
      const body = await answers(stage, ['POST', path, { template_name: 'runbook', ...sent }], {
        status: 200,
      })
      expect(Object.keys(body)).toEqual(['source_code'])
      expect(body.source_code).toContain(name)
    }
    await answers(stage, ['POST', path, { template_name: 'none' }], {
      status: 404,
      body: 'Template not found',
    })
    await answers(stage, ['POST', path, {}], { status: 422, body: wrong('body', 'template_name') })
  },
}
