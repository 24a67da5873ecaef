import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAddresses } from './addresses.ts'
import { parseMessage } from './parse.ts'

/** A buffer that counts the bytes that are looked at, one by one or by a search. */
const counting = (bytes: Buffer): { bytes: Buffer; read(): number } => {
  let read = 0
  const proxy = new Proxy(bytes, {
    get: (target, key) => {
      if (key === 'indexOf')
        return (value: string | number, from = 0, encoding?: BufferEncoding) => {
          const found = target.indexOf(value, from, encoding)
          read += (found === -1 ? target.length : found) - from + 1
          return found
        }
      if (key === 'toString')
        return (encoding: BufferEncoding, start = 0, end = target.length) => {
          read += end - start
          return target.toString(encoding, start, end)
        }
      if (key === 'subarray')
        return (start: number, end: number) => {
          read += end - start
          return target.subarray(start, end)
        }
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { bytes: proxy, read: () => read }
}

const MIXED = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'

/** Shapes that make careless parsers read the same bytes again and again; each grows with n. */
const hostile: Readonly<Record<string, (n: number) => string>> = {
  'many delimiters': (n) => MIXED + '--b\r\n\r\nx\r\n'.repeat(n),
  'many lines that look like delimiters': (n) => MIXED + '--a\r\n'.repeat(n),
  'nested messages': (n) => 'Content-Type: message/rfc822\r\n\r\n'.repeat(n),
  'nested multiparts': (n) =>
    Array.from({ length: n }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`).join(''),
  'multiparts with wrong boundaries': (n) =>
    MIXED + '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--d\r\nContent-Type: text/html\r\n\r\n'.repeat(n),
  'many fields': (n) => `${'X: y\r\n'.repeat(n)}\r\nbody`,
  'one long folded field': (n) => `X: ${'y\r\n '.repeat(n)}\r\n\r\nbody`,
  'junk lines in the header': (n) => `${'no field\r\nX: y\r\n'.repeat(n)}\r\n`,
  'many content types': (n) => `${'Content-Type: text/plain\r\n'.repeat(n)}\r\n`,
  'dashes without end': (n) => MIXED + '-'.repeat(n * 10),
  'base64 in nested messages': (n) =>
    `${'Content-Type: message/rfc822\r\n\r\n'.repeat(90)}Content-Transfer-Encoding: base64\r\n\r\n${'QUJD\r\n'.repeat(n)}`,
}

/** Each byte is looked at by the header, the delimiters, the measuring, and twice where a line decides about another. */
const READS_PER_BYTE = 14

describe('work grows with the length of a message', () => {
  for (const [name, write] of Object.entries(hostile))
    test(name, () => {
      for (const n of [400, 1600]) {
        const source = Buffer.from(write(n))
        const counted = counting(source)
        parseMessage(counted.bytes)
        assert.ok(
          counted.read() <= source.length * READS_PER_BYTE + 10_000,
          `${counted.read()} reads for ${source.length} bytes`,
        )
      }
    })
})

describe('work grows with the length of a header', () => {
  // Their words were looked through again at every colon; with that this would take minutes.
  for (const piece of ['re:', 'a@b :', 'x: y@z : ', '(', '<', '"'])
    test(`an address list of ${piece}`, () => {
      assert.ok(Array.isArray(parseAddresses(piece.repeat(400_000 / piece.length))))
    })
})
