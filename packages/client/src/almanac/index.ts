/**
 * Where the bodies of a star system are at any date, for pages.
 *
 * @module
 */
export { type Almanac, type AlmanacOptions, type AlmanacWish, openAlmanac } from './almanac.ts'
export { type Span, type SpanTask, madeSpan } from './span.ts'
export type { SpanMaker } from './span-maker.ts'
