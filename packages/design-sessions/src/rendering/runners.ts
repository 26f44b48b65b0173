import type { JobKind, Runner } from './jobs.ts'

/** The code of each kind, loaded in the child when it is first needed. */
export const RUNNERS: { readonly [Kind in JobKind]: () => Promise<Runner<Kind>> } = {
  diagram: async () => (await import('./diagram.ts')).diagram,
  png: async () => (await import('./png.ts')).png,
  page: async () => (await import('../documents/html-page.ts')).htmlPage,
  pdf: async () => (await import('../documents/pdf.ts')).pdf,
}
