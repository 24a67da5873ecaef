import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type BodyPart, readBody } from '../../../formats/mime/body.ts'
import { bodyValue, decodeBounded } from '../../../formats/mime/body-values.ts'
import { lastForm } from '../../../formats/mime/header-forms.ts'
import { parseMessage } from '../../../formats/mime/parse.ts'
import type { Args } from '../method.ts'
import { SetFailure } from '../set-error.ts'
import { composeMessage } from './compose.ts'
import { readDraft } from './draft.ts'
import { parseHeaderProperty } from './header-property.ts'
import { writeForm } from './header-values.ts'

const MAILBOX = '0192f0c1-2222-7aaa-8bbb-0123456789ab'
const NOW = new Date('2026-03-01T12:00:00.000Z')
const SEED = { seed: 20260301, numRuns: 300 }

const build = async (email: Args, blobs: Readonly<Record<string, Buffer>> = {}) => {
  const object = { mailboxIds: { [MAILBOX]: true }, ...email }
  const draft = readDraft({ createdIds: new Map() }, object, { domain: 'example.test', now: NOW })
  const bytes = await composeMessage(draft.fields, draft.body, async (id) => blobs[id] ?? Buffer.alloc(0))
  const structure = parseMessage(bytes)
  return { bytes, structure, root: structure.root, body: readBody(structure, bytes) }
}

const refused = (email: Args): string[] => {
  const object = { mailboxIds: { [MAILBOX]: true }, ...email }
  try {
    readDraft({ createdIds: new Map() }, object, { domain: 'example.test', now: NOW })
  } catch (error) {
    if (error instanceof SetFailure && error.error.type === 'invalidProperties')
      return [...(error.error.properties ?? [])]
    throw error
  }
  return []
}

const text = (value: string) => ({ textBody: [{ partId: 't' }], bodyValues: { t: { value } } })

