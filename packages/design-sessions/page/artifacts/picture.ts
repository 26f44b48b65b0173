import { button, element } from '../kit/element.ts'

const ZOOM = 1.25

/** A picture that opens in a window where it can be enlarged. */
export function picture(bytes: Blob, name: string): HTMLElement {
  const enlarge = button('', () => openSheet(bytes, name))
  enlarge.className = 'picture'
  enlarge.append(image(bytes, `${name}: enlarge`))
  return enlarge
}

function image(bytes: Blob, alt: string): HTMLImageElement {
  const src = URL.createObjectURL(bytes)
  const free = (): void => URL.revokeObjectURL(src)
  return element('img', { src, alt, onload: free, onerror: free })
}

/** A window with a picture: buttons or the keys +, - and 0 zoom, scrolling moves it. */
function openSheet(bytes: Blob, name: string): void {
  const picture = image(bytes, name)
  const sheet = element('div', { className: 'sheet', tabIndex: 0, ariaLabel: name, role: 'group' })
  sheet.append(picture)
  let width = 0
  const zoom = (factor: number): void => {
    width = factor === 0 ? sheet.clientWidth : width * factor
    picture.style.width = `${width}px`
  }
  const dialog = element(
    'dialog',
    { ariaLabel: name, onclose: () => dialog.remove() },
    element(
      'div',
      { className: 'row' },
      button('Close', () => dialog.close()),
      button('Larger', () => zoom(ZOOM)),
      button('Smaller', () => zoom(1 / ZOOM)),
      button('Fit', () => zoom(0)),
      element('span', {}, name),
    ),
    sheet,
  )
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === '+') zoom(ZOOM)
    if (key === '-') zoom(1 / ZOOM)
    if (key === '0') zoom(0)
  })
  document.body.append(dialog)
  dialog.showModal()
  zoom(0)
}
