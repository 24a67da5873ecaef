import { docToHtml, docToText } from './document/doc-to-mail.ts'
import type { DocNode } from './document/document.ts'
import { isBlank, picturesIn } from './document/document.ts'
import type { Recipient } from './recipients/recipients.ts'

export type LetterBody = { format: 'html'; doc: DocNode } | { format: 'text'; text: string }

/** A file of a message that is written. */
export type LetterFile = {
  key: string
  filename: string
  size: number
  contentType: string
  /** The text shows it as a picture under this id. */
  contentId: string | null
  /** The id of its bytes on the service: an upload, or a part of another message. */
  blobId: string | null
  /** Its part in a saved draft; valid only while that draft is the current one. */
  part: { draftId: string; section: string } | null
  state: 'waiting' | 'sending' | 'ready' | 'failed'
  /** How much of it is sent, from 0 to 1. */
  share: number
  problem: string | null
  canRetry: boolean
}

/** Everything that somebody writes: what is saved, kept in the browser and sent. */
export type Letter = {
  identityId: string | null
  to: readonly Recipient[]
  cc: readonly Recipient[]
  bcc: readonly Recipient[]
  subject: string
  body: LetterBody
  inReplyTo: string | null
  references: readonly string[]
  files: readonly LetterFile[]
  /** The message to mark once this one is sent. */
  original: { id: string; mark: 'answered' | 'forwarded'; wasMarked: boolean } | null
}

export const textOf = ({ body }: Pick<Letter, 'body'>): string =>
  body.format === 'text' ? body.text : docToText(body.doc)

/** Whether there is nothing to lose. */
export const isEmptyLetter = ({ to, cc, bcc, subject, body, files }: Letter): boolean =>
  to.length + cc.length + bcc.length + files.length === 0 &&
  subject.trim() === '' &&
  (body.format === 'text' ? body.text.trim() === '' : isBlank(body.doc))

/** Files that go with it: pictures that the text no longer shows stay behind. */
export const usedFiles = ({ files, body }: Pick<Letter, 'files' | 'body'>): readonly LetterFile[] => {
  const shown = body.format === 'html' ? picturesIn(body.doc) : new Set<string>()
  return files.filter(({ contentId }) => contentId === null || shown.has(contentId))
}

/** Files that are uploaded or part of the draft already. */
export const readyFiles = (letter: Pick<Letter, 'files' | 'body'>): readonly LetterFile[] =>
  usedFiles(letter).filter(({ state }) => state === 'ready')

type AttachmentJson = {
  filename?: string
  content_type?: string
  content_id: string | null
  blob_id?: string
  section?: string
}

/** The members that saving and sending have in common. */
export const letterJson = (letter: Letter, draftId: string | null) => ({
  identity_id: letter.identityId,
  to: letter.to,
  cc: letter.cc,
  bcc: letter.bcc,
  subject: oneLine(letter.subject),
  text: textOf(letter),
  ...(letter.body.format === 'html' ? { html: docToHtml(letter.body.doc) } : {}),
  in_reply_to: letter.inReplyTo,
  references: letter.references.length > 0 ? letter.references : null,
  attachments: readyFiles(letter).flatMap((file) => attachmentJson(file, draftId)),
})

/**
 * What the draft has already is named by its place there: uploads are forgotten after a day, and its name there is the one
 * that was given, where lists show a tidied one.
 */
const attachmentJson = (
  { part, blobId, contentId, filename, contentType }: LetterFile,
  draftId: string | null,
): AttachmentJson[] => {
  if (part !== null && part.draftId === draftId) return [{ section: part.section, content_id: contentId }]
  if (blobId === null) return []
  return [
    {
      filename: oneLine(filename).slice(0, MAX_FILENAME) || 'attachment',
      content_type: MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      content_id: contentId,
      blob_id: blobId,
    },
  ]
}

const MAX_FILENAME = 255
const MEDIA_TYPE = /^(?!multipart\/)[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

/** Files and their order: drafts of the same shape have the same files at the same places. */
export const shapeOf = (letter: Letter): string =>
  JSON.stringify([letter.body.format, readyFiles(letter).map(({ key }) => key)])
