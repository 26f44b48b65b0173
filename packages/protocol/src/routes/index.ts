export * from './game-control.ts'
