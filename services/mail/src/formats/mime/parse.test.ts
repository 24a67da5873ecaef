import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from './limits.ts'
import { parseMessage } from './parse.ts'
import { decodeStructure, encodeStructure } from './stored.ts'
import { allParts, type Part } from './structure.ts'
import { message } from './testing/corpus.ts'

/** Types of a part and what is in it, as in `mixed(plain, html)`. */
const shape = (part: Part): string => {
  const name = part.type.replace(/^(?:multipart|text)\//, '')
  return part.children.length === 0 ? name : `${name}(${part.children.map(shape).join(', ')})`
}

const parsed = (name: string) => parseMessage(message(name))
const bodyText = (bytes: Buffer, part: Part): string => bytes.toString('utf8', part.bodyStart, part.end)
const bodies = (name: string): string[] => {
  const bytes = message(name)
  return [...allParts(parseMessage(bytes).root)]
    .filter((part) => part.children.length === 0)
    .map((part) => bodyText(bytes, part))
}
const names = (part: Part): string[] => part.fields.map((field) => field.name)

describe('headers', () => {
  test('every field has its name, its value and its line breaks at their offsets', () => {
    const bytes = Buffer.from('From: a@b\r\nSubject: one\r\n two\r\nX-Empty:\r\n\r\nBody')
    const { root } = parseMessage(bytes)
    assert.deepEqual(
      root.fields.map((field) => [
        bytes.toString('latin1', field.start, field.start + field.name.length),
        bytes.toString('latin1', field.valueStart, field.end),
        bytes.toString('latin1', field.end, field.next),
      ]),
      [
        ['From', ' a@b', '\r\n'],
        ['Subject', ' one\r\n two', '\r\n'],
        ['X-Empty', '', '\r\n'],
      ],
    )
    assert.equal(bytes.toString('latin1', root.headerEnd, root.bodyStart), '\r\n')
    assert.equal(bodyText(bytes, root), 'Body')
  })

  test('a message without a header, without a body and without anything is read', () => {
    assert.deepEqual(bodies('no-header'), ['Only a body.\r\n'])
    assert.deepEqual(bodies('no-body'), [''])
    assert.equal(parsed('empty').root.end, 0)
  })

  test('a header without a blank line ends where no field follows', () => {
    assert.deepEqual(bodies('no-blank-line'), ['Hello, this line is no field.\r\nAnd this one neither.\r\n'])
  })

  test('a line that lost its place in the header does not end it', () => {
    assert.deepEqual(names(parsed('junk-line-in-header').root), ['from', 'subject', 'to'])
  })

  test('the line of an mbox before the header is skipped', () => {
    assert.equal(parsed('mbox-line').root.fields[0]?.name, 'from')
    assert.deepEqual(bodies('mbox-line'), ['Text.\r\n'])
  })

  test('bare LF ends lines, and bare CR does where there is no LF', () => {
    assert.equal(shape(parsed('bare-lf').root), 'mixed(plain, html)')
    assert.deepEqual(bodies('bare-lf'), ['one', '<b>two</b>'])
    assert.deepEqual(bodies('bare-cr'), ['old line ends\rhere\r'])
    assert.deepEqual(bodies('mixed-line-ends'), ['A\r\nB\nC\rD\r\n'])
  })
})

describe('parts', () => {
  test('the line break before a delimiter belongs to the delimiter', () => {
    assert.deepEqual(bodies('alternative')[0], 'Gr=C3=BC=C3=9Fe, soft=\r\n line')
  })

  test('nested multiparts are nested parts', () => {
    assert.equal(
      shape(parsed('related-in-mixed').root),
      'mixed(alternative(plain, related(html, image/png)), application/pdf)',
    )
  })

  test('a missing end is supplied by the next outer delimiter or the end of the message', () => {
    assert.equal(shape(parsed('missing-end').root), 'mixed(plain, alternative(plain), plain)')
    assert.deepEqual(bodies('missing-end'), ['first', 'inner, never closed', 'last, never closed\r\n'])
  })

  test('a boundary that is not given is found in the body', () => {
    assert.deepEqual(bodies('missing-boundary'), ['one', 'two'])
  })

  test('a multipart whose delimiters never come is text', () => {
    assert.equal(shape(parsed('wrong-boundary').root), 'plain')
  })

  test('a boundary that is the beginning of another one, and spaces after it, are no trouble', () => {
    assert.equal(shape(parsed('boundary-prefix').root), 'mixed(alternative(plain, html), plain)')
  })

  test('with the same boundary used twice, the inner multipart ends first', () => {
    assert.equal(shape(parsed('same-boundary-twice').root), 'mixed(alternative(plain), plain)')
    assert.deepEqual(bodies('same-boundary-twice'), ['inner', 'outer'])
  })

  test('a delimiter inside a header ends the part', () => {
    assert.equal(shape(parsed('boundary-in-header').root), 'mixed(html, plain)')
    assert.deepEqual(bodies('boundary-in-header'), ['', 'second'])
  })

  test('parts of a digest are messages unless they say otherwise', () => {
    assert.equal(shape(parsed('digest').root), 'digest(message/rfc822(plain), plain, message/rfc822(plain))')
  })

  test('messages inside messages are parsed, and their lines counted', () => {
    const { root } = parsed('nested-messages')
    assert.equal(shape(root), 'mixed(plain, message/rfc822(mixed(plain, message/rfc822(plain))))')
    const inner = root.children[1]?.children[0]?.children[1]
    assert.equal(inner?.lines, 4)
  })

  test('an encoded message is not looked into', () => {
    assert.equal(shape(parsed('encoded-message').root), 'message/rfc822')
  })

  test('a wrong type is text, and half a type is completed', () => {
    assert.equal(shape(parsed('type-tricks').root), 'mixed(plain, plain, plain, html)')
  })
})

describe('limits', () => {
  const open = (depth: number) =>
    Array.from(
      { length: depth },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    )

  test('parts beyond the depth are opaque text, and that is noted', () => {
    const structure = parseMessage(Buffer.from(`${open(5000).join('')}\r\ndeep`))
    const parts = [...allParts(structure.root)]
    assert.equal(parts.length, LIMITS.depth)
    assert.equal(parts.at(-1)?.type, 'text/plain')
    assert.deepEqual(structure.cuts, ['depth'])
  })

  test('messages inside messages end at the same depth', () => {
    const structure = parseMessage(Buffer.from('Content-Type: message/rfc822\r\n\r\n'.repeat(5000)))
    assert.equal([...allParts(structure.root)].length, LIMITS.depth)
    assert.deepEqual(structure.cuts, ['depth'])
  })

  test('parts beyond their number stay in the last one', () => {
    const body = '--b\r\n\r\nx\r\n'.repeat(3000)
    const structure = parseMessage(Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`))
    assert.equal([...allParts(structure.root)].length, LIMITS.parts)
    assert.deepEqual(structure.cuts, ['parts'])
    assert.ok((structure.root.children.at(-1)?.end ?? 0) > body.length - 20)
  })

  test('fields beyond their number are skipped, and the body is still found', () => {
    const bytes = Buffer.from(`${'X: y\r\n'.repeat(5000)}\r\nBody`)
    const structure = parseMessage(bytes)
    assert.equal(structure.root.fields.length, LIMITS.fields)
    assert.deepEqual(structure.cuts, ['fields'])
    assert.equal(bodyText(bytes, structure.root), 'Body')
  })

  test('fields of all parts together have an end, and the parts are still found', () => {
    const part = `--b\r\n${'a:\r\n'.repeat(250)}\r\nx\r\n`
    const structure = parseMessage(
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(200)}--b--\r\n`),
    )
    const parts = [...allParts(structure.root)]
    assert.equal(parts.length, 201)
    assert.equal(
      parts.reduce((sum, { fields }) => sum + fields.length, 0),
      LIMITS.allFields,
    )
    assert.deepEqual(structure.cuts, ['fields'])
  })

  test('a stored structure with more in it than a message may have is not taken', () => {
    const structure = parseMessage(Buffer.from('\r\n'))
    const { root } = structure
    const stored = (inRoot: Partial<Part>) => encodeStructure({ ...structure, root: { ...root, ...inRoot } })
    const child = { ...root, start: root.bodyStart, headerEnd: root.bodyStart, end: root.bodyStart }
    const children = (length: number) => stored({ children: Array.from({ length }, () => child) })
    const field = (_: unknown, at: number) => ({ name: 'x', start: at, valueStart: at + 1, end: at + 1, next: at + 1 })
    const fields = (length: number) => stored({ fields: Array.from({ length }, field) })
    assert.equal(decodeStructure(children(LIMITS.parts - 1))?.root.children.length, LIMITS.parts - 1)
    assert.equal(decodeStructure(children(LIMITS.parts)), null)
    assert.equal(decodeStructure(fields(LIMITS.allFields))?.root.fields.length, LIMITS.allFields)
    assert.equal(decodeStructure(fields(LIMITS.allFields + 1)), null)
  })

  test('headers beyond their size are skipped, and the body is still found', () => {
    const bytes = Buffer.from(`${`X: ${'y'.repeat(100_000)}\r\n`.repeat(20)}\r\nBody`)
    const structure = parseMessage(bytes)
    assert.ok(structure.root.fields.length <= 10)
    assert.deepEqual(structure.cuts, ['headerBytes'])
    assert.equal(bodyText(bytes, structure.root), 'Body')
  })

  test('a boundary that is too long is none', () => {
    const structure = parseMessage(Buffer.from(`Content-Type: multipart/mixed; boundary=${'b'.repeat(500)}\r\n\r\nx`))
    assert.equal(structure.root.type, 'text/plain')
    assert.deepEqual(structure.cuts, ['boundaryBytes'])
  })
})
