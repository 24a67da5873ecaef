import { QUOTE_STYLE } from './quotes.ts'

/** How the page inside a reading frame is shown. It has no scripts of its own; all of this is done from outside. */
export type FrameLook = {
  /** Plain text takes the colours of the app. */
  isText: boolean
  isDark: boolean
  /** The colours of the mail are turned around by the frame; its pictures are turned back. */
  isInverted: boolean
}

/** Below this a mail that is too wide would be too small to read: it scrolls sideways instead. */
const MIN_SCALE = 0.7
/** A mail whose height follows that of the frame would grow for ever. */
const MAX_GROWTHS = 40
const MAX_HEIGHT = 200_000

/** Whether it is the page that was asked for: a refusal is JSON, and a broken line a page of the browser. */
export const isMessagePage = (page: Document | null): page is Document =>
  page !== null && page.contentType === 'text/html' && page.body !== null && page.URL.includes('/view')

/** What the app lends to a page without looks of its own. */
export type AppLook = { ink: string; link: string; font: string }

/** Puts the looks of the app on the page, as far as the mail has none. */
export const dressPage = (page: Document, { isText, isDark, isInverted }: FrameLook, app: AppLook): void => {
  styleOf(page).textContent = [
    `html{overflow:auto hidden}body{font-family:${app.font}}`,
    NARROW,
    QUOTE_STYLE,
    isText ? `a{color:${app.link}}` : '',
    isText && isDark ? `html{background:transparent;color-scheme:dark}body{color:${app.ink}}` : '',
    isInverted ? 'img,[background]{filter:invert(1) hue-rotate(180deg)}' : '',
  ].join('')
}

/** Mails are made for wide windows: on a phone their columns give way before the letters become small. */
const NARROW =
  '@media (width < 32rem){table,div,p,center,section,ul,ol,blockquote,pre{max-width:100%!important;min-width:0!important}' +
  'td,th{min-width:0!important}img{max-width:100%!important;height:auto!important}}'

const MARK = 'data-stoa'

const styleOf = (page: Document): HTMLStyleElement => {
  const known = page.head.querySelector<HTMLStyleElement>(`style[${MARK}]`)
  if (known) return known
  const made = page.createElement('style')
  made.setAttribute(MARK, '')
  page.head.append(made)
  return made
}

/** Makes a frame as high as its page, and goes on doing so. */
export const fitFrame = (frame: HTMLIFrameElement, page: Document): (() => void) => {
  let width = 0
  let growths = 0
  const fit = () => {
    if (frame.clientWidth !== width) {
      width = frame.clientWidth
      growths = 0
      fitWidth(page, width)
    }
    const needed = Math.ceil(contentHeight(page))
    const height = Math.min(MAX_HEIGHT, needed)
    if (height > frame.clientHeight) growths += 1
    if (needed > MAX_HEIGHT) page.documentElement.style.overflowY = 'auto'
    if (growths > MAX_GROWTHS) page.documentElement.style.overflowY = 'auto'
    else frame.style.height = `${height}px`
  }
  const observer = new ResizeObserver(fit)
  observer.observe(page.documentElement)
  observer.observe(page.body)
  observer.observe(frame)
  fit()
  return () => observer.disconnect()
}

/** A mail that is somewhat too wide is drawn smaller. */
const fitWidth = (page: Document, width: number): void => {
  page.body.style.zoom = '1'
  const needed = page.documentElement.scrollWidth
  if (width > 0 && needed > width) page.body.style.zoom = String(Math.max(MIN_SCALE, width / needed))
}

const contentHeight = (page: Document): number => {
  const { documentElement: root, defaultView: view } = page
  const isWide = root.scrollWidth > root.clientWidth
  const bar = isWide && view ? view.innerHeight - root.clientHeight : 0
  return root.getBoundingClientRect().height + Math.max(0, bar)
}

/** Keys pressed in a mail do what they do outside of it; a click there closes what is open here. */
export const passEvents = (
  frame: HTMLIFrameElement,
  page: Document,
  onMailto: (address: string) => void,
): (() => void) => {
  const keydown = (event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = event
    const init = { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing, bubbles: true, cancelable: true }
    if (!frame.dispatchEvent(new KeyboardEvent('keydown', init))) event.preventDefault()
  }
  const pointerdown = () => frame.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  const click = (event: MouseEvent) => {
    const link = linkAt(event.target)
    if (!link || !/^mailto:/i.test(link)) return
    event.preventDefault()
    onMailto(link)
  }
  page.addEventListener('keydown', keydown)
  page.addEventListener('pointerdown', pointerdown)
  page.addEventListener('click', click)
  return () => {
    page.removeEventListener('keydown', keydown)
    page.removeEventListener('pointerdown', pointerdown)
    page.removeEventListener('click', click)
  }
}

/** Elements of the frame are not of the classes of this window. */
const linkAt = (target: EventTarget | null): string | null => {
  if (target === null || !('closest' in target) || typeof target.closest !== 'function') return null
  const link: unknown = target.closest('a[href]')
  const isElement = typeof link === 'object' && link !== null && 'getAttribute' in link
  return isElement && typeof link.getAttribute === 'function' ? String(link.getAttribute('href')) : null
}
