/** How long the code of a window may take to load; later key presses are shortcuts again. */
const WAIT_MS = 5_000

let isCatching = false

/**
 * Takes the keys that somebody presses before the window that they asked for can take them. They are its first letters:
 * as shortcuts they would archive or delete what is read.
 */
export const catchKeys = (): void => {
  if (isCatching) return
  isCatching = true
  let caught = ''
  let taker: HTMLElement | undefined
  const keydown = (event: KeyboardEvent) => {
    // In the field that takes them, what was caught before comes first
    if (isField(event.target) && event.target !== taker) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key.length !== 1) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // The key that opened the window, still held down
    if (!event.repeat) caught += event.key
  }
  const focusin = ({ target }: FocusEvent) => {
    if (!isField(target) || !target.closest('[data-compose-window]')) return
    if (caught === '') return stop()
    taker = target
    // Once the editor has put its caret. Deprecated, but the one way that inputs and editors alike take as typed.
    setTimeout(() => {
      stop()
      document.execCommand('insertText', false, caught)
    })
  }
  const stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', keydown, true)
    window.removeEventListener('focusin', focusin, true)
    isCatching = false
  }
  const timer = setTimeout(stop, WAIT_MS)
  window.addEventListener('keydown', keydown, true)
  window.addEventListener('focusin', focusin, true)
}

const isField = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
