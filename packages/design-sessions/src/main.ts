import { serveProgram } from '@orrery/http/bundle'

await serveProgram('design-sessions', () => import('./program.ts'))
