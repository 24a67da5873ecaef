/** Below this a mail that is too wide would be too small to read: it scrolls sideways instead. */
const MIN_SCALE = 0.7
/** A mail whose height follows that of the frame would grow for ever. */
const MAX_GROWTHS = 40
const MAX_HEIGHT = 200_000

/** Whether it is the page that was asked for: a refusal is JSON, and a broken line a page of the browser. */
export const isMessagePage = (page: Document | null): page is Document =>
  page !== null && page.contentType === 'text/html' && page.body !== null && page.URL.includes('/view')

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
