/**
 * What the editor and its canvas say to each other, both ways: `{ cms: 1, ch, t, … }`. The canvas has an opaque origin, so
 * that nothing but the frame and the channel, a random id, identifies the sender. Whatever is not exactly one of
 * these messages, within these sizes, is null. Both sides read with this file; it is part of the inline controller, and
 * therefore small and without a schema library.
 */

export const VERSION = 1

/** A rectangle in pixels of the canvas' window. */
export type Rect = { x: number; y: number; width: number; height: number }

/**
 * Something on the page that can be chosen. `id` is the section's or part's id or the field's key, `index` counts the
 * elements that have it, in the order of the page. An element that shows several fields names them all in `keys`.
 */
export type Target = { kind: 'field' | 'section' | 'part'; id: string; index: number; keys?: string[] }

/** Sections with the same `group` have the same parent: they may change places with each other. */
/** `within` is the section around it. */
export type SectionState = {
  id: string
  hidden: boolean
  fixed: boolean
  group: number
  within: string | null
  rect: Rect
}

export const KEYS = [
  ...['mod+Z', 'mod+Shift+Z', 'mod+S', 'mod+E', 'mod+K', 'Esc', 'Alt+Up', 'Alt+Down'],
  ...['1', '2', '3', '4', '5', '6'],
] as const
export type KeyCombo = (typeof KEYS)[number]

type Picture = { src: string; alt: string }
/** A text of a part as the page came with it, and as it is now. */
export type PartText = { was: string; is: string }
type InlineValue = { key: string; index: number; value: string; html?: string }

/** From the canvas to the editor. */
export type FromCanvas =
  /** The controller runs and waits for `init`. */
  | { t: 'hello'; v: 1 }
  /** Once, after `init`. Sections stand in the order of the page. */
  | { t: 'ready'; v: 1; sections: SectionState[]; fields: string[]; parts: string[]; height: number }
  | { t: 'hover'; target: Target | null; path: Target[]; rect: Rect | null }
  /** `path` is from the outermost to the target itself; `picture` is there when the target shows one. */
  | { t: 'select'; target: Target | null; path: Target[]; rect: Rect | null; picture?: Picture; open: boolean }
  /** While somebody types, when it is done, and when it was given up: then `value` is what it was before. */
  | ({ t: 'edit' | 'commit' | 'cancel' } & InlineValue)
  /** `startInline` was not possible, because the page shows something else there than the value alone. */
  | { t: 'refused'; key: string; index: number }
  | { t: 'key'; combo: KeyCombo }
  /** A link was clicked. It is never followed. */
  | { t: 'link'; href: string }
  | { t: 'scroll'; y: number; height: number }
  /** The rectangles of everything that can be chosen, after the page has moved. */
  | { t: 'rects'; y: number; height: number; rects: { target: Target; rect: Rect }[] }
  /** The answer to `highlight`: where it is, or null when the page does not show it. */
  | { t: 'highlighted'; target: Target | null; path: Target[]; rect: Rect | null }
  /** The result of `layout`. */
  | { t: 'layout'; sections: SectionState[] }
  | { t: 'error'; message: string }

export type Labels = Record<string, string>

/** From the editor to the canvas. */
export type FromEditor =
  /** The names of what can be chosen, for outlines and for screen readers. */
  | { t: 'init'; definition: { sections: Labels; fields: Labels }; parts: Labels; mode: 'edit'; locale: string }
  /** `scroll` brings it into view; `focus` also gives it the keyboard. */
  | { t: 'highlight'; target: Target; scroll: boolean; focus?: boolean }
  | { t: 'clear' }
  /** Shows a value in every element of the field, at once: `html` is of a formatted field. */
  | { t: 'setText'; key: string; value?: string; html?: string }
  | { t: 'setImage'; key: string; src: string; alt: string }
  | { t: 'setAlt'; key: string; alt: string }
  /**
   * The design as it would be: rules that come after those of the page. Empty takes them away. `originals` have the
   * website's own value again, which only the page knows.
   */
  | { t: 'setStyle'; css: string; originals: { selector: string; property: string }[] }
  /** The texts of parts as they would be; what is not named shows again what the page came with. */
  | { t: 'setParts'; parts: { id: string; texts: PartText[] }[] }
  | { t: 'layout'; order: string[]; hidden: string[] }
  /** `value` (or `html`) is what the field holds: when the page shows anything else, it is edited at the side. */
  | {
      t: 'startInline'
      key: string
      index: number
      formatted: boolean
      multiline: boolean
      value?: string
      html?: string
    }
  | { t: 'stopInline'; commit: boolean }
  | { t: 'scrollTo'; y: number }
  | { t: 'setEditable'; editable: boolean }

export type Envelope = { cms: 1; ch: string }

/** The envelope of a message. */
export const envelope = <M extends FromCanvas | FromEditor>(message: M, channel: string): M & Envelope => ({
  ...message,
  cms: 1,
  ch: channel,
})

