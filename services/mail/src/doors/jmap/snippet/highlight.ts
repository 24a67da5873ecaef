import type { Match } from '../../../store/store.ts'

/** RFC 8621 §5: octets of a preview. */
const MAX_PREVIEW = 255
/** Characters that are shown before the first match. */
const BEFORE = 60
const DOTS = '…'

/** The whole text, HTML-escaped, with matches in `<mark>`. */
export const markAll = (text: string, matches: readonly Match[]): string =>
  piecesOf(text, 0, matches)
    .map(({ text: piece, isMatch }) => (isMatch ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('')

/** The part of a text around its first match, as short as a preview may be. */
export const markPreview = (text: string, matches: readonly Match[]): string => {
  const start = beginning(text, matches[0]?.start ?? 0)
  let shown = start > 0 ? DOTS : ''
  let left = MAX_PREVIEW - Buffer.byteLength(shown) - Buffer.byteLength(DOTS)
  for (const { text: piece, isMatch } of piecesOf(text, start, matches)) {
    const marks = isMatch ? MARKS : 0
    const cut = cutEscaped(piece, left - marks)
    if (cut.shown !== '') shown += isMatch ? `<mark>${cut.shown}</mark>` : cut.shown
    left -= Buffer.byteLength(cut.shown) + marks
    if (!cut.isWhole) return `${shown.trimEnd()}${DOTS}`
  }
  return shown
}

const MARKS = '<mark></mark>'.length

/** Some words before the match, from the beginning of one. */
const beginning = (text: string, match: number): number => {
  if (match <= BEFORE) return 0
  const space = text.indexOf(' ', match - BEFORE)
  return space === -1 || space >= match ? match : space + 1
}

type Piece = { readonly text: string; readonly isMatch: boolean }

const piecesOf = (text: string, from: number, matches: readonly Match[]): Piece[] => {
  const pieces: Piece[] = []
  let at = from
  for (const { start, end } of matches) {
    if (start < at) continue
    pieces.push({ text: text.slice(at, start), isMatch: false }, { text: text.slice(start, end), isMatch: true })
    at = end
  }
  return [...pieces, { text: text.slice(at), isMatch: false }]
}

/** The longest prefix that fits, without cutting a character or an entity. */
const cutEscaped = (text: string, maxBytes: number): { shown: string; isWhole: boolean } => {
  let shown = ''
  let left = maxBytes
  for (const character of text) {
    const escaped = escapeHtml(character)
    left -= Buffer.byteLength(escaped)
    if (left < 0) return { shown, isWhole: false }
    shown += escaped
  }
  return { shown, isWhole: true }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
