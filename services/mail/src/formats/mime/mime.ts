export { type Mailbox, parseAddressEntries, parseAddresses } from './addresses.ts'
export { type Body, type BodyPart, contentTypeOf, readBody } from './body.ts'
export { bodyValue, decodeBounded } from './body-values.ts'
export { decodeCharset, decodeUnlabelled } from './charsets.ts'
export { mediaType } from './content.ts'
export { formatDate, parseDate } from './dates.ts'
export { decodeWords } from './encoded-words.ts'
export { safeFileName } from './file-names.ts'
export { allForms, type HeaderForm, isFormAllowed, lastForm, rawHeaders, readForm } from './header-forms.ts'
export { firstText, headerText } from './header-text.ts'
export { htmlToText } from './html-text.ts'
export { imapBodyOf, imapBodyValue } from './imap-body.ts'
export { envelopeOf, envelopeValue } from './imap-envelope.ts'
export { formatImap } from './imap-values.ts'
export { keepFields, keptBytes } from './kept-fields.ts'
export { LIMITS } from './limits.ts'
export { formatMailDate } from './mail-date.ts'
export { parseMessageIds } from './message-ids.ts'
export { parameterValue, parseParameterised } from './parameters.ts'
export { parseMessage } from './parse.ts'
export { findPart, parseSection, resolveSection, type Section } from './sections.ts'
export { decodeStructure, encodeStructure } from './stored.ts'
export {
  allParts,
  type BytePiece,
  type ByteRange,
  type Bytes,
  bytesOfPieces,
  embeddedMessage,
  findField,
  type HeaderField,
  headerRanges,
  isMessageType,
  isMultipart,
  type MimeStructure,
  type Part,
} from './structure.ts'
export { baseSubject, readSubject } from './subjects.ts'
export { attachmentNames, previewOf, searchTextOf } from './texts.ts'
export { decodeTransfer, isIdentity, isKnownEncoding, transferDecoder } from './transfer-encoding.ts'
export { casemap, casemapWork } from './unicode-casemap.ts'
export { wireGrowth } from './wire.ts'
