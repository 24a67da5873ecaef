import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { scanData } from './data-scan.ts'

const scan = (chunks: readonly Buffer[]) => {
  const scanner = scanData()
  const pieces: Buffer[] = []
  for (const [index, chunk] of chunks.entries()) {
    const step = scanner.take(chunk)
    for (const piece of step.pieces) pieces.push(piece)
    if (step.state !== 'open')
      return {
        state: step.state,
        content: Buffer.concat(pieces),
        rest: Buffer.concat([step.rest, ...chunks.slice(index + 1)]),
      }
  }
  return { state: 'open', content: Buffer.concat(pieces), rest: Buffer.alloc(0) }
}

const bytewise = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]))

/** Of the two public scanners for SMTP smuggling, and their relatives. */
const SMUGGLING = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r.\n',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n\0.\r\n',
  '\n\r.\r\n',
  '\r\n.\r\r\n',
  '\r\r\n.\r\n',
  '\r\r\n.\r\r\n',
  '\r\n\r.\r\n',
  '\n.\r',
  '\r\n.\n\r\n',
  '\x0b.\r\n',
]

describe('the end of a message', () => {
  test('is CRLF.CRLF and nothing else, however the bytes are cut', () => {
    for (const sequence of SMUGGLING) {
      const bytes = Buffer.from(`a${sequence}MAIL FROM:<x@y.test>\r\n.\r\n`, 'latin1')
      for (const chunks of [[bytes], bytewise(bytes)]) {
        const { state, content } = scan(chunks)
        if (state === 'bare') continue
        assert.equal(state, 'ended', JSON.stringify(sequence))
        assert.match(content.toString('latin1'), /MAIL FROM/, JSON.stringify(sequence))
      }
    }
  })

  test('is followed by what belongs to the next command', () => {
    const { state, content, rest } = scan([Buffer.from('Subject: x\r\n\r\n..a\r\n.\r\nQUIT\r\n')])
    assert.equal(state, 'ended')
    assert.equal(content.toString(), 'Subject: x\r\n\r\n.a\r\n')
    assert.equal(rest.toString(), 'QUIT\r\n')
  })

  test('may be all there is', () => {
    assert.deepEqual(scan([Buffer.from('.\r\n')]), {
      state: 'ended',
      content: Buffer.alloc(0),
      rest: Buffer.alloc(0),
    })
  })

  test('of any message with its dots stuffed gives back the message, wherever it is cut', () => {
    const line = fc.string({ unit: fc.constantFrom('.', 'a', ' ', '\0', '\xff'), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 8 }), (lines, cuts) => {
        const message = lines.map((text) => `${text}\r\n`).join('')
        const wire = `${lines.map((text) => `${text.startsWith('.') ? '.' : ''}${text}\r\n`).join('')}.\r\nNEXT`
        const bytes = Buffer.from(wire, 'latin1')
        const places = [...new Set([0, ...cuts.filter((at) => at < bytes.length), bytes.length])].sort((a, b) => a - b)
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        const { state, content, rest } = scan(chunks)
        assert.equal(state, 'ended')
        assert.equal(content.toString('latin1'), message)
        assert.equal(rest.toString(), 'NEXT')
      }),
      { seed: 5, numRuns: 2_000 },
    )
  })

  test('is found or refused the same way, however the bytes are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('.', 'a', '\r', '\n', '\r\n', '\r\n.\r\n'), maxLength: 30 })
    fc.assert(
      fc.property(text, (source) => {
        const bytes = Buffer.from(source, 'latin1')
        const whole = scan([bytes])
        const cut = scan(bytewise(bytes))
        assert.equal(cut.state, whole.state)
        if (whole.state === 'ended') assert.deepEqual(cut, whole)
      }),
      { seed: 7, numRuns: 3_000 },
    )
  })

  test('takes time in proportion to the bytes', () => {
    const time = (bytes: Buffer) => {
      const before = process.cpuUsage()
      scan([bytes])
      return process.cpuUsage(before).user
    }
    const lines = (count: number) => Buffer.from('..x\r\n'.repeat(count))
    time(lines(100_000))
    assert.ok(time(lines(400_000)) < 20 * (time(lines(100_000)) + 5_000))
  })
})
