import fc from 'fast-check'
import { corpus } from './corpus.ts'

export const SEED = 20260501

/** Pieces that mean something to a parser of mail; put together at random they come near real and hostile messages. */
const PIECES = [
  ...[
    '\r\n',
    '\r\n',
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    '--',
    '--b',
    '--b--',
    '--c',
    '--c--',
    '\r\n--b\r\n',
    '\r\n--c\r\n',
  ],
  ...['Content-Type: multipart/mixed; boundary=b\r\n', 'Content-Type: multipart/digest; boundary=c\r\n'],
  ...[
    'Content-Type: message/rfc822\r\n',
    'Content-Type: text/html; charset=utf-7\r\n',
    'Content-Type: multipart/mixed\r\n',
  ],
  ...['Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n', 'Subject: x\r\n'],
  ...['=?utf-8?Q?=C3=BC?=', '=?', '?=', '=?utf-8?b?', '=', '=\r\n', '=3D', 'QUJD', '==', '<a@b>', '"', '\\', '(', ')'],
  ...[
    '<',
    '>',
    ',',
    ';',
    ':',
    '@',
    '[',
    ']',
    "name*0*=utf-8''%C3",
    'filename="a.txt"',
    'text',
    'ü',
    '\0',
    'From ',
    'x: y',
  ],
]

/** Bytes as mail may have them: pieces, mutated messages of the corpus, and noise. */
export const mailBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => Buffer.from(pieces.join(''))),
  fc
    .record({
      bytes: fc.constantFrom(...corpus.values()),
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(60),
      piece: fc.constantFrom(...PIECES),
    })
    .map(({ bytes, start, length, piece }) => {
      const at = Math.floor(start * bytes.length)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at + length)])
    }),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
)

/** Text as header values may have it. */
export const headerValue: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12, unit: 'binary' })), { maxLength: 40 })
  .map((pieces) => pieces.join(''))
