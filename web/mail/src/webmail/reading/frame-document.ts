import { QUOTE_STYLE } from './quotes.ts'

/** How the page inside a reading frame is shown. It has no scripts of its own; all of this is done from outside. */
export type FrameLook = {
  isText: boolean
  /** Takes the colors of the app: plain text, and mails without colors of their own. */
  isColourless: boolean
  isDark: boolean
  /** The colors of the mail are turned around by the frame; its pictures are turned back. */
  isInverted: boolean
}

/** The app's styles for a page that has none of its own. */
export type AppLook = { ink: string; link: string; font: string }

/** Puts the looks of the app on the page, as far as the mail has none. */
export const dressPage = (
  page: Document,
  { isText, isColourless, isDark, isInverted }: FrameLook,
  app: AppLook,
): void => {
  styleOf(page).textContent = [
    `html{overflow:auto hidden}body{font-family:${app.font}}body>p:first-child,body>div:first-child>p:first-child{margin-top:0}`,
    NARROW,
    QUOTE_STYLE,
    isColourless ? `a{color:${app.link}}` : '',
    isText ? `body *{unicode-bidi:plaintext;text-align:start}` : '',
    isColourless && isDark ? `html{background:transparent;color-scheme:dark}body{color:${app.ink}}` : '',
    isInverted ? 'img,[background]{filter:invert(1) hue-rotate(180deg)}' : '',
  ].join('')
}

/**
 * Whether a mail brings colors: those are made for white paper. What most people write has none, and is read in the
 * colors of the app like plain text.
 */
export const hasColours = (html: string): boolean => COLOURED.test(html)

const COLOURED =
  /<(?:style|link)\b|<[a-z][^<>]*(?:\s(?:bgcolor|color|text|background)\s*=|[\s;"'](?:background(?:-color|-image)?|color)\s*:)/i

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
