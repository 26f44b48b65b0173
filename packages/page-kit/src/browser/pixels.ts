/** When an element has another size, or its monitor other pixels. */

/** Calls back then, and at first; returns how to stop. */
export function followPixels(element: Element, onChange: () => void): () => void {
  const sizes = new ResizeObserver(onChange)
  sizes.observe(element)
  const stop = new AbortController()
  const { signal } = stop
  // A query of one ratio says only that the ratio is another now.
  const watch = (): void => {
    const [least, most] = [devicePixelRatio - 0.001, devicePixelRatio + 0.001]
    const query = matchMedia(`(min-resolution: ${least}dppx) and (max-resolution: ${most}dppx)`)
    const change = (): void => {
      onChange()
      watch()
    }
    query.addEventListener('change', change, { once: true, signal })
  }
  watch()
  return () => {
    sizes.disconnect()
    stop.abort()
  }
}
