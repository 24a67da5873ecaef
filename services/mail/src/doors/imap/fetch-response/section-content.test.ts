import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseMessage } from '../../../formats/mime/parse.ts'
import { parseSection } from '../../../formats/mime/sections.ts'
import { corpus, message } from '../../../formats/mime/testing/corpus.ts'
import { decodeTransfer } from '../../../formats/mime/transfer-encoding.ts'
import { binaryContent, isBytes, partialContent, type SectionContent, sectionContent } from './section-content.ts'

const PREFIX = Buffer.from('Return-Path: <a@example.org>\r\nReceived: from x\r\n by y; now\r\nSubject: ours\r\n')

const section = (text: string) => parseSection(text) ?? assert.fail(text)
const bytesOf = ({ pieces, encoding }: SectionContent, blob: Buffer): Buffer => {
  const raw = Buffer.concat(pieces.map((piece) => (isBytes(piece) ? piece : blob.subarray(piece.start, piece.end))))
  return encoding === null ? raw : decodeTransfer(raw, encoding)
}
const read = (blob: Buffer, text: string, prefix = PREFIX): string | null => {
  const content = sectionContent({ structure: parseMessage(blob), prefix }, section(text))
  if (!content) return null
  const bytes = bytesOf(content, blob)
  assert.equal(bytes.length, content.size, text)
  return bytes.toString('latin1')
}

describe('sections of a message with a prefix', () => {
  test('are the same as those of the whole message', () => {
    const texts = ['', 'HEADER', 'TEXT', '1', '2', '1.1', '2.HEADER', '2.2.TEXT', '2.HEADER.FIELDS (SUBJECT)']
    for (const [name, blob] of corpus) {
      const whole = Buffer.concat([PREFIX, blob])
      const { root } = parseMessage(blob)
      // Bytes that look like a header, or do not, once something stands before them.
      if (root.fields[0]?.start !== 0 || name === 'bare-cr') continue
      for (const text of [...texts, 'HEADER.FIELDS (SUBJECT RECEIVED)', 'HEADER.FIELDS.NOT (FROM)'])
        assert.equal(read(blob, text), read(whole, text, Buffer.alloc(0)), `${name} ${text}`)
    }
  })

  test('header and text together are the message', () => {
    for (const [name, blob] of corpus)
      assert.equal(`${read(blob, 'HEADER')}${read(blob, 'TEXT')}`, PREFIX.toString() + blob.toString('latin1'), name)
  })

  test('our own fields are fields of it, in order', () => {
    assert.equal(
      read(message('plain'), 'HEADER.FIELDS (received subject return-path)')?.startsWith(
        'Return-Path: <a@example.org>\r\nReceived: from x\r\n by y; now\r\nSubject: ours\r\nSubject: ',
      ),
      true,
    )
    assert.equal(read(message('plain'), 'HEADER.FIELDS (X-None)'), '\r\n')
    assert.equal(read(message('plain'), 'HEADER.FIELDS.NOT (X-None)'), read(message('plain'), 'HEADER'))
  })

  test('a selection of fields ends with an empty line even when the message does not have one', () => {
    const none = Buffer.alloc(0)
    assert.equal(read(Buffer.from('Subject: x'), 'HEADER.FIELDS (Subject)', none), 'Subject: x\r\n\r\n')
    assert.equal(read(Buffer.from('Subject: x\r\n'), 'HEADER.FIELDS (Subject)', none), 'Subject: x\r\n\r\n')
    assert.equal(read(Buffer.from('Subject: x\nTo: y\n\nz'), 'HEADER.FIELDS (To)', none), 'To: y\n\n')
    assert.equal(read(none, 'HEADER.FIELDS (To)', none), '\r\n')
  })

  test('sections that are not there are none', () => {
    for (const text of ['2', '1.1', '1.HEADER', '1.TEXT', '5.5']) assert.equal(read(message('plain'), text), null, text)
  })
})

describe('binary', () => {
  const shape = (blob: Buffer) => ({ structure: parseMessage(blob), prefix: PREFIX })

  test('parts come without their transfer encoding, with the size that was announced', () => {
    for (const [name, blob] of corpus)
      for (const text of ['1', '2', '1.1', '1.2', '2.1']) {
        const content = binaryContent(shape(blob), section(text))
        if (content && content !== 'unknown')
          assert.equal(bytesOf(content, blob).length, content.size, `${name} ${text}`)
      }
    const encoded = Buffer.from('Content-Transfer-Encoding: base64\r\n\r\naGVs\r\nbG8=\r\n')
    const content = binaryContent(shape(encoded), section('1'))
    assert.ok(content && content !== 'unknown')
    assert.equal(bytesOf(content, encoded).toString(), 'hello')
  })

  test('an unknown encoding is reported, and only where it matters', () => {
    const strange = Buffer.from('Content-Transfer-Encoding: x-rot13\r\n\r\nuryyb\r\n')
    assert.equal(binaryContent(shape(strange), section('1')), 'unknown')
    assert.notEqual(binaryContent(shape(strange), section('')), 'unknown')
  })
})

test('a partial range is that range of the bytes', () => {
  const blob = message('plain')
  const content = sectionContent({ structure: parseMessage(blob), prefix: PREFIX }, section('HEADER.FIELDS (TO FROM)'))
  assert.ok(content)
  const whole = bytesOf(content, blob)
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 300 }), (origin, count) => {
      const some = partialContent(content, { origin, count })
      assert.deepEqual(bytesOf(some, blob), whole.subarray(origin, origin + count))
      assert.equal(some.size, Math.max(0, Math.min(count, whole.length - origin)))
    }),
    { seed: 6, numRuns: 500 },
  )
})
