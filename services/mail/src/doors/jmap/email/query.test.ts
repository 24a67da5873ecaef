import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
let box: GroundMailbox
const ids: Record<string, string> = {}
const DAY = 86_400_000
const at = (day: number): Date => new Date(Date.parse('2026-03-01T12:00:00.000Z') + day * DAY)

before(async () => {
  ground = await startJmap()
  box = ground.ann
  const { inbox, archive, trash } = box.folders
  const plant = async (name: string, mail: Parameters<JmapGround['add']>[1]) => {
    ids[name] = (await ground.add(box, mail)).messageId
  }
  await plant('start', {
    id: 'alpha1@x',
    subject: 'Project Alpha',
    text: 'I begin',
    receivedAt: at(1),
    keywords: ['$seen'],
    folderIds: [archive],
  })
  await plant('reply', {
    id: 'alpha2@x',
    subject: 'Re: Project Alpha',
    references: ['alpha1@x'],
    text: 'The conference room',
    receivedAt: at(2),
  })
  await plant('answer', {
    id: 'alpha3@x',
    subject: 'Re: Project Alpha',
    references: ['alpha1@x', 'alpha2@x'],
    text: 'Bring the xylophone',
    receivedAt: at(3),
    keywords: ['$answered'],
  })
  await plant('flagged', {
    subject: 'Beta',
    from: 'Zoe <zoe@example.org>',
    text: 'The room of the conference',
    receivedAt: at(4),
    keywords: ['$flagged', '$seen'],
    folderIds: [inbox, archive],
  })
  await plant('large', {
    subject: 'Gamma',
    from: 'Adam <adam@example.org>',
    to: 'carol@example.org',
    text: 'x '.repeat(6_000),
    receivedAt: at(5),
  })
  await plant('trash', { subject: 'Delta', receivedAt: at(6), folderIds: [trash] })
  await plant('file', {
    receivedAt: at(7),
    raw: 'From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nTo: b@example.org\r\nCc: dora@example.org\r\nBcc: secret@example.org\r\nSubject: Epsilon\r\nX-Custom: the value 42\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\n\r\nx',
  })
})
after(() => ground.close())

const query = (args: Record<string, unknown>): Promise<Answer> =>
  box.client.one('Email/query', { accountId: box.accountId, ...args })

const named = (found: readonly string[]): string[] =>
  found.map((id) => Object.keys(ids).find((name) => ids[name] === id) ?? id)

const find = async (filter: unknown, args: Record<string, unknown> = {}): Promise<string[]> =>
  named((await query({ filter, ...args })).ids).sort()

