import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { parseMessage } from '../../../formats/mime/parse.ts'
import { type Args, MethodError } from '../method.ts'
import { SetFailure } from '../set-error.ts'
import { composeMessage } from './compose.ts'
import { readDraft } from './draft.ts'
import { readEmailFilter } from './filter.ts'
import { readBodyView } from './get.ts'
import { readEmailPatch } from './patch.ts'
import { readEmailProperties } from './properties.ts'
import { readEmailSort } from './sort.ts'

const MAILBOX = '0192f0c1-2222-7aaa-8bbb-0123456789ab'
const SEED = { seed: 20260301, numRuns: runs(400, 1_500) }
const call = { createdIds: new Map([['known', MAILBOX]]) }

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'a', '#known', MAILBOX, 'text/plain', 'multipart/mixed', '\r\n\r\n', ''),
)
const value = fc.oneof(
  { weight: 3, arbitrary: word },
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, false),
)
const address = fc.record({ name: value, email: value }, { requiredKeys: [] })
/** A few of the members, so that the rest is as it should be. */
const some = (members: Record<string, fc.Arbitrary<unknown>>, max: number): fc.Arbitrary<Args> =>
  fc
    .tuple(fc.record(members), fc.subarray(Object.keys(members), { maxLength: max }))
    .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])))

const leaf = some(
  {
    partId: word,
    blobId: value,
    type: value,
    charset: value,
    name: value,
    disposition: value,
    cid: value,
    language: value,
    location: value,
    size: value,
    headers: value,
    subParts: value,
    'header:Content-Type': value,
    'header:X-Own:asText:all': value,
  },
  2,
).map((members) => ({ partId: 'a', ...members }))
const { part } = fc.letrec<{ part: unknown }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ type: fc.constant('multipart/mixed'), subParts: fc.array(tie('part'), { maxLength: 3 }) }),
  ),
}))
const email = some(
  {
    keywords: fc.oneof(value, fc.dictionary(word, fc.constantFrom(true, null))),
    receivedAt: value,
    subject: value,
    from: fc.oneof(value, fc.array(address, { maxLength: 3 })),
    messageId: fc.oneof(value, fc.array(word, { maxLength: 3 })),
    sentAt: fc.oneof(value, fc.constantFrom('2026-03-01T12:00:00+99:99', '9999-12-31T23:59:59-12:00')),
    bodyStructure: fc.oneof(value, part),
    textBody: fc.oneof(value, fc.array(part, { maxLength: 2 })),
    attachments: fc.oneof(value, fc.array(part, { maxLength: 2 })),
    'header:X-Raw': value,
    'header:X-Dates:asDate:all': value,
    'header:X-Groups:asGroupedAddresses': value,
  },
  3,
).map((members) => ({ mailboxIds: { [MAILBOX]: true }, bodyValues: { a: { value: 'text' } }, ...members }))

/** Anything but a refusal that is returned to the client. */
const isForeseen = (error: unknown): boolean => error instanceof SetFailure || error instanceof MethodError

test('any object is written as a message with one header, or refused', async () => {
  let written = 0
  await fc.assert(
    fc.asyncProperty(email, async (object) => {
      try {
        const draft = readDraft(call, object, { domain: 'x.test', now: new Date(0) })
        const bytes = await composeMessage(draft.fields, draft.body, async () => Buffer.from('blob'))
        const { root } = parseMessage(bytes)
        written += 1
        const known = new Set([
          ...['content-type', 'content-disposition', 'content-transfer-encoding', 'content-id', 'content-language'],
          ...[
            'content-location',
            'date',
            'message-id',
            'mime-version',
            'subject',
            'from',
            'x-raw',
            'x-dates',
            'x-groups',
          ],
          'x-own',
        ])
        for (const { name } of root.fields) assert.ok(known.has(name), name)
        assert.equal(/(?<!\r)\n|\r(?!\n)/.test(bytes.toString('latin1')), false)
      } catch (error) {
        if (!isForeseen(error)) throw error
      }
    }),
    SEED,
  )
  assert.ok(written > SEED.numRuns / 10, `only ${written} were written`)
})

test('any arguments are read or refused', () => {
  const object = (keys: readonly string[]): fc.Arbitrary<Args> =>
    fc.dictionary(fc.oneof(fc.constantFrom(...keys), word), value, { maxKeys: 5, noNullPrototype: true })
  const patches = object([
    'keywords',
    'keywords/a',
    'keywords/a/b',
    'mailboxIds',
    `mailboxIds/${MAILBOX}`,
    'subject',
    'id',
  ])
  const views = object(['bodyProperties', 'fetchTextBodyValues', 'maxBodyValueBytes'])
  const filters = fc.record({
    filter: fc.oneof(value, object(['text', 'operator', 'conditions', 'header', 'before', 'inMailbox'])),
  })
  const sorts = fc.record({
    sort: fc.oneof(value, fc.array(object(['property', 'isAscending', 'collation', 'keyword']))),
  })
  const read = (work: () => unknown): void => {
    try {
      work()
    } catch (error) {
      if (!isForeseen(error)) throw error
    }
  }
  fc.assert(
    fc.property(patches, views, filters, sorts, fc.array(word), (patch, view, filter, sort, names) => {
      read(() => readEmailPatch(call, patch))
      read(() => readBodyView(view))
      read(() => readEmailFilter(filter))
      read(() => readEmailSort(sort))
      read(() => readEmailProperties(names))
    }),
    SEED,
  )
})
