/** Set-up of a test file: Vitest ends its processes before they would write their coverage. */
import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

afterAll(() => {
  if (process.env['NODE_V8_COVERAGE'] !== undefined) takeCoverage()
})
