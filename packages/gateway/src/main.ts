import { serveProgram } from '@orrery/http/bundle'

await serveProgram('server', () => import('./program.ts'))
