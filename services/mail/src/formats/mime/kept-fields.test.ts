import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBody } from './body.ts'
import { imapBodyOf, imapBodyValue } from './imap-body.ts'
import { envelopeOf, envelopeValue } from './imap-envelope.ts'
import { formatImap } from './imap-values.ts'
import { keepFields, keptBytes } from './kept-fields.ts'
import { parseMessage } from './parse.ts'
import { corpus } from './testing/corpus.ts'

test('what is kept gives the same envelope, body structure and parts as the message', () => {
  for (const [name, bytes] of corpus) {
    const structure = parseMessage(bytes)
    const kept = keepFields(structure, bytes)
    if (!kept) continue
    const few = keptBytes(structure, kept)
    assert.ok(few, name)
    const views = (source: typeof few) => [
      formatImap(envelopeValue(envelopeOf(structure.root, source))),
      formatImap(imapBodyValue(imapBodyOf(structure.root, source))),
      JSON.stringify(readBody(structure, source)),
    ]
    assert.deepEqual(views(few), views(bytes), name)
  }
})

test('a header with very many addresses is not kept', () => {
  const bytes = Buffer.from(
    `From: a@example.org\r\nTo: ${'b@example.org, '.repeat(2_000)}c@example.org\r\n\r\nText\r\n`,
  )
  assert.equal(keepFields(parseMessage(bytes), bytes), null)
})

test('bytes of another message are refused', () => {
  const bytes = Buffer.from('From: a@example.org\r\nSubject: x\r\n\r\nText\r\n')
  const structure = parseMessage(bytes)
  const kept = keepFields(structure, bytes)
  assert.ok(kept)
  assert.equal(keptBytes(structure, kept.subarray(1)), null)
})
