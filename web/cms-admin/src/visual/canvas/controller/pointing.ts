import type { Point } from './caret.ts'
import { oncePerFrame, type Say } from './editor-channel.ts'
import type { InlineEditing } from './inline.ts'
import { comboOf } from './keys.ts'
import { isSame, type Level, levelsAt, MARKED } from './marks.ts'

/** What the pointer and the keyboard act on. */
export type Choice = {
  isEditable(): boolean
  selected(): Level | null
  select(level: Level | null, options: { open: boolean; at: Point | null }): void
  hover(level: Level | null): void
  /** Whether it is part of what the controller draws over the page. */
  isOverlay(target: EventTarget | null): boolean
}

const LINK = 'a[href],area[href]'
/** Default actions of a page that the editor prevents: follow, send, move, open. */
const PREVENTED = ['auxclick', 'submit', 'reset', 'dragstart', 'dragover', 'drop', 'dblclick'] as const
const MAX_HREF = 4096

const capture = <K extends keyof DocumentEventMap>(type: K, run: (event: DocumentEventMap[K]) => void): void =>
  document.addEventListener(type, run, { capture: true })

const stop = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Pointer and keyboard choose what to edit; nothing on the page acts by itself. */
export const watchPointing = (say: Say, inline: InlineEditing, choice: Choice): void => {
  for (const type of PREVENTED) capture(type, (event) => inline.holds(event.target) || stop(event))
  watchClicks(say, inline, choice)
  watchHover(choice)
  watchKeys(say, inline, choice)
}

const watchClicks = (say: Say, inline: InlineEditing, choice: Choice): void => {
  let clicked: Element | null = null
  /** A click that places the caret. */
  const isTyping = (event: MouseEvent) => inline.holds(event.target) && !event.altKey

  capture('mousedown', (event) => {
    if (choice.isOverlay(event.target) || isTyping(event)) return
    inline.stop(true)
    event.preventDefault()
    // A press whose default is prevented does not bring the keyboard here
    focus()
  })
  capture('click', (event) => {
    if (choice.isOverlay(event.target)) return
    stop(event)
    if (isTyping(event)) return
    const place = event.target instanceof Element ? event.target : null
    const levels = choice.isEditable() ? levelsAt(place) : []
    const nearest = levels[0]?.element ?? null
    const level = levelFor(levels, choice.selected(), { isAgain: nearest === clicked, isOut: event.altKey })
    clicked = nearest
    choice.select(level, { open: false, at: { x: event.clientX, y: event.clientY } })
    const link = place?.closest(LINK)
    const href = link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement ? link.href : ''
    if (href !== '' && href.length <= MAX_HREF) say({ t: 'link', href })
  })
}

/** The nearest; with Alt, or at the same place again, the next one around what is selected. */
const levelFor = (
  levels: readonly Level[],
  selected: Level | null,
  { isAgain, isOut }: { isAgain: boolean; isOut: boolean },
): Level | null => {
  const at = levels.findIndex(({ target }) => isSame(target, selected?.target ?? null))
  if (isOut) return levels[at < 0 ? 1 : at + 1] ?? levels.at(-1) ?? null
  return (isAgain && at >= 0 ? levels[at + 1] : null) ?? levels[0] ?? null
}

const watchHover = (choice: Choice): void => {
  let under: EventTarget | null = null
  const show = oncePerFrame(() => {
    const place = under instanceof Element && choice.isEditable() ? under : null
    choice.hover(levelsAt(place)[0] ?? null)
  })
  const hoverAt = (target: EventTarget | null) => {
    if (under === target || choice.isOverlay(target)) return
    under = target
    show()
  }
  capture('pointerover', (event) => hoverAt(event.target))
  document.documentElement.addEventListener('pointerleave', () => hoverAt(null))
  capture('focusin', (event) => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) hoverAt(event.target)
  })
}

const watchKeys = (say: Say, inline: InlineEditing, choice: Choice): void =>
  capture('keydown', (event) => {
    if (inline.onKey(event)) return event.stopImmediatePropagation()
    const isTyping = inline.holds(event.target)
    const combo = comboOf(event, isTyping)
    if (combo) {
      stop(event)
      inline.flush()
      say({ t: 'key', combo })
      return
    }
    const { target, key } = event
    if (isTyping || (key !== 'Enter' && key !== ' ')) return
    if (!choice.isEditable() || !(target instanceof Element) || !target.matches(MARKED)) return
    stop(event)
    choice.select(levelsAt(target)[0] ?? null, { open: true, at: null })
  })