describe('Email/query filters', () => {
  test('by every condition of RFC 8621', async () => {
    const { inbox, archive, trash } = box.folders
    const cases: [Record<string, unknown>, string[]][] = [
      [{ inMailbox: archive }, ['flagged', 'start']],
      [{ inMailbox: 'nothing' }, []],
      [{ inMailboxOtherThan: [inbox, trash] }, ['flagged', 'start']],
      [{ inMailboxOtherThan: [inbox, trash, archive, 'nothing'] }, []],
      [{ before: '2026-03-03T12:00:00Z' }, ['start']],
      [{ after: '2026-03-07T12:00:00Z' }, ['file', 'trash']],
      [{ minSize: 10_000 }, ['large']],
      [{ hasKeyword: '$Flagged' }, ['flagged']],
      [{ notKeyword: '$seen', inMailbox: inbox }, ['answer', 'file', 'large', 'reply']],
      [{ someInThreadHaveKeyword: '$answered' }, ['answer', 'reply', 'start']],
      [{ allInThreadHaveKeyword: '$seen' }, ['flagged']],
      [{ noneInThreadHaveKeyword: '$seen' }, ['file', 'large', 'trash']],
      [{ hasAttachment: true }, ['file']],
      [{ text: 'xylophone' }, ['answer']],
      [{ text: 'project ALPHA' }, ['answer', 'reply', 'start']],
      [{ from: 'jurgen' }, ['file']],
      [{ from: 'zoe@example.org' }, ['flagged']],
      [{ to: 'carol' }, ['large']],
      [{ cc: 'dora@example.org' }, ['file']],
      [{ bcc: 'secret' }, ['file']],
      [{ subject: 'gamma' }, ['large']],
      [{ body: 'conference room' }, ['flagged', 'reply']],
      [{ body: '"conference room"' }, ['reply']],
      [{ text: "'room of' the" }, ['flagged']],
      [{ header: ['x-custom'] }, ['file']],
      [{ header: ['X-Custom', 'VALUE'] }, ['file']],
      [{ header: ['X-Custom', 'other'] }, []],
      [{ hasKeyword: 'a b' }, []],
    ]
    for (const [filter, expected] of cases) assert.deepEqual(await find(filter), expected, JSON.stringify(filter))
    assert.equal((await find({ maxSize: 10_000 })).includes('large'), false)
    assert.equal((await find({ hasAttachment: false })).length, 6)
    assert.equal((await find(null)).length, 7)
    assert.equal((await find({})).length, 7)
  })

  test('by conditions inside of each other', async () => {
    const { inbox } = box.folders
    const inner = { operator: 'AND', conditions: [{ inMailbox: inbox }, { hasKeyword: '$seen' }] }
    assert.deepEqual(await find(inner), ['flagged'])
    assert.deepEqual(await find({ operator: 'OR', conditions: [inner, { text: 'xylophone' }] }), ['answer', 'flagged'])
    const not = { operator: 'NOT', conditions: [{ inMailbox: inbox }, { hasKeyword: '$seen' }] }
    assert.deepEqual(await find(not), ['trash'])
    assert.equal((await find({ operator: 'NOT', conditions: [] })).length, 7)
    assert.deepEqual(await find({ operator: 'OR', conditions: [] }), [])
  })

  test('what it does not know is refused, and nothing breaks', async () => {
    const cases: [unknown, string][] = [
      [{ nothing: 1 }, 'unsupportedFilter'],
      [{ toString: 'x' }, 'unsupportedFilter'],
      [{ inMailbox: 1 }, 'invalidArguments'],
      [{ before: '2026-01-01' }, 'invalidArguments'],
      [{ minSize: -1 }, 'invalidArguments'],
      [{ hasAttachment: 'yes' }, 'invalidArguments'],
      [{ header: [] }, 'invalidArguments'],
      [{ header: ['a', 'b', 'c'] }, 'invalidArguments'],
      [{ operator: 'XOR', conditions: [] }, 'invalidArguments'],
      [{ operator: 'AND' }, 'invalidArguments'],
      ['text', 'invalidArguments'],
    ]
    for (const [filter, type] of cases)
      assert.equal(
        await box.client.error('Email/query', { accountId: box.accountId, filter }),
        type,
        JSON.stringify(filter),
      )
    let deep: unknown = {}
    for (let index = 0; index < 25; index += 1) deep = { operator: 'NOT', conditions: [deep] }
    assert.equal(await box.client.error('Email/query', { accountId: box.accountId, filter: deep }), 'unsupportedFilter')
  })

  test('any filter is answered or refused', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('"', "'a b'", '\\', '*', '%', "x'); --", '\u0001', '( & |'),
    )
    const condition = fc.record(
      {
        text,
        from: text,
        subject: text,
        body: text,
        header: fc.array(text, { minLength: 1, maxLength: 2 }),
        hasKeyword: text,
        someInThreadHaveKeyword: text,
        minSize: fc.nat(),
        before: fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-03-04T00:00:00Z'),
        inMailbox: fc.constantFrom(...Object.values({ a: 'nothing' })),
      },
      { requiredKeys: [] },
    )
    const { filter } = fc.letrec<{ filter: unknown }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        condition,
        fc.record({
          operator: fc.constantFrom('AND', 'OR', 'NOT'),
          conditions: fc.array(tie('filter'), { maxLength: 3 }),
        }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(filter, async (each) => {
        const [response] = await box.client.call(['Email/query', { accountId: box.accountId, filter: each }])
        const [name, answer] = response ?? ['none', {}]
        if (name === 'error') assert.ok(['invalidArguments', 'unsupportedFilter'].includes(answer.type), answer.type)
        else assert.ok(Array.isArray(answer.ids))
      }),
      { seed: 20260301, numRuns: 60 },
    )
  })
})

