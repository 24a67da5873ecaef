import { mediaTypeOf, type SieveHeader, type SieveMessage, type SievePart } from '../message.ts'

/** A message for tests from its text: enough of MIME for what a test writes by hand. */
export const messageOf = (source: string): SieveMessage => {
  const raw = source.replace(/\r?\n/g, '\r\n')
  const [, body] = splitPart(raw)
  const hasBody = body !== '' || /(?:^|\r\n)\r\n$/.test(raw)
  return { size: Buffer.byteLength(raw), root: partOf(raw), body: () => (hasBody ? body : null) }
}

const splitPart = (raw: string): [head: string, body: string] => {
  if (raw.startsWith('\r\n')) return ['', raw.slice(2)]
  const end = raw.indexOf('\r\n\r\n')
  return end < 0 ? [raw, ''] : [raw.slice(0, end + 2), raw.slice(end + 4)]
}

const headersOf = (head: string): SieveHeader[] =>
  [...head.matchAll(/^([!-9;-~]+):(.*(?:\r\n[ \t].*)*)/gm)].map(([, name = '', raw = '']) => ({
    name,
    raw,
    decoded: decodeWords(raw.replace(/\r\n/g, '')).trim(),
  }))

const decodeWords = (text: string): string =>
  text.replace(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_word, kind: string, value: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(value, 'base64').toString() : quotedPrintable(value.replace(/_/g, ' ')),
  )

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const partOf = (raw: string): SievePart => {
  const [head, body] = splitPart(raw)
  const headers = headersOf(head)
  const { type, subtype } = mediaTypeOf(headers)
  const fieldOf = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.decoded ?? ''
  const boundary = /boundary="?([^";]+)/i.exec(fieldOf('content-type'))?.[1]
  const parts = type === 'multipart' && boundary ? pieces(body, boundary).map(partOf) : []
  if (type === 'message') parts.push(partOf(body))
  const encoding = fieldOf('content-transfer-encoding').toLowerCase()
  const content = () => {
    if (encoding === 'base64') return Buffer.from(body, 'base64')
    return Buffer.from(encoding === 'quoted-printable' ? quotedPrintable(body) : body)
  }
  const outside = parts.length > 0 && boundary ? around(body, boundary) : null
  const text = () => (outside ? outside.join('') : content().toString())
  return { headers, type, subtype, parts, content, text, ...(outside && { around: () => outside }) }
}

const pieces = (body: string, boundary: string): string[] =>
  `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => piece.slice(piece.indexOf('\r\n') + 2))

/** What stands before the first and after the last part. */
const around = (body: string, boundary: string): [prologue: string, epilogue: string] => {
  const all = `\r\n${body}`.split(`\r\n--${boundary}`)
  return [all[0] ?? '', all.at(-1)?.startsWith('--') ? (all.at(-1)?.slice(2) ?? '') : '']
}
