import { currentBundle } from './bundle.ts'

const bundle = currentBundle()
await (bundle === undefined ? import('./program.ts') : import(bundle))
