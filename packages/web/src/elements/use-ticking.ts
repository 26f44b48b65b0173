import { useEffect, useState } from 'preact/hooks'

/** Draws a component again each second, while the page is seen. */
export function useTicking(): void {
  const [, again] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) again((count) => count + 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [])
}
