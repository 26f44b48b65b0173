import { currentBundle } from './bundle.ts'

const bundle = currentBundle()
const program: typeof import('./program.ts') = await (bundle === undefined
  ? import('./program.ts')
  : import(bundle))
await program.serve()
