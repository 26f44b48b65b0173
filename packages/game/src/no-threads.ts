/** The pool of a universe whose ships fly on the calling thread, in slices. */
export const NO_THREADS = {
  status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
  close: async (): Promise<void> => undefined,
}