describe('a message that is written', () => {
  test('has what a message needs, and CRLF alone ends its lines', async () => {
    const { bytes, root, body } = await build({ ...text('one\ntwo\r\nthree\rfour'), subject: 'Hello' })
    assert.equal(lastForm(root, bytes, 'date', 'date'), '2026-03-01T12:00:00Z')
    assert.match(lastForm(root, bytes, 'message-id', 'messageIds')?.[0] ?? '', /^[0-9a-f-]{36}@example\.test$/)
    assert.equal(lastForm(root, bytes, 'mime-version', 'text'), '1.0')
    assert.equal(lastForm(root, bytes, 'subject', 'text'), 'Hello')
    assert.equal(/(?<!\r)\n|\r(?!\n)/.test(bytes.toString('latin1')), false)
    const [part] = body.textBody
    assert.ok(part)
    assert.equal(bodyValue(part, bytes).value, 'one\ntwo\nthree\nfour')
  })

  test('header fields are read back as they were given, whatever is in them', async () => {
    const phrase = fc.string({ unit: 'binary', maxLength: 120 }).filter((each) => !/\p{Cc}/u.test(each))
    await fc.assert(
      fc.asyncProperty(phrase, phrase, async (subject, name) => {
        const from = [
          { name, email: 'a@example.org' },
          { name: null, email: 'b@example.org' },
        ]
        const { bytes, root } = await build({ ...text('x'), subject, from })
        const read = lastForm(root, bytes, 'from', 'addresses')
        const clean = (each: string) => each.toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim()
        assert.equal(clean(lastForm(root, bytes, 'subject', 'text') ?? ''), clean(subject))
        assert.equal(read?.length, 2)
        assert.equal(read?.[0]?.email, 'a@example.org')
        assert.equal(clean(read?.[0]?.name ?? ''), clean(name))
        assert.equal(read?.[1]?.email, 'b@example.org')
      }),
      SEED,
    )
  })

  test('no value of a header field begins another one, or ends the header', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\r', '\n', ' ', 'a', ':', '<', '>') }),
    )
    const forms = ['raw', 'text', 'addresses', 'groupedAddresses', 'messageIds', 'date', 'urls'] as const
    fc.assert(
      fc.property(anything, anything, fc.constantFrom(...forms), (one, two, form) => {
        const values = [
          one,
          [one, two],
          [{ name: one, email: two }],
          [{ name: one, addresses: [{ name: two, email: one }] }],
        ]
        for (const value of values) {
          const written = writeForm(form, value)
          if (written === null) continue
          const { root } = parseMessage(Buffer.from(`X-One:${written}\r\nX-Two: 2\r\n\r\nbody`))
          assert.deepEqual(
            root.fields.map(({ name }) => name),
            ['x-one', 'x-two'],
          )
        }
      }),
      SEED,
    )
  })

  test('a structure is kept exactly, and every content bit by bit', async () => {
    const { tree, leaf } = fc.letrec<{ tree: Args; leaf: Args }>((tie) => ({
      tree: fc.record({
        type: fc.constantFrom('multipart/mixed', 'multipart/alternative', 'multipart/related', 'multipart/x-own'),
        subParts: fc.array(fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('tree')), { minLength: 1, maxLength: 4 }),
      }),
      leaf: fc.oneof(
        fc.record({
          type: fc.constantFrom('text/plain', 'text/html', 'text/calendar'),
          partId: fc.constantFrom('a', 'b'),
        }),
        fc.record({
          type: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
          blobId: fc.constantFrom('x', 'y'),
          name: fc
            .string({ unit: 'grapheme', maxLength: 40 })
            .filter((name) => !/\p{Cc}|=\?/u.test(name) && name.trim() === name),
          disposition: fc.constantFrom('attachment', 'inline'),
          cid: fc.option(fc.constantFrom('one@example.org'), { nil: null }),
        }),
      ),
    }))
    const value = fc.string({ unit: 'binary', maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(tree, leaf),
        value,
        value,
        fc.uint8Array(),
        fc.uint8Array(),
        async (bodyStructure, a, b, x, y) => {
          const blobs = { x: Buffer.from(x), y: Buffer.from(y) }
          const values: Readonly<Record<string, string>> = { a, b }
          const { bytes, body } = await build(
            { bodyStructure, bodyValues: { a: { value: a }, b: { value: b } } },
            blobs,
          )
          const same = (given: Args, read: BodyPart): void => {
            assert.equal(read.type, given.type)
            if (Array.isArray(given.subParts)) {
              assert.equal(read.subParts?.length, given.subParts.length)
              given.subParts.forEach((inner, index) => {
                const found = read.subParts?.[index]
                assert.ok(found)
                same(inner, found)
              })
            } else if (given.blobId) {
              assert.deepEqual(decodeBounded(read, bytes, 1_000_000), given.blobId === 'x' ? blobs.x : blobs.y)
              assert.deepEqual([read.disposition, read.cid], [given.disposition, given.cid])
              assert.equal(read.name ?? '', given.name)
            } else {
              const expected = values[String(given.partId)]?.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '')
              assert.equal(bodyValue(read, bytes).value, expected)
            }
          }
          same(bodyStructure, body.bodyStructure)
          assert.equal(/(?<!\r)\n|\r(?!\n)/.test(bytes.toString('latin1')), false)
          for (const line of bytes.toString('latin1').split('\r\n')) assert.ok(line.length <= 998)
        },
      ),
      SEED,
    )
  })

  test('text, HTML, pictures and files are put together as mailers do', async () => {
    const { body } = await build(
      {
        textBody: [{ partId: 't', type: 'text/plain' }],
        htmlBody: [{ partId: 'h', type: 'text/html' }],
        attachments: [
          { blobId: 'pic', type: 'image/png', cid: 'pic@x', disposition: 'inline' },
          { blobId: 'pdf', type: 'application/pdf', name: 'Müller & Söhne; "Angebot".pdf' },
        ],
        bodyValues: { t: { value: 'text' }, h: { value: '<img src="cid:pic@x">' } },
      },
      { pic: Buffer.from([1]), pdf: Buffer.from([2]) },
    )
    const shape = (part: BodyPart): unknown => (part.subParts ? [part.type, part.subParts.map(shape)] : part.type)
    assert.deepEqual(shape(body.bodyStructure), [
      'multipart/mixed',
      [['multipart/alternative', ['text/plain', ['multipart/related', ['text/html', 'image/png']]]], 'application/pdf'],
    ])
    const pdf = body.attachments.at(-1)
    assert.deepEqual([pdf?.name, pdf?.disposition], ['Müller & Söhne; "Angebot".pdf', 'attachment'])
    assert.equal(body.hasAttachment, true)
  })

  test('a message inside of a message is not encoded', async () => {
    const inner = Buffer.from('From: a@example.org\nSubject: inner\n\nGrüße\n')
    const bodyStructure = { type: 'multipart/mixed', subParts: [{ type: 'message/rfc822', blobId: 'inner' }] }
    const { bytes, root } = await build({ bodyStructure }, { inner })
    const part = root.children[0]
    assert.deepEqual([part?.type, part?.encoding], ['message/rfc822', '8bit'])
    const message = part?.children[0]
    assert.ok(message)
    assert.equal(lastForm(message, bytes, 'subject', 'text'), 'inner')
  })

  test('header fields of parts, and several of one name, are written', async () => {
    const { bytes, root } = await build({
      'header:X-Many:asText:all': ['one', 'zwei ü'],
      'header:X-Raw': ' a\r\n b',
      'header:Resent-To:asGroupedAddresses': [{ name: 'Team', addresses: [{ name: null, email: 'x@example.org' }] }],
      'header:List-Post:asURLs': ['mailto:list@example.org'],
      sentAt: '2026-03-01T12:00:00-03:30',
      references: ['a@b', 'c@d'],
      bodyStructure: { partId: 'p', type: 'text/plain', 'header:X-Part': ' here', language: ['de'] },
      bodyValues: { p: { value: 'x' } },
    })
    const texts = root.fields.filter(({ name }) => name === 'x-many').length
    assert.equal(texts, 2)
    assert.equal(lastForm(root, bytes, 'x-raw', 'text'), 'a b')
    assert.equal(lastForm(root, bytes, 'x-part', 'text'), 'here')
    assert.equal(lastForm(root, bytes, 'date', 'date'), '2026-03-01T12:00:00-03:30')
    assert.deepEqual(lastForm(root, bytes, 'references', 'messageIds'), ['a@b', 'c@d'])
    assert.deepEqual(lastForm(root, bytes, 'list-post', 'urls'), ['mailto:list@example.org'])
    assert.equal(lastForm(root, bytes, 'resent-to', 'groupedAddresses')?.[0]?.name, 'Team')
    assert.equal(lastForm(root, bytes, 'content-language', 'text'), 'de')
  })
})