const MAX_ID = 200
const MAX_LINE = 4096
/** The maximum length of a text field's value. */
const MAX_TEXT = 1_048_576
const MAX_CSS = 262_144
const MAX_ITEMS = 2000
const MAX_LENGTH = 1e7

type Check = (value: unknown) => boolean

const text =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max
const isId: Check = (value) => text(MAX_ID)(value) && value !== ''
const isFlag: Check = (value) => typeof value === 'boolean'
const isLength: Check = (value) => typeof value === 'number' && Math.abs(value) <= MAX_LENGTH
const isCount: Check = (value) => Number.isInteger(value) && isLength(value) && (value as number) >= 0
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const list =
  (check: Check, max = MAX_ITEMS): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check)
/** Exactly these members, none of them inherited. */
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isPlain(value) &&
    Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined))
const labels: Check = (value) => {
  if (!isPlain(value)) return false
  const entries = Object.entries(value)
  return entries.length <= MAX_ITEMS && entries.every(([name, label]) => isId(name) && text(MAX_ID)(label))
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isRect = members({ x: isLength, y: isLength, width: isLength, height: isLength })
const isTarget = members({
  kind: oneOf('field', 'section', 'part'),
  id: isId,
  index: isCount,
  keys: optional(list(isId, 50)),
})
const isSections = list(
  members({ id: isId, hidden: isFlag, fixed: isFlag, group: isCount, within: orNull(isId), rect: isRect }),
)
const isPicture = members({ src: text(MAX_LINE), alt: text(MAX_LINE) })
const isPartText = members({ was: text(MAX_LINE), is: text(MAX_LINE) })
const chosen = { target: orNull(isTarget), path: list(isTarget, 600), rect: orNull(isRect) }
const inline = { key: isId, index: isCount, value: text(MAX_TEXT), html: optional(text(MAX_TEXT)) }

type Shapes<M extends { t: string }> = Record<M['t'], Readonly<Record<string, Check>>>

const fromCanvas: Shapes<FromCanvas> = {
  hello: { v: oneOf(VERSION) },
  ready: { v: oneOf(VERSION), sections: isSections, fields: list(isId), parts: list(isId), height: isLength },
  hover: chosen,
  select: { ...chosen, picture: optional(isPicture), open: isFlag },
  edit: inline,
  commit: inline,
  cancel: inline,
  refused: { key: isId, index: isCount },
  key: { combo: oneOf(...KEYS) },
  link: { href: text(MAX_LINE) },
  scroll: { y: isLength, height: isLength },
  rects: { y: isLength, height: isLength, rects: list(members({ target: isTarget, rect: isRect })) },
  highlighted: chosen,
  layout: { sections: isSections },
  error: { message: text(MAX_LINE) },
}

const fromEditor: Shapes<FromEditor> = {
  init: {
    definition: members({ sections: labels, fields: labels }),
    parts: labels,
    mode: oneOf('edit'),
    locale: text(MAX_ID),
  },
  highlight: { target: isTarget, scroll: isFlag, focus: optional(isFlag) },
  clear: {},
  setText: { key: isId, value: optional(text(MAX_TEXT)), html: optional(text(MAX_TEXT)) },
  setImage: { key: isId, src: text(MAX_LINE), alt: text(MAX_LINE) },
  setAlt: { key: isId, alt: text(MAX_LINE) },
  setStyle: { css: text(MAX_CSS), originals: list(members({ selector: text(MAX_LINE), property: text(MAX_ID) })) },
  setParts: { parts: list(members({ id: isId, texts: list(isPartText) })) },
  layout: { order: list(isId), hidden: list(isId) },
  startInline: {
    key: isId,
    index: isCount,
    formatted: isFlag,
    multiline: isFlag,
    value: optional(text(MAX_TEXT)),
    html: optional(text(MAX_TEXT)),
  },
  stopInline: { commit: isFlag },
  scrollTo: { y: isLength },
  setEditable: { editable: isFlag },
}

/** The message of a canvas to its editor, or null for anything else. */
export const readFromCanvas = (data: unknown, channel: string): FromCanvas | null =>
  read<FromCanvas>(fromCanvas, data, channel)

/** The message of an editor to its canvas, or null for anything else. */
export const readFromEditor = (data: unknown, channel: string): FromEditor | null =>
  read<FromEditor>(fromEditor, data, channel)

const read = <M extends { t: string }>(shapes: Shapes<M>, data: unknown, channel: string): M | null => {
  if (channel === '' || !isPlain(data) || data.cms !== 1 || data.ch !== channel) return null
  const { cms: _, ch: __, t, ...rest } = data
  if (typeof t !== 'string' || !Object.hasOwn(shapes, t)) return null
  return members(shapes[t as M['t']])(rest) ? ({ ...rest, t } as unknown as M) : null
}
