import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { parseAddresses, parseAddressGroups } from './addresses.ts'
import { readBody } from './body.ts'
import { bodyValue } from './body-values.ts'
import { parseDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { type HeaderForm, readForm } from './header-forms.ts'
import { htmlToText } from './html-text.ts'
import { imapBodyOf, imapBodyValue } from './imap-body.ts'
import { envelopeOf, envelopeValue } from './imap-envelope.ts'
import { formatImap } from './imap-values.ts'
import { parseMessageIds } from './message-ids.ts'
import { parameterValue, parseParameterised } from './parameters.ts'
import { parseMessage } from './parse.ts'
import { parseSection, resolveSection } from './sections.ts'
import { decodeStructure, encodeStructure } from './stored.ts'
import { allParts, type Part } from './structure.ts'
import { baseSubject } from './subjects.ts'
import { headerValue, mailBytes, SEED } from './testing/arbitrary.ts'
import { corpus } from './testing/corpus.ts'
import { attachmentNames, previewOf, searchTextOf } from './texts.ts'
import { decodeTransfer } from './transfer-encoding.ts'

const FORMS: HeaderForm[] = ['raw', 'text', 'addresses', 'groupedAddresses', 'messageIds', 'date', 'urls']

/** Everything that can be asked of a message. */
const readAll = (bytes: Buffer): void => {
  const structure = parseMessage(bytes)
  const body = readBody(structure, bytes)
  for (const part of [...body.textBody, ...body.htmlBody, ...body.attachments]) bodyValue(part, bytes, 64)
  for (const part of allParts(structure.root))
    for (const field of part.fields) for (const form of FORMS) readForm(bytes, field, form)
  formatImap(envelopeValue(envelopeOf(structure.root, bytes)))
  formatImap(imapBodyValue(imapBodyOf(structure.root, bytes)))
  previewOf(body, bytes)
  searchTextOf(body, bytes)
  attachmentNames(body)
  for (const text of ['', '1', '2.1', '1.HEADER', 'TEXT', '1.MIME', 'HEADER.FIELDS (from x)']) {
    const section = parseSection(text)
    if (section) resolveSection(structure, section)
  }
}

/** Children lie inside their parent one after the other, and fields inside their header. */
const checkNesting = (part: Part): void => {
  assert.ok(part.start <= part.headerEnd && part.headerEnd <= part.bodyStart && part.bodyStart <= part.end)
  let at = part.start
  for (const field of part.fields) {
    assert.ok(at <= field.start && field.start + field.name.length < field.valueStart + 1)
    assert.ok(field.valueStart <= field.end && field.end <= field.next && field.next <= part.headerEnd)
    at = field.next
  }
  let end = part.bodyStart
  for (const child of part.children) {
    assert.ok(child.start >= end, 'a child begins before the one before has ended')
    assert.ok(child.end <= part.end, 'a child ends after its parent')
    checkNesting(child)
    end = child.end
  }
}

describe('any bytes', () => {
  test('are parsed and read without an error', () => {
    for (const bytes of corpus.values()) readAll(bytes)
    fc.assert(fc.property(mailBytes, readAll), { seed: SEED, numRuns: runs(160, 1_500) })
  })

  test('give parts that nest and cover the message', () => {
    const check = (bytes: Buffer): void => {
      const { root, size } = parseMessage(bytes)
      assert.deepEqual([root.start, root.end, size], [0, bytes.length, bytes.length])
      checkNesting(root)
    }
    for (const bytes of corpus.values()) check(bytes)
    fc.assert(fc.property(mailBytes, check), { seed: SEED, numRuns: runs(320, 3_000) })
  })

  test('have the size that decoding gives', () => {
    fc.assert(
      fc.property(mailBytes, (bytes) => {
        for (const part of allParts(parseMessage(bytes).root))
          if (part.children.length === 0)
            assert.equal(
              decodeTransfer(bytes.subarray(part.bodyStart, part.end), part.encoding).length,
              part.decodedSize,
            )
      }),
      { seed: SEED, numRuns: runs(160, 1_500) },
    )
  })

  test('have a structure that is the same after storing', () => {
    const check = (bytes: Buffer): void => {
      const structure = parseMessage(bytes)
      assert.deepEqual(decodeStructure(encodeStructure(structure)), structure)
    }
    for (const bytes of corpus.values()) check(bytes)
    fc.assert(fc.property(mailBytes, check), { seed: SEED, numRuns: runs(160, 1_500) })
  })

  test('are no stored structure, unless they are one', () => {
    const stored = encodeStructure(parseMessage(corpus.get('nested-messages') ?? Buffer.alloc(0)))
    fc.assert(
      fc.property(fc.nat(stored.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Buffer.from(stored)
        damaged[at] = byte
        decodeStructure(damaged)
        assert.equal(decodeStructure(stored.subarray(0, at)), null)
      }),
      { seed: SEED, numRuns: runs(160, 1_500) },
    )
  })
})

describe('any text', () => {
  test('is read by every grammar without an error', () => {
    fc.assert(
      fc.property(headerValue, (text) => {
        for (const { email, name } of parseAddresses(text)) assert.ok(typeof email === 'string' && name !== '')
        parseAddressGroups(text)
        parseDate(text)
        parseMessageIds(text)
        decodeWords(text)
        baseSubject(text)
        htmlToText(text)
        parameterValue(parseParameterised(text).parameters, 'filename')
      }),
      { seed: SEED, numRuns: runs(320, 3_000) },
    )
  })
})
