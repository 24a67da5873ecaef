import type { MimeStructure } from '../../../formats/mime/mime.ts'

/** Any of these makes bytes a message that somebody wrote; a text that happens to have a colon in it is none. */
const FIELDS: ReadonlySet<string> = new Set(
  'from to cc bcc date subject sender reply-to message-id in-reply-to references received return-path mime-version content-type resent-from resent-date delivered-to'.split(
    ' ',
  ),
)

/** True unless there is nothing in the bytes that reads as the header of a message. */
export const looksLikeMail = ({ root }: MimeStructure): boolean => root.fields.some(({ name }) => FIELDS.has(name))
