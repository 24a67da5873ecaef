import type { Attachment } from '@stoa/mail-model/messages.ts'

/** The URL of one attachment of a message. */
export const partUrl = (messageId: string, section: string): string =>
  `/api/mail/messages/${messageId}/part/${encodeURIComponent(section)}`

/** The kinds of files that people distinguish. */
export type FileKind =
  | 'image'
  | 'pdf'
  | 'text'
  | 'sheet'
  | 'archive'
  | 'audio'
  | 'video'
  | 'calendar'
  | 'contact'
  | 'mail'
  | 'file'

const ENDINGS: readonly (readonly [FileKind, RegExp])[] = [
  ['pdf', /\.pdf$/i],
  ['sheet', /\.(?:xlsx?|ods|csv|numbers)$/i],
  ['text', /\.(?:docx?|odt|rtf|txt|md|pages)$/i],
  ['archive', /\.(?:zip|7z|rar|tar|gz|tgz|bz2|xz)$/i],
  ['calendar', /\.ics$/i],
  ['contact', /\.vcf$/i],
  ['mail', /\.eml$/i],
  ['image', /\.(?:png|jpe?g|gif|webp|avif|bmp|svg|heic|tiff?)$/i],
]

const TYPES: readonly (readonly [FileKind, RegExp])[] = [
  ['image', /^image\//],
  ['pdf', /^application\/pdf$/],
  ['audio', /^audio\//],
  ['video', /^video\//],
  ['calendar', /^text\/calendar$/],
  ['contact', /^text\/(?:x-)?vcard$/],
  ['mail', /^message\//],
  ['sheet', /spreadsheet|ms-excel|csv/],
  ['archive', /zip|compressed|x-tar|gzip/],
  ['text', /^text\/|msword|wordprocessing|opendocument\.text/],
]

/** The kind by MIME type; the file extension decides where the type is too general. */
export const kindOf = ({ content_type: type, filename }: Pick<Attachment, 'content_type' | 'filename'>): FileKind =>
  TYPES.find(([, pattern]) => pattern.test(type))?.[0] ??
  ENDINGS.find(([, pattern]) => pattern.test(filename))?.[0] ??
  'file'

// The service gives these out as pictures; anything else only as bytes
const SHOWN = /^image\/(?:png|x-png|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp)$/

/** Whether the browser can draw it here. */
export const isPicture = ({ content_type: type }: Pick<Attachment, 'content_type'>): boolean => SHOWN.test(type)

/** Has the browser save a file of the service. */
export const download = (url: string, filename: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
}

// Browsers drop downloads that begin at the same moment
const BETWEEN_MS = 350

/** One after the other. */
export const downloadAll = async (messageId: string, attachments: readonly Attachment[]): Promise<void> => {
  for (const { section, filename } of attachments) {
    download(partUrl(messageId, section), filename)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}
