import type { FromEditor, Target } from '../protocol.ts'
import { VERSION } from '../protocol.ts'
import { makeReachable, type Names, nameOf } from './access.ts'
import type { Point } from './caret.ts'
import { showDesign } from './design.ts'
import { oncePerFrame, openEditorChannel, type Say } from './editor-channel.ts'
import { createInlineEditing } from './inline.ts'
import { createArrange } from './layout.ts'
import {
  allMarked,
  imageIn,
  isSame,
  type Level,
  levelOf,
  levelsAt,
  namesOf,
  pageHeight,
  pathOf,
  rectOf,
  sectionStates,
} from './marks.ts'
import { createOverlay } from './overlay.ts'
import { createPartTexts } from './parts.ts'
import { applyPatch } from './patch.ts'
import { watchPointing } from './pointing.ts'

/**
 * Runs in the sandboxed copy of a page, as its only script. It shows what can be edited, says what people do there, and
 * follows the editor's messages. It treats whatever the editor sends as data.
 */
const start = (): void => {
  const script = document.currentScript
  const channel = script?.dataset.channel ?? ''
  script?.remove()
  if (channel === '' || parent === window) return
  let receive: ((message: FromEditor) => void) | null = null
  const say = openEditorChannel(channel, (message) => {
    if (receive) receive(message)
    else if (message.t === 'init') receive = begin(say, message)
  })
  addEventListener('error', ({ message }) => say({ t: 'error', message: message.slice(0, 500) }))
  say({ t: 'hello', v: VERSION })
}

type Init = Extract<FromEditor, { t: 'init' }>

/** Starts editing, and gives what is done about each message. */
const begin = (say: Say, { definition, parts }: Init): ((message: FromEditor) => void) => {
  const names: Names = { ...definition, parts }
  let isEditable = true
  let selected: Level | null = null
  let hovered: Level | null = null
  let pointed: Point | null = null
  const overlay = createOverlay({ italic: () => inline.italic(), lineBreak: () => inline.lineBreak() })
  const inline = createInlineEditing(say, overlay.showBar)
  const arrange = createArrange()
  const showParts = createPartTexts()
  const design = new CSSStyleSheet()
  document.adoptedStyleSheets.push(design)

  const hover = (level: Level | null) => {
    if (level?.element === hovered?.element && isSame(level?.target ?? null, hovered?.target ?? null)) return
    hovered = level
    overlay.hover(level, level ? nameOf(level, names) : '')
    say({ t: 'hover', ...chosen(level) })
  }
  const mark = (level: Level | null) => {
    selected = level
    overlay.select(level, level ? nameOf(level, names) : '')
  }

  watchPointing(say, inline, {
    isEditable: () => isEditable,
    selected: () => selected,
    hover,
    isOverlay: overlay.holds,
    select: (level, { open, at }) => {
      inline.stop(true)
      pointed = at
      mark(level)
      const picture = level?.target.kind === 'field' ? pictureOf(level.element) : undefined
      say({ t: 'select', ...chosen(level), ...(picture ? { picture } : {}), open })
    },
  })
  watchMoves(say, overlay.redraw)
  makeReachable(names)
  overlay.redraw()
  say({
    t: 'ready',
    v: VERSION,
    sections: sectionStates(),
    fields: namesOf('field'),
    parts: namesOf('part'),
    height: pageHeight(),
  })

  const highlight = (target: Target, { scroll, focus: isFocused }: { scroll: boolean; focus?: boolean }) => {
    const level = levelOf(target)
    mark(level)
    if (scroll) level?.element.scrollIntoView({ block: 'center', behavior: 'instant' })
    if (isFocused && level?.element instanceof HTMLElement) level.element.focus({ preventScroll: true })
    say({ t: 'highlighted', ...chosen(level) })
  }

  return (message) => {
    if (message.t === 'highlight') highlight(message.target, message)
    else if (message.t === 'clear') mark(null)
    else if (message.t === 'setText' || message.t === 'setImage' || message.t === 'setAlt') applyPatch(message, inline)
    else if (message.t === 'setStyle') showDesign(design, message)
    else if (message.t === 'setParts') showParts(message.parts)
    else if (message.t === 'startInline') {
      if (isEditable) inline.start(message, pointed)
      else say({ t: 'refused', key: message.key, index: message.index })
      pointed = null
    } else if (message.t === 'stopInline') inline.stop(message.commit)
    else if (message.t === 'scrollTo') scrollTo({ top: message.y, behavior: 'instant' })
    else if (message.t === 'setEditable') {
      isEditable = message.editable
      if (isEditable) return
      inline.stop(true)
      hover(null)
      mark(null)
    } else if (message.t === 'layout') {
      inline.stop(true)
      arrange(message)
      if (document.hasFocus()) selected?.element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      say({ t: 'layout', sections: sectionStates() })
    }
    overlay.redraw()
  }
}

const chosen = (level: Level | null) => ({
  target: level?.target ?? null,
  path: level ? pathOf(level) : [],
  rect: level ? rectOf(level.element) : null,
})

const pictureOf = (element: Element): { src: string; alt: string } | undefined => {
  const image = imageIn(element)
  // A picture in the page's own text is as long as it is large
  return image
    ? { src: image.currentSrc.length <= 4096 ? image.currentSrc : '', alt: image.alt.slice(0, 4096) }
    : undefined
}

/** Outlines follow the page; the editor receives the new positions when they have changed. */
const watchMoves = (say: Say, redraw: () => void): void => {
  const onScroll = oncePerFrame(() => {
    redraw()
    say({ t: 'scroll', y: scrollY, height: pageHeight() })
  })
  const onMove = oncePerFrame(() => {
    redraw()
    const rects = allMarked()
      .slice(0, MAX_RECTS)
      .flatMap((element) => {
        const [level] = levelsAt(element)
        return level ? [{ target: level.target, rect: rectOf(element) }] : []
      })
    say({ t: 'rects', y: scrollY, height: pageHeight(), rects })
  })
  document.addEventListener('scroll', onScroll, { capture: true, passive: true })
  addEventListener('resize', onMove)
  document.addEventListener('load', onMove, { capture: true })
  new ResizeObserver(onMove).observe(document.documentElement)
}

const MAX_RECTS = 500

start()
