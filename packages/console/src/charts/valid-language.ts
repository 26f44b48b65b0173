/**
 * The chart library formats numbers by the browser's language as it loads, and fails where that is
 * no valid tag: Chromium under POSIX says `en-US@posix`.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}
