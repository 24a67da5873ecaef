import {
  attachmentNames,
  type Body,
  type Bytes,
  type MimeStructure,
  parseMessage,
  readForm,
  searchTextOf,
} from '../../formats/mime/mime.ts'
import type { MessageEnvelope } from '../../tables/store.ts'
import { FIELD_SEPARATOR, indexHeaders, indexText, indexWords, searchTexts } from './words.ts'

/** All that a message is found by, as it is stored. */
export type Searched = {
  /** One on each line. */
  readonly words: string
  readonly text: string
  readonly headers: string
}

type Read = {
  readonly structure: MimeStructure
  readonly body: Body
  readonly envelope: MessageEnvelope
  readonly subject: string | null
}

export const searchedOf = ({ structure, body, envelope, subject }: Read, bytes: Bytes): Searched => {
  const headers = fieldsOf(structure, bytes)
  const content = { subject, body: searchTextOf(body, bytes), attachments: attachmentNames(body), headers }
  return searchedContent(envelope, content)
}

/** The search texts of a message, also when only its database row is available. */
export const searchedContent = (envelope: MessageEnvelope, content: Parameters<typeof searchTexts>[1]): Searched => {
  const texts = searchTexts(envelope, content)
  return { words: indexWords(texts).join('\n'), text: indexText(texts), headers: indexHeaders(content.headers) }
}

/** Adds header fields that were prepended to the stored message. */
export const withPrefix = (searched: Searched, prefix: Buffer): Searched => {
  if (prefix.length === 0) return searched
  const fields = indexHeaders(fieldsOf(parseMessage(prefix), prefix))
  return { ...searched, headers: fields + searched.headers.slice(FIELD_SEPARATOR.length) }
}

const fieldsOf = ({ root }: MimeStructure, bytes: Bytes): { name: string; value: string }[] =>
  root.fields.map((field) => ({ name: field.name, value: readForm(bytes, field, 'text') }))