describe('Email/query orders', () => {
  const sorted = async (sort: unknown, args: Record<string, unknown> = {}) =>
    named((await query({ sort, ...args })).ids)

  test('by every property, both ways', async () => {
    const newest = ['file', 'trash', 'large', 'flagged', 'answer', 'reply', 'start']
    assert.deepEqual(await sorted([{ property: 'receivedAt', isAscending: false }]), newest)
    assert.deepEqual(await sorted([{ property: 'receivedAt' }]), newest.toReversed())
    assert.deepEqual(await sorted(undefined), newest)
    assert.equal((await sorted([{ property: 'size', isAscending: false }]))[0], 'large')
    assert.equal((await sorted([{ property: 'from', collation: 'i;unicode-casemap' }]))[0], 'large')
    assert.equal((await sorted([{ property: 'from', isAscending: false }]))[0], 'flagged')
    assert.equal((await sorted([{ property: 'to', isAscending: false }]))[0], 'large')
    assert.deepEqual((await sorted([{ property: 'subject' }, { property: 'receivedAt' }])).slice(-3), [
      'start',
      'reply',
      'answer',
    ])
    assert.equal((await sorted([{ property: 'sentAt' }])).length, 7)
    const flagged = { property: 'hasKeyword', keyword: '$flagged', isAscending: false }
    assert.equal((await sorted([flagged]))[0], 'flagged')
    const answered = { property: 'someInThreadHaveKeyword', keyword: '$answered', isAscending: false }
    assert.deepEqual((await sorted([answered, { property: 'receivedAt' }])).slice(0, 3), ['start', 'reply', 'answer'])
    const seen = { property: 'allInThreadHaveKeyword', keyword: '$seen', isAscending: false }
    assert.equal((await sorted([seen]))[0], 'flagged')
  })

  test('what it does not know is unsupportedSort', async () => {
    const error = (sort: unknown) => box.client.error('Email/query', { accountId: box.accountId, sort })
    assert.equal(await error([{ property: 'nothing' }]), 'unsupportedSort')
    assert.equal(await error([{ property: 'from', collation: 'i;nothing' }]), 'unsupportedSort')
    assert.equal(await error([{ property: 'hasKeyword' }]), 'invalidArguments')
    assert.equal(await error([{ property: 'size', keyword: 'x' }]), 'invalidArguments')
    assert.equal(await error('size'), 'invalidArguments')
  })

  test('windows by position, from the end, and by an anchor', async () => {
    const all = (await query({ calculateTotal: true })) as { ids: string[]; total: number }
    assert.equal(all.total, 7)
    const window = async (args: Record<string, unknown>) => {
      const { ids: found, position } = await query(args)
      return [position, found]
    }
    assert.deepEqual(await window({ position: 2, limit: 3 }), [2, all.ids.slice(2, 5)])
    assert.deepEqual(await window({ position: -3 }), [4, all.ids.slice(4)])
    assert.deepEqual(await window({ position: -30, limit: 2 }), [0, all.ids.slice(0, 2)])
    assert.deepEqual(await window({ anchor: all.ids[3], limit: 2 }), [3, all.ids.slice(3, 5)])
    assert.deepEqual(await window({ anchor: all.ids[3], anchorOffset: -1, limit: 2 }), [2, all.ids.slice(2, 4)])
    assert.deepEqual(await window({ anchor: all.ids[0], anchorOffset: -5, limit: 1 }), [0, all.ids.slice(0, 1)])
    assert.deepEqual((await query({ position: 99_999 })).ids, [])
    assert.deepEqual((await query({ limit: 0, calculateTotal: true })).ids, [])
    for (const anchor of ['nothing', '0192f0c1-2222-7aaa-8bbb-0123456789ab'])
      assert.equal(await box.client.error('Email/query', { accountId: box.accountId, anchor }), 'anchorNotFound')
    assert.equal(await box.client.error('Email/query', { accountId: box.accountId, limit: -1 }), 'invalidArguments')
    assert.equal('total' in (await query({})), false)
  })

  test('a list is shown in three statements: who asks, the ids, and the messages', async () => {
    const { accountId, client, folders } = box
    const show = async () => {
      const watch = ground.parts.database.watchStatements()
      const answers = await client.call(
        ['Email/query', { accountId, filter: { inMailbox: folders.inbox }, collapseThreads: true, limit: 50 }, 'a'],
        [
          'Email/get',
          {
            accountId,
            '#ids': { resultOf: 'a', name: 'Email/query', path: '/ids' },
            properties: ['threadId', 'mailboxIds', 'keywords', 'from', 'subject', 'receivedAt', 'preview'],
          },
          'b',
        ],
      )
      watch.stop()
      const [{ ids: found, queryState }, { list, state }] = answers.map(([, answer]) => answer)
      assert.deepEqual(
        list.map(({ id }: Answer) => id),
        found,
      )
      assert.equal(state, queryState)
      return { list, statements: watch.texts.length, readsRows: watch.texts.some((text) => text.includes('envelope')) }
    }
    const first = await show()
    assert.deepEqual([first.statements, first.readsRows], [3, true])
    const again = await show()
    assert.deepEqual(again, { list: first.list, statements: 3, readsRows: false })
  })

  test('one message of each thread, the first by the order', async () => {
    const collapsed = await query({ collapseThreads: true, calculateTotal: true })
    assert.deepEqual(named(collapsed.ids), ['file', 'trash', 'large', 'flagged', 'answer'])
    assert.equal(collapsed.total, 5)
    const oldest = await query({ collapseThreads: true, sort: [{ property: 'receivedAt' }] })
    assert.deepEqual(named(oldest.ids)[0], 'start')
    const inbox = await query({ collapseThreads: true, filter: { inMailbox: box.folders.inbox }, calculateTotal: true })
    assert.deepEqual([named(inbox.ids), inbox.total], [['file', 'large', 'flagged', 'answer'], 4])
  })
})
