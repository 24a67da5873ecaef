import type { FromEditor } from '../protocol.ts'
import { caretAt, caretToEnd, keepCaret, type Point } from './caret.ts'
import type { Say } from './editor-channel.ts'
import { inlineHtml } from './inline-content.ts'
import { elementsOf } from './marks.ts'
import { collapse, linesOf, shownText, showsOnlyText, type TextValue, writeHtml, writeText } from './text.ts'

type Request = Extract<FromEditor, { t: 'startInline' }>

/** Typing on the page itself. One element at a time. */
export type InlineEditing = {
  start(request: Request, at: Point | null): void
  stop(commit: boolean): void
  /** Sends the typed text at once instead of after the delay. */
  flush(): void
  /** Whether this is in the element that is being edited. */
  holds(node: unknown): boolean
  /** A value from the editor, while it is edited here. False when this element is not. */
  show(element: Element, value: TextValue): boolean
  onKey(event: KeyboardEvent): boolean
  italic(): void
  lineBreak(): void
}

type Value = { value: string; html?: string }

type Open = Request & {
  element: HTMLElement
  /** The original nodes of the page, to be restored. */
  nodes: readonly ChildNode[]
  attributes: ReadonlyMap<string, string | null>
  /** The field's value when editing began, and what was read of the page then. */
  before: Value
  shown: Value
  timer: ReturnType<typeof setTimeout> | undefined
}

const EDIT_MS = 150
const TOUCHED = ['contenteditable', 'style', 'role', 'tabindex', 'aria-multiline', 'spellcheck'] as const
/** They hold no text of their own, or the browser edits it elsewhere. */
const UNFIT = 'img,input,textarea,select,option,video,audio,canvas,svg,svg *,math,meta,hr,br'

export const createInlineEditing = (say: Say, onBar: (element: Element | null) => void): InlineEditing => {
  let open: Open | null = null

  const read = ({ element, formatted, multiline }: Open): Value => {
    if (formatted) return { value: collapse(linesOf(element)), html: withBreaks(element) }
    return {
      value: multiline ? linesOf(element).replace(/\n+$/, '') : (element.textContent?.replace(/\n+/g, ' ') ?? ''),
    }
  }

  const send = (t: 'edit' | 'commit' | 'cancel', { key, index }: Open, value: Value) => say({ t, key, index, ...value })

  const flush = () => {
    if (!open?.timer) return
    clearTimeout(open.timer)
    open.timer = undefined
    send('edit', open, read(open))
  }

  const stop = (commit: boolean) => {
    if (!open) return
    const ended = open
    const value = read(ended)
    open = null
    clearTimeout(ended.timer)
    unlisten(ended.element)
    onBar(null)
    for (const [name, before] of ended.attributes)
      if (before === null) ended.element.removeAttribute(name)
      else ended.element.setAttribute(name, before)
    const isChanged = value.html !== ended.shown.html || value.value !== ended.shown.value
    if (!commit || !isChanged) ended.element.replaceChildren(...ended.nodes)
    else show(ended.element, value)
    ended.element.blur()
    send(commit ? 'commit' : 'cancel', ended, commit && isChanged ? value : ended.before)
  }

  const onInput = () => {
    if (!open) return
    if (open.formatted) tidy(open.element)
    clearTimeout(open.timer)
    open.timer = setTimeout(flush, EDIT_MS)
  }
  const onBlur = () => stop(true)
  const listen = (element: HTMLElement) => {
    element.addEventListener('input', onInput)
    element.addEventListener('beforeinput', filterInput)
    element.addEventListener('blur', onBlur)
  }
  const unlisten = (element: HTMLElement) => {
    element.removeEventListener('input', onInput)
    element.removeEventListener('beforeinput', filterInput)
    element.removeEventListener('blur', onBlur)
  }

  return {
    start: (request, at) => {
      const element = elementsOf('field', request.key)[request.index]
      if (open && open.element === element) return
      stop(true)
      if (!(element instanceof HTMLElement) || !canEdit(element, request)) {
        say({ t: 'refused', key: request.key, index: request.index })
        return
      }
      const attributes = new Map(TOUCHED.map((name) => [name, element.getAttribute(name)]))
      const shown = request.formatted ? { html: inlineHtml(element) } : { value: shownText(element, request) }
      const nodes = [...element.childNodes]
      show(element, { ...shown, ...given(request) })
      makeEditable(element, request)
      const none = { value: '' }
      open = { ...request, element, nodes, attributes, before: none, shown: none, timer: undefined }
      open.shown = read(open)
      open.before = { ...open.shown, ...given(request) }
      listen(element)
      focus()
      element.focus({ preventScroll: true })
      if (!at || !caretAt(element, at)) caretToEnd(element)
      if (request.formatted) onBar(element)
    },
    stop,
    flush,
    holds: (node) => open !== null && node instanceof Node && open.element.contains(node),
    show: (element, value) => {
      if (open?.element !== element) return false
      const now = read(open)
      if (value.html !== undefined ? value.html === now.html : value.value === now.value) return true
      clearTimeout(open.timer)
      open.timer = undefined
      if (open.multiline && value.html === undefined) element.textContent = value.value ?? ''
      else show(element, value)
      caretToEnd(element)
      return true
    },
    onKey: (event) => {
      const edited = open
      const run = edited && !event.isComposing ? actionOf(event, edited, stop) : null
      if (!run) return false
      event.preventDefault()
      run()
      // After ending it with a key the person goes on from here
      if (!open) edited?.element.focus({ preventScroll: true })
      return true
    },
    italic,
    lineBreak,
  }
}

