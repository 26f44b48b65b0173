/** Lets go of the ship while the page is hidden or another window has the keyboard. */
import type { Helm } from '../orders/helm.ts'

/** Keys that go up and sticks that move meanwhile are not seen. */
export function attachLettingGo(helm: Helm): void {
  addEventListener('blur', () => helm.letGo())
  document.addEventListener('visibilitychange', () => helm.letGo())
}
