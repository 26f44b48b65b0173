export * from './accounts.ts'
export * from './game-control.ts'
export * from './operations.ts'
export * from './snapshots.ts'
