import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { dropNeedless, readFormatting } from './paste/formatting.ts'
import {
  dropEmptyBlocks,
  dropLooseBreaks,
  dropNeedlessDirection,
  liftPictures,
  lowerHeadings,
  splitAtDoubleBreaks,
  tidyLists,
  unwrapRedirects,
} from './paste/tidy.ts'
import { changeElements, type PasteElement, readPaste, writePaste } from './paste/tree.ts'
import { readWord } from './paste/word.ts'

export type PasteSource = 'word' | 'docs' | 'other'

export type Pasted = {
  /** HTML ready to store except for its pictures: `#pasted-0` is the placeholder of the first. */
  html: string
  /** `data:` addresses of pictures that come along. */
  pictures: readonly string[]
  /** Pictures with local file addresses: a browser cannot reach them. */
  lostPictures: number
  /** Pictures that other websites serve. */
  remotePictures: number
}

/** Larger ones are no text that someone copied on purpose, and would stop the page. */
const MAX_PASTE_LENGTH = 16_000_000
const MAX_PICTURES = 50
const PASTED = '#pasted-'

/** The number of the picture that an address in pasted HTML stands for, or null. */
export const pastedPicture = (src: string): number | null =>
  src.startsWith(PASTED) ? Number(src.slice(PASTED.length)) : null

/** Pasted HTML with its meaning and without its looks; null when it is too long to be stored. */
export const cleanPaste = (given: string): Pasted | null => {
  if (given.length > MAX_PASTE_LENGTH) return null
  const source = sourceOf(given)
  const { html, pictures } = takePictures(dropParts(fragmentOf(given)))
  const root = readPaste(html)
  if (source === 'word') readWord(root)
  readFormatting(root, source)
  unwrapRedirects(root)
  const counts = checkPictures(root)
  if (source !== 'other') {
    dropEmptyBlocks(root)
    dropLooseBreaks(root)
    for (const attributes of [...languagesBelow(root)]) attributes.delete('lang')
  }
  dropNeedless(root)
  dropNeedlessDirection(root)
  lowerHeadings(root)
  splitAtDoubleBreaks(root)
  tidyLists(root)
  liftPictures(root)
  const cleaned = cleanHtml(writePaste(root))
  return cleaned === null ? null : { html: cleaned, pictures, ...counts }
}

/** Which program wrote it. */
export const sourceOf = (html: string): PasteSource => {
  if (/\bmso-|urn:schemas-microsoft-com|<!--\[if |class="?Mso/i.test(html)) return 'word'
  return /id="?docs-internal-guid/.test(html) ? 'docs' : 'other'
}

/** The selected part, where the clipboard marks it. */
const fragmentOf = (html: string): string => {
  const start = html.indexOf(FRAGMENT_START)
  const end = html.lastIndexOf(FRAGMENT_END)
  return start === -1 || end < start ? html : html.slice(start + FRAGMENT_START.length, end)
}
const FRAGMENT_START = '<!--StartFragment-->'
const FRAGMENT_END = '<!--EndFragment-->'

/** Styles and comments are most of what Word writes: without them the rest fits. */
const dropParts = (html: string): string => between(between(html, '<style', '</style>'), '<!--', '-->')

const between = (html: string, start: string, end: string): string => {
  let kept = ''
  let at = 0
  for (;;) {
    const from = html.indexOf(start, at)
    const to = from === -1 ? -1 : html.indexOf(end, from)
    if (to === -1) return kept + html.slice(at)
    kept += html.slice(at, from)
    at = to + end.length
  }
}

const takePictures = (html: string): { html: string; pictures: readonly string[] } => {
  const pictures: string[] = []
  const taken = html.replace(
    /\bsrc=(["'])(data:image\/[a-z+.-]{1,20};base64,[^"']*)\1/gi,
    (_all, _quote, data: string) => {
      if (pictures.length >= MAX_PICTURES) return 'src=""'
      pictures.push(data)
      return `src="${PASTED}${pictures.length - 1}"`
    },
  )
  return { html: taken, pictures }
}

const checkPictures = (root: PasteElement): { lostPictures: number; remotePictures: number } => {
  let lostPictures = 0
  let remotePictures = 0
  changeElements(root, (element) => {
    if (element.tag !== 'img') return [element]
    const src = element.attributes.get('src') ?? ''
    if (pastedPicture(src) !== null || element.attributes.has('data-media-id')) return [element]
    // A pixel that counts readers is no picture
    if (element.attributes.get('width') === '1' && element.attributes.get('height') === '1') return []
    if (/^https?:/i.test(src)) {
      remotePictures += 1
      return [element]
    }
    lostPictures += 1
    return []
  })
  return { lostPictures, remotePictures }
}

function* languagesBelow(root: PasteElement): Generator<Map<string, string>> {
  yield root.attributes
  for (const child of root.children) if (typeof child === 'object') yield* languagesBelow(child)
}