describe('RFC 8621 §4.6 refuses', () => {
  const t = { t: { value: 'x' } }
  const cases: [string, Args, string][] = [
    ['headers', { ...text('x'), headers: [] }, 'headers'],
    ['a header field twice', { ...text('x'), from: [], 'header:From': ' a@b' }, 'from'],
    [
      'a header field twice by its name',
      { ...text('x'), 'header:X-A': ' 1', 'header:x-a:asText': '2' },
      'header:x-a:asText',
    ],
    [
      'a form that the field does not have',
      { ...text('x'), 'header:From:asDate': '2026-01-01T00:00:00Z' },
      'header:From:asDate',
    ],
    ['fields of parts at the message', { ...text('x'), 'header:Content-Type': ' text/plain' }, 'header:content-type'],
    ['two bodies', { ...text('x'), bodyStructure: { partId: 't' } }, 'bodyStructure'],
    [
      'a field of the message again at its outermost part',
      { subject: 'x', bodyValues: t, bodyStructure: { partId: 't', 'header:Subject': ' y' } },
      'bodyStructure',
    ],
    ['two parts of text', { textBody: [{ partId: 't' }, { partId: 't' }], bodyValues: t }, 'textBody'],
    ['HTML as text', { textBody: [{ partId: 't', type: 'text/html' }], bodyValues: t }, 'textBody/0/type'],
    ['text as HTML', { htmlBody: [{ partId: 't', type: 'text/plain' }], bodyValues: t }, 'htmlBody/0/type'],
    ['a part id and a blob id', { bodyStructure: { partId: 't', blobId: 'b' }, bodyValues: t }, 'bodyStructure/partId'],
    ['neither of them', { bodyStructure: { type: 'text/plain' } }, 'bodyStructure/partId'],
    ['a text that is not there', { bodyStructure: { partId: 'u' }, bodyValues: t }, 'bodyStructure/partId'],
    [
      'a charset of a text',
      { bodyStructure: { partId: 't', charset: 'utf-8' }, bodyValues: t },
      'bodyStructure/charset',
    ],
    ['a size of a text', { bodyStructure: { partId: 't', size: 1 }, bodyValues: t }, 'bodyStructure/size'],
    [
      'a transfer encoding',
      { bodyStructure: { partId: 't', 'header:Content-Transfer-Encoding': ' 7bit' }, bodyValues: t },
      'bodyStructure/header:Content-Transfer-Encoding',
    ],
    [
      'a truncated text',
      { textBody: [{ partId: 't' }], bodyValues: { t: { value: 'x', isTruncated: true } } },
      'bodyValues/t',
    ],
    [
      'a damaged text',
      { textBody: [{ partId: 't' }], bodyValues: { t: { value: 'x', isEncodingProblem: true } } },
      'bodyValues/t',
    ],
    ['headers of a part', { bodyStructure: { partId: 't', headers: [] }, bodyValues: t }, 'bodyStructure/headers'],
    [
      'parts of what is no multipart',
      { bodyStructure: { type: 'text/plain', partId: 't', subParts: [] }, bodyValues: t },
      'bodyStructure/subParts',
    ],
    [
      'a multipart without parts',
      { bodyStructure: { type: 'multipart/mixed', subParts: [] } },
      'bodyStructure/subParts',
    ],
    [
      'a content id twice',
      { bodyStructure: { partId: 't', cid: 'a@b', 'header:Content-ID': ' <a@b>' }, bodyValues: t },
      'bodyStructure/cid',
    ],
    [
      'a type twice',
      { bodyStructure: { partId: 't', type: 'text/plain', 'header:Content-Type': ' text/html' }, bodyValues: t },
      'bodyStructure/type',
    ],
    ['a type that is none', { bodyStructure: { partId: 't', type: 'text' }, bodyValues: t }, 'bodyStructure/type'],
    ['line breaks in a subject', { ...text('x'), subject: 'a\r\nBcc: b@example.org' }, 'subject'],
    ['line breaks in a name', { ...text('x'), to: [{ name: 'a\nb', email: 'a@b' }] }, 'to'],
    ['brackets in an address', { ...text('x'), to: [{ name: 'a', email: 'a@b>, <c@d' }] }, 'to'],
    ['a message id with a space', { ...text('x'), messageId: ['a b'] }, 'messageId'],
    ['what the server sets', { ...text('x'), threadId: 'x', preview: 'x' }, 'threadId'],
    ['no mailbox', { ...text('x'), mailboxIds: {} }, 'mailboxIds'],
    ['a mailbox that is false', { ...text('x'), mailboxIds: { [MAILBOX]: false } }, 'mailboxIds'],
    ['keywords that are none', { ...text('x'), keywords: { 'a b': true } }, 'keywords'],
    ['a date that is none', { ...text('x'), receivedAt: '2026-01-01' }, 'receivedAt'],
  ]
  for (const [name, email, property] of cases)
    test(name, () => assert.ok(refused(email).includes(property), JSON.stringify(refused(email))))
})

describe('names of header properties', () => {
  test('only the forms of RFC 8621 in their order are read', () => {
    const names = fc.string({
      unit: fc.constantFrom('X', '-', 'a', ':', ' ', 'all', 'asText', 'asDate', 'asRaw', 'header'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(names, (rest) => {
        const read = parseHeaderProperty(`header:${rest}`)
        const isGood = /^[!-9;-~]+(?::as(?:Text|Date|Raw))?(?::all)?$/.test(rest)
        assert.equal(read !== null, isGood)
      }),
      { ...SEED, numRuns: 2_000 },
    )
  })
})
