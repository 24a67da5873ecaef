import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMessage } from '../../formats/mime/parse.ts'
import { corpus } from '../../formats/mime/testing/corpus.ts'
import { type MessageEdits, partsBelow } from '../../formats/sieve/message.ts'
import { sieveMessageOf } from './bridge.ts'
import { applyEdits } from './edits.ts'
import { encodeHeaderText } from './header-encoding.ts'

const PREFIX = Buffer.from('Return-Path: <ann@example.org>\r\nDelivered-To: bob@ours.test\r\n')

const messageOf = (bytes: Buffer) =>
  sieveMessageOf({
    bytes,
    root: parseMessage(bytes).root,
    prefix: { bytes: PREFIX, fields: parseMessage(PREFIX).root.fields },
  })

describe('what scripts see', () => {
  test('of every message in the corpus can be read, our own fields first', async () => {
    for (const [name, bytes] of corpus) {
      const message = messageOf(bytes)
      assert.equal(message.root.headers[0]?.name, 'Return-Path', name)
      assert.equal(message.size, PREFIX.length + bytes.length)
      const { headerEnd, end } = parseMessage(bytes).root
      assert.equal(typeof (await message.body()), headerEnd === end ? 'object' : 'string', name)
      for (const part of partsBelow(message.root, 1_000)) {
        assert.equal(typeof (await part.text()), 'string', name)
        assert.ok((await part.content()) instanceof Uint8Array, name)
        for (const header of part.headers) assert.doesNotMatch(header.decoded, /[\r\n]/, name)
      }
    }
  })

  test('of a multipart is what stands before and after its parts, of an enclosed message the message', async () => {
    const bytes = Buffer.from(
      'Content-Type: multipart/mixed; boundary=b\r\n\r\npreamble\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n' +
        'Subject: inner\r\n\r\ninner body\r\n--b--\r\nepilogue\r\n',
    )
    const { root } = messageOf(bytes)
    const text = await root.text()
    assert.match(text, /preamble/)
    assert.match(text, /epilogue/)
    assert.doesNotMatch(text, /inner|--b/)
    assert.equal(root.parts[0]?.parts[0]?.headers[0]?.decoded, 'inner')
  })
})

describe('edits', () => {
  const replaceAll: MessageEdits = {
    headers: null,
    body: [{ kind: 'replace', path: [], text: 'Nothing to see', mime: false, subject: 'New', from: null }],
  }
  const enclose: MessageEdits = {
    headers: null,
    body: [{ kind: 'enclose', subject: null, headers: [], text: 'Look', message: { headers: null, body: [] } }],
  }

  test('of every message in the corpus give a message', () => {
    for (const [name, bytes] of corpus) {
      const replaced = applyEdits(PREFIX, bytes, replaceAll)
      const { root } = parseMessage(replaced)
      assert.equal(root.type, 'text/plain', name)
      assert.equal(root.fields.filter((field) => field.name === 'subject').length, 1, name)
      assert.ok(replaced.includes('\r\n\r\nNothing to see\r\n'), name)
      const outer = parseMessage(applyEdits(PREFIX, bytes, enclose)).root
      assert.deepEqual([outer.type, outer.children.length], ['multipart/mixed', 2], name)
    }
  })

  test('of the header keep the others as they were', () => {
    const bytes = Buffer.from('A: 1\r\nB: 2\r\n folded\r\n\r\nbody')
    const edits: MessageEdits = {
      headers: [{ original: 0 }, { original: 3 }, { name: 'C', value: 'three\r\nD: injected' }],
      body: [],
    }
    assert.equal(
      applyEdits(PREFIX, bytes, edits).toString(),
      'Return-Path: <ann@example.org>\r\nB: 2\r\n folded\r\nC: three D: injected\r\n\r\nbody',
    )
  })

  test('write text into a header as one field of ASCII', () => {
    const long = encodeHeaderText('Grüße '.repeat(40))
    for (const line of long.split('\r\n')) assert.match(line, /^ ?=\?utf-8\?B\?[A-Za-z0-9+/=]+\?=$/)
    assert.ok(long.split('\r\n').every((line) => line.length <= 76))
    assert.equal(encodeHeaderText('a\r\nBcc: x@y.org\0'), 'a Bcc: x@y.org')
    assert.ok(
      encodeHeaderText('word '.repeat(60))
        .split('\r\n')
        .every((line, index) => line.length <= 76 && (index === 0 || line.startsWith(' '))),
    )
  })
})
