import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

describe('Email/changes', () => {
  test('returns what was created, changed and destroyed since a state', async () => {
    const { client, accountId } = ground.ann
    const kept = await ground.add(ground.ann)
    const lost = await ground.add(ground.ann)
    const { state } = await client.one('Email/get', { accountId, ids: [] })
    const empty = await client.one('Email/changes', { accountId, sinceState: state })
    assert.deepEqual(
      [empty.oldState, empty.newState, empty.created, empty.updated, empty.destroyed],
      [state, state, [], [], []],
    )
    const made = await ground.add(ground.ann)
    await client.one('Email/set', {
      accountId,
      update: { [kept.messageId]: { 'keywords/x': true } },
      destroy: [lost.messageId],
    })
    const changes = await client.one('Email/changes', { accountId, sinceState: state })
    assert.deepEqual(
      [changes.created, changes.updated, changes.destroyed, changes.hasMoreChanges],
      [[made.messageId], [kept.messageId], [lost.messageId], false],
    )
    const first = await client.one('Email/changes', { accountId, sinceState: state, maxChanges: 1 })
    assert.equal(first.hasMoreChanges, true)
    assert.equal(await client.error('Email/changes', { accountId, sinceState: 'never' }), 'cannotCalculateChanges')
    assert.equal(await client.error('Email/changes', { accountId, sinceState: '99999999' }), 'cannotCalculateChanges')
    assert.equal(
      await client.error('Email/changes', { accountId, sinceState: state, maxChanges: 0 }),
      'invalidArguments',
    )
  })
})

const SEARCHES = (box: GroundMailbox): Record<string, unknown>[] => [
  {},
  { filter: { inMailbox: box.folders.inbox } },
  { filter: { inMailbox: box.folders.inbox }, collapseThreads: true },
  { filter: { hasKeyword: 'k' }, sort: [{ property: 'subject' }] },
  { filter: { someInThreadHaveKeyword: 'k' }, collapseThreads: true },
  { filter: { text: 'even' }, sort: [{ property: 'size' }] },
  { sort: [{ property: 'allInThreadHaveKeyword', keyword: 'k' }, { property: 'receivedAt' }] },
  { filter: { operator: 'NOT', conditions: [{ inMailboxOtherThan: [box.folders.archive] }] }, collapseThreads: true },
]

/** RFC 8620 §5.6: how a client brings its results up to date. */
const patched = (ids: readonly string[], { removed, added }: Answer): string[] => {
  const gone = new Set<string>(removed)
  const result = ids.filter((id) => !gone.has(id))
  for (const { id, index } of added) result.splice(index, 0, id)
  return result
}

describe('Email/queryChanges', () => {
  test('brings the results of any query up to date, whatever happened', async () => {
    const box = await ground.mailbox('changing@example.test')
    const { client, accountId, folders } = box
    const searches = SEARCHES(box)
    let count = 0
    const existing = async (): Promise<string[]> => (await client.one('Email/query', { accountId })).ids
    const step = {
      add: async (number: number) => {
        count += 1
        const thread = number % 3
        await ground.add(box, {
          id: `${count}@x`,
          references: [`thread${thread}@x`],
          subject: `Thread ${thread}`,
          text: number % 2 === 0 ? 'even' : 'odd',
          receivedAt: new Date(Date.parse('2026-03-01T00:00:00Z') + number * 1000),
          folderIds: [number % 5 === 0 ? folders.archive : folders.inbox],
          keywords: number % 4 === 0 ? ['k'] : [],
        })
      },
      mark: async (number: number) => {
        const ids = await existing()
        const id = ids[number % ids.length]
        if (id)
          await client.one('Email/set', {
            accountId,
            update: { [id]: { 'keywords/k': number % 2 === 0 ? true : null } },
          })
      },
      move: async (number: number) => {
        const ids = await existing()
        const id = ids[number % ids.length]
        const folder = number % 2 === 0 ? folders.archive : folders.inbox
        if (id) await client.one('Email/set', { accountId, update: { [id]: { mailboxIds: { [folder]: true } } } })
      },
      remove: async (number: number) => {
        const ids = await existing()
        const id = ids[number % ids.length]
        if (id) await client.one('Email/set', { accountId, destroy: [id] })
      },
    }
    for (let number = 0; number < 8; number += 1) await step.add(number)
    const change = fc.tuple(fc.constantFrom('add', 'add', 'mark', 'move', 'remove'), fc.nat(100))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const before = await client.call(
          ...searches.map((search) => ['Email/query', { accountId, ...search }] as const),
        )
        for (const [name, number] of changes)
          if (name === 'add' || name === 'mark' || name === 'move' || name === 'remove') await step[name](number)
        const queryChanges = await client.call(
          ...searches.map(
            (search, index) =>
              [
                'Email/queryChanges',
                { accountId, ...search, sinceQueryState: before[index]?.[1].queryState, calculateTotal: true },
              ] as const,
          ),
        )
        const now = await client.call(...searches.map((search) => ['Email/query', { accountId, ...search }] as const))
        for (const [index, search] of searches.entries()) {
          const answer = queryChanges[index]?.[1]
          assert.deepEqual(
            patched(before[index]?.[1].ids, answer),
            now[index]?.[1].ids,
            JSON.stringify([search, changes, answer]),
          )
          assert.equal(answer.total, now[index]?.[1].ids.length)
          assert.equal(answer.newQueryState, now[index]?.[1].queryState)
        }
      }),
      { seed: 20260301, numRuns: 25 },
    )
  })

  test('is short where nothing moved, and ends at upToId where nothing can move', async () => {
    const box = await ground.mailbox('short@example.test')
    const { client, accountId } = box
    const day = (number: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + number * 86_400_000)
    const oldest = await ground.add(box, { receivedAt: day(1) })
    const newest = await ground.add(box, { receivedAt: day(9) })
    const { queryState: sinceQueryState } = await client.one('Email/query', { accountId })
    const changes = (args: Record<string, unknown> = {}) =>
      client.one('Email/queryChanges', { accountId, sinceQueryState, ...args })
    assert.deepEqual(await changes(), {
      accountId,
      oldQueryState: sinceQueryState,
      newQueryState: sinceQueryState,
      removed: [],
      added: [],
    })
    await client.one('Email/set', { accountId, update: { [newest.messageId]: { 'keywords/x': true } } })
    assert.deepEqual((await changes()).removed, [])
    assert.deepEqual((await changes({ filter: { hasKeyword: 'x' } })).added, [{ id: newest.messageId, index: 0 }])
    const middle = await ground.add(box, { receivedAt: day(5) })
    assert.deepEqual((await changes({ filter: null })).added, [{ id: middle.messageId, index: 1 }])
    assert.deepEqual((await changes({ upToId: newest.messageId })).added, [])
    assert.deepEqual((await changes({ upToId: oldest.messageId })).added.length, 1)
    assert.deepEqual((await changes({ upToId: 'nothing' })).added.length, 1)
    await client.one('Email/set', { accountId, destroy: [oldest.messageId] })
    assert.ok((await changes()).removed.includes(oldest.messageId))
    assert.equal(
      await client.error('Email/queryChanges', { accountId, sinceQueryState, maxChanges: 1 }),
      'tooManyChanges',
    )
    assert.equal(
      await client.error('Email/queryChanges', { accountId, sinceQueryState: 'x' }),
      'cannotCalculateChanges',
    )
    assert.equal(await client.error('Email/queryChanges', { accountId }), 'invalidArguments')
  })
})
