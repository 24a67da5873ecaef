import {
  contentTypeOf,
  decodeBounded,
  decodeCharset,
  decodeUnlabelled,
  embeddedMessage,
  type HeaderField,
  isKnownEncoding,
  isMessageType,
  isMultipart,
  type Part,
  parameterValue,
  readForm,
} from '../../formats/mime/mime.ts'
import { defaultLimits, type SieveHeader, type SieveMessage, type SievePart } from '../../formats/sieve/sieve.ts'

/** A message that was parsed, with the fields that we put before it. */
export type ParsedMessage = {
  readonly bytes: Buffer
  readonly root: Part
  /** Header fields of ours, parsed on their own. */
  readonly prefix: { readonly bytes: Buffer; readonly fields: readonly HeaderField[] }
}

/** A script compares texts up to this length; what is longer is cut before it is decoded. */
const MAX_TEXT_BYTES = defaultLimits.textLength

/** What Sieve sees of a message. Everything is read when a script asks for it. */
export const sieveMessageOf = ({ bytes, root, prefix }: ParsedMessage): SieveMessage => {
  let body: string | null = null
  return {
    size: prefix.bytes.length + bytes.length,
    root: partOf(root, bytes, () => [...headersOf(prefix.fields, prefix.bytes), ...headersOf(root.fields, bytes)]),
    body: () => {
      if (root.headerEnd === root.end) return null
      body ??= decodeUnlabelled(bytes.subarray(root.bodyStart, Math.min(root.end, root.bodyStart + MAX_TEXT_BYTES)))
      return body
    },
  }
}

const partOf = (part: Part, bytes: Buffer, headers: () => SieveHeader[]): SievePart => {
  // RFC 2045 §6.4: what is encoded in a way that nobody knows is no text.
  const isKnown = isKnownEncoding(part.encoding) || part.children.length > 0
  const [type = 'text', subtype = 'plain'] = (isKnown ? part.type : 'application/octet-stream').split('/')
  const known: { headers?: readonly SieveHeader[]; parts?: readonly SievePart[] } = {}
  return {
    type,
    subtype,
    get headers() {
      known.headers ??= headers()
      return known.headers
    },
    get parts() {
      known.parts ??= part.children.map((child) => partOf(child, bytes, () => headersOf(child.fields, bytes)))
      return known.parts
    },
    content: () => decodeBounded({ part }, bytes, part.decodedSize),
    text: () => textOf(part, bytes),
    ...(isMultipart(part) && part.children.length > 0 && { around: () => around(part, bytes) }),
  }
}

const headersOf = (fields: readonly HeaderField[], bytes: Buffer): SieveHeader[] =>
  fields.map((field) => ({
    name: bytes.toString('latin1', field.start, field.start + field.name.length),
    get raw() {
      return readForm(bytes, field, 'raw')
    },
    get decoded() {
      return readForm(bytes, field, 'text').trim()
    },
  }))

const textOf = (part: Part, bytes: Buffer): string => {
  if (isMultipart(part) && part.children.length > 0) return around(part, bytes).join('')
  if (isMessageType(part.type) && embeddedMessage(part))
    return decodeUnlabelled(bytes.subarray(part.bodyStart, Math.min(part.end, part.bodyStart + MAX_TEXT_BYTES)))
  const { parameters } = contentTypeOf(part, bytes)
  const content = decodeBounded({ part }, bytes, MAX_TEXT_BYTES)
  return decodeCharset(content, parameterValue(parameters, 'charset')).text
}

const LF = 10

/** RFC 5173 §5.2: of a multipart, what stands before its first part and after its last one. */
const around = (part: Part, bytes: Buffer): [prologue: string, epilogue: string] => {
  const first = part.children[0]
  const last = part.children.at(-1)
  if (!first || !last) return ['', '']
  // The line before a part is its delimiter.
  const delimiter = bytes.lastIndexOf(LF, Math.max(first.start - 2, 0)) + 1
  const preamble = bytes.subarray(part.bodyStart, Math.max(part.bodyStart, delimiter))
  const closing = bytes.indexOf('\n--', last.end - 1, 'latin1')
  const lineEnd = closing === -1 || closing >= part.end ? -1 : bytes.indexOf(LF, closing + 1)
  const epilogue = lineEnd === -1 || lineEnd >= part.end ? Buffer.alloc(0) : bytes.subarray(lineEnd + 1, part.end)
  return [
    decodeUnlabelled(preamble.subarray(0, MAX_TEXT_BYTES)),
    decodeUnlabelled(epilogue.subarray(0, MAX_TEXT_BYTES)),
  ]
}
