import type { Message } from '@stoa/mail-model/messages.ts'
import { newKey } from '@stoa/ui/browser/new-key.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import type { LetterFile } from '../letter.ts'
import { docToText } from './doc-to-mail.ts'
import { htmlToDoc } from './html-to-doc.ts'

type Original = Pick<Message, 'html' | 'text'>

/** Limits that keep typing fast: characters with all their formatting, and elements. */
const MAX_LENGTH = 200_000
const MAX_ELEMENTS = 5000
/** How much of a longer message is quoted, as plain text: replies rarely need the rest. */
const EXCERPT_LENGTH = 20_000
const EXCERPT_LINES = 400
/** Formatted, enough to hold that many words. */
const EXCERPT_HTML = 100_000
const MAX_NAME = 100

/** Whether a message is too long to be quoted as it is. */
export const isTooLong = ({ html, text }: Original): boolean =>
  html === null ? (text ?? '').length > MAX_LENGTH : html.length > MAX_LENGTH || hasManyElements(html)

const hasManyElements = (html: string): boolean => {
  let count = 0
  for (const _ of html.matchAll(/<[a-z]/gi)) {
    count += 1
    if (count > MAX_ELEMENTS) return true
  }
  return false
}

/** The words that a message begins with, whole lines of them. */
export const excerptOf = ({ html, text }: Original): string => {
  const words = text ?? (html === null ? '' : docToText(htmlToDoc(html.slice(0, EXCERPT_HTML))))
  const start = words.slice(0, EXCERPT_LENGTH).replace(/\r\n?/g, '\n')
  const lines = start.split('\n')
  const isCut = words.length > EXCERPT_LENGTH && lines.length > 1
  return lines
    .slice(0, isCut ? -1 : undefined)
    .slice(0, EXCERPT_LINES)
    .join('\n')
    .trimEnd()
}

/** The whole message as a file: of what is passed on nothing may be missing. */
export const wholeMessage = ({
  id,
  subject,
  size_bytes: size,
}: Pick<Message, 'id' | 'subject' | 'size_bytes'>): LetterFile => ({
  key: newKey(),
  filename: `${
    shownLine(subject ?? '')
      .replace(/[\\/:*?"<>|]/g, '_')
      .slice(0, MAX_NAME)
      .trim() || 'message'
  }.eml`,
  size,
  contentType: 'message/rfc822',
  contentId: null,
  blobId: `m${id}`,
  part: null,
  state: 'ready',
  share: 1,
  problem: null,
  canRetry: false,
})
