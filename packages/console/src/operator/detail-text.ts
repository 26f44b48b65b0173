/** Details of an audit entry, as words. */
export function detailText(detail: unknown): string {
  if (typeof detail === 'boolean') return detail ? 'yes' : 'no'
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(detailText).join(', ')
  if (typeof detail !== 'object') return JSON.stringify(detail) ?? ''
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${detailText(value) || 'none'}`)
    .join(', ')
}
