import type { Field } from '@stoa/cms-model/fields/field.ts'
import { isRecord, type Members, memberOf } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { isMarkup } from '@stoa/cms-model/html/plain.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'

/** Text that belongs together, and what it stands below. */
export type Block = { heading: string; text: string }

/** A longer one is text: it would be repeated above every piece below it. */
const MAX_HEADING = 200

/** The text of the members in the order of their fields. */
export const blocksOf = (fields: readonly Field[], members: Members, heading = ''): Block[] =>
  fields.flatMap((field) =>
    blocksOfField(field, memberOf(members, field.key), heading).filter(({ text }) => text !== ''),
  )

const blocksOfField = (field: Field, value: unknown, heading: string): Block[] => {
  const type = typeOf(field)
  const below = heading || field.label
  if (field.type === 'list') return itemsOf(value).flatMap((item) => itemBlocks(field.fields, item, below))
  // A document is for programs.
  if (type.changeView === 'json') return []
  switch (type.writing) {
    case 'richtext':
      return htmlBlocks(String(value ?? ''), below)
    case 'markdown':
      return markdownBlocks(String(value ?? ''), below)
    case 'textarea':
      return [{ heading: below, text: plain(value) }]
    default: {
      // A short value means little without its label: "Price: 20".
      const text = type.writing === 'text' ? plain(value) : type.text(value, field)
      return text === '' ? [] : [{ heading, text: `${field.label}: ${text}` }]
    }
  }
}

/** An item with a first line and more below it, such as a question with its answer. */
const itemBlocks = (fields: readonly Field[], item: Members, outer: string): Block[] => {
  const [first, ...rest] = fields
  const title = first && typeOf(first).writing === 'text' ? plain(memberOf(item, first.key)) : ''
  if (title === '' || title.length > MAX_HEADING) return blocksOf(fields, item, outer)
  const blocks = blocksOf(rest, item, title)
  return blocks.length > 0 ? blocks : [{ heading: outer, text: title }]
}

const itemsOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const plain = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  return isMarkup(value) ? textOfHtml(value) : value.trim()
}

/** Cleaned HTML: its tags are lower-case and closed. */
const htmlBlocks = (html: string, heading: string): Block[] => {
  const blocks: Block[] = []
  let at = 0
  let current = heading
  for (const match of html.matchAll(/<h([1-6])(?: [^<>]*)?>([\s\S]*?)<\/h\1>/g)) {
    blocks.push({ heading: current, text: linesOfHtml(html.slice(at, match.index)) })
    addHeading(blocks, current)
    current = headingAfter(blocks, current, textOfHtml(match[2] ?? ''))
    at = match.index + match[0].length
  }
  blocks.push({ heading: current, text: linesOfHtml(html.slice(at)) })
  addHeading(blocks, current)
  return blocks
}

const headingAfter = (blocks: Block[], heading: string, title: string): string => {
  if (title.length <= MAX_HEADING) return title || heading
  blocks.push({ heading, text: title })
  return heading
}

/** A heading with nothing below it is text by itself. */
const addHeading = (blocks: Block[], heading: string): void => {
  const last = blocks.at(-1)
  if (last && last.text === '' && blocks.length > 1) last.text = heading
}

const BLOCK_END = /<\/(?:p|li|tr|blockquote|pre|figcaption|summary|dt|dd|div)>|<br>/g

const linesOfHtml = (html: string): string =>
  html
    .replace(BLOCK_END, '$&\n')
    .split('\n')
    .map(textOfHtml)
    .filter((line) => line !== '')
    .join('\n')

const markdownBlocks = (source: string, heading: string): Block[] => {
  const blocks: Block[] = []
  let current = heading
  let lines: string[] = []
  const end = () => {
    blocks.push({ heading: current, text: lines.join('\n').trim() })
    addHeading(blocks, current)
    lines = []
  }
  for (const line of source.split(/\r\n?|\n/)) {
    const title = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]
    if (title === undefined) lines.push(unmarked(line))
    else {
      end()
      current = headingAfter(blocks, current, unmarked(withoutClosing(title)))
    }
  }
  end()
  return blocks
}

/** `## Title ##`: what may stand at the end of a heading. In steps, because a pattern would look at every run of spaces anew. */
const withoutClosing = (title: string): string => {
  let end = title.length
  while (end > 0 && ' \t#'.includes(title.charAt(end - 1))) end -= 1
  return title.slice(0, end)
}

/** A line of Markdown without its marks; of links and pictures their words stay. */
const unmarked = (line: string): string =>
  line
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/^\s*(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)?/, '')
    .replace(/[*`~]+/g, '')
    .replace(/_+/g, (run, at: number, whole: string) => (isInside(whole, at, run.length) ? run : ''))
    .trim()

/** Inside a word, as in snake_case, it is no mark. */
const isInside = (text: string, at: number, length: number): boolean =>
  /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + length))