/** Enter ends typing, except where it makes a line. */
const actionOf = (
  { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  { formatted, multiline }: Request,
  stop: (commit: boolean) => void,
): (() => void) | null => {
  const isMod = ctrlKey || metaKey
  if (key === 'Escape') return () => stop(false)
  if (key.toLowerCase() === 'i' && isMod && formatted) return italic
  if (key !== 'Enter') return null
  if (isMod) return () => stop(true)
  if (formatted && shiftKey) return lineBreak
  if (multiline && !formatted) return null
  return () => stop(true)
}

/** The browser keeps one place for what is selected, so that these need not know where it is. */
const italic = (): void => void document.execCommand('italic')
const lineBreak = (): void => void document.execCommand('insertLineBreak')

const given = ({ formatted, value, html }: Request): { value?: string; html?: string } =>
  formatted ? (html === undefined ? {} : { html }) : value === undefined ? {} : { value }

/** While spaces are kept, as they are here, browsers make lines of line feeds. */
const withBreaks = (element: Element): string => {
  const copy = document.createElement('div')
  writeHtml(copy, inlineHtml(element).replaceAll('\n', '<br>'))
  return inlineHtml(copy)
}

const canEdit = (element: HTMLElement, request: Request): boolean => {
  if (element.matches(UNFIT) || !showsOnlyText(element, request)) return false
  const { value, html } = given(request)
  if (html !== undefined) {
    const wanted = document.createElement('div')
    writeHtml(wanted, html)
    return collapse(inlineHtml(wanted)) === collapse(inlineHtml(element))
  }
  return value === undefined || collapse(value) === collapse(shownText(element, request))
}

const show = (element: Element, { value, html }: TextValue): void => {
  if (html !== undefined) writeHtml(element, html)
  else writeText(element, value ?? '')
}

const makeEditable = (element: HTMLElement, { formatted, multiline }: Request): void => {
  if (formatted) for (const text of textsIn(element)) text.data = text.data.replace(/[ \t\n\r\f]+/g, ' ')
  else if (multiline) element.textContent = linesOf(element)
  element.setAttribute('contenteditable', formatted ? 'true' : 'plaintext-only')
  // A browser that does not know it: the filter below keeps formatting out
  if (!element.isContentEditable) element.setAttribute('contenteditable', 'true')
  element.setAttribute('role', 'textbox')
  element.setAttribute('tabindex', '0')
  if (multiline || formatted) element.setAttribute('aria-multiline', 'true')
  // Typed spaces stay spaces; otherwise browsers put no-break spaces in their place
  element.style.setProperty('white-space', 'pre-wrap', 'important')
  element.style.setProperty('user-select', 'text', 'important')
  element.style.setProperty('outline', 'none', 'important')
}

const textsIn = (element: Element): Text[] => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

/** Only text comes in, and the one formatting that there is. */
const filterInput = (event: InputEvent): void => {
  if (/^(format(?!Italic)|insertFromDrop)/.test(event.inputType)) {
    event.preventDefault()
    return
  }
  const isPlain = event.currentTarget instanceof HTMLElement && event.currentTarget.contentEditable === 'plaintext-only'
  if (isPlain || !/^insertFrom(Paste|Yank)/.test(event.inputType)) return
  event.preventDefault()
  const text = event.dataTransfer?.getData('text/plain') ?? event.data ?? ''
  document.execCommand('insertText', false, text.replace(/\s*[\r\n]+\s*/g, ' '))
}

/** Makes the content text, `i` and `br` again, when the browser has put anything else there. */
const tidy = (element: HTMLElement): void => {
  const isTidy = [...element.querySelectorAll('*')].every(
    (inner) => inner.matches('i,br') && inner.attributes.length === 0 && !inner.matches('i i'),
  )
  if (!isTidy) keepCaret(element, () => writeHtml(element, inlineHtml(element)))
}
