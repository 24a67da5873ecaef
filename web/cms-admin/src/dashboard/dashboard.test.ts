import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Dashboard, EntryCard } from '@stoa/cms-model/dashboard.ts'
import { isInMonth, plannedEntries, plannedPosts, weeksOf } from './calendar.ts'
import { needsOf, nextTime, totalsOf } from './needs.ts'
import { type SiteState, stepsOf } from './steps.ts'

const empty: SiteState = { title: '', types: [], entries: 0, published: 0, keys: [] }
const doneIds = (state: SiteState) => stepsOf(state)?.flatMap(({ id, done }) => (done ? [id] : []))

describe('the first steps', () => {
  test('are unknown until everything is known, and none is done on an empty site', () => {
    assert.equal(stepsOf({ ...empty, keys: undefined }), undefined)
    assert.equal(stepsOf({ ...empty, title: undefined }), undefined)
    assert.deepEqual(doneIds(empty), [])
  })

  test('follow the real state; a revoked key is none, but what it read was read', () => {
    const types = [
      { name: 'home', kind: 'single' as const },
      { name: 'article', kind: 'collection' as const },
    ]
    assert.deepEqual(doneIds({ ...empty, title: 'The harbour', types, entries: 2 }), ['title', 'type', 'entry'])
    const revoked = { lastUsedAt: '2026-03-01T12:00:00.000Z', revokedAt: '2026-03-02T12:00:00.000Z' }
    assert.deepEqual(doneIds({ ...empty, published: 1, keys: [revoked] }), ['published', 'read'])
    assert.deepEqual(doneIds({ ...empty, keys: [{ lastUsedAt: null, revokedAt: null }] }), ['key'])
  })

  test('lead to the first type that has several entries, or to making one', () => {
    const to = (types: SiteState['types']) => stepsOf({ ...empty, types })?.find(({ id }) => id === 'entry')?.to
    assert.equal(to([]), '/types/new')
    assert.equal(
      to([
        { name: 'home', kind: 'single' },
        { name: 'article', kind: 'collection' },
      ]),
      '/content/article/new',
    )
  })
})

describe('what needs someone', () => {
  const card = (id: string, members: Partial<EntryCard> = {}): EntryCard => ({
    id,
    type: 'article',
    title: id,
    status: 'draft',
    pending: false,
    publishAt: null,
    unpublishAt: null,
    updatedAt: '2026-03-01T00:00:00.000Z',
    updatedBy: null,
    cover: null,
    ...members,
  })
  const nothing: Dashboard = { types: [], recent: [], drafts: [], scheduled: [], pending: [], failed: [], webhooks: [] }

  test('the next change is the one that comes first, whichever it is', () => {
    const publishAt = '2026-03-09T00:00:00.000Z'
    const unpublishAt = '2026-03-02T00:00:00.000Z'
    assert.equal(nextTime({ publishAt, unpublishAt }), unpublishAt)
    assert.equal(nextTime({ publishAt, unpublishAt: null }), publishAt)
    assert.equal(nextTime({ publishAt: null, unpublishAt: null }), undefined)
  })

  test('an entry that failed is not shown as a draft as well', () => {
    const { drafts, failed } = needsOf({ ...nothing, drafts: [card('a'), card('b')], failed: [card('b')] })
    assert.deepEqual([drafts.map(({ id }) => id), failed.map(({ id }) => id)], [['a'], ['b']])
  })

  test('the entries of all types are one number', () => {
    const types = [
      { type: 'article', total: 4, published: 3, pageId: null },
      { type: 'home', total: 1, published: 0, pageId: null },
    ]
    assert.deepEqual(totalsOf({ types }), { entries: 5, published: 3 })
  })

  test('the schedule has both times of an entry, and social posts that are still to go out', () => {
    const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`
    const cards = [card('a', { publishAt: at(2), unpublishAt: at(5) }), card('b', { title: '', unpublishAt: at(3) })]
    assert.deepEqual(
      plannedEntries(cards).map((planned) => [planned.title, planned.kind, planned.at, planned.to]),
      [
        ['a', 'publish', at(2), '/content/article/a'],
        ['a', 'unpublish', at(5), '/content/article/a'],
        ['Untitled', 'unpublish', at(3), '/content/article/b'],
      ],
    )
    const post = { at: at(4), networks: [], accountIds: [], authorId: null }
    const posts = plannedPosts({
      items: [
        { ...post, postId: 'p', status: 'scheduled', caption: 'Hello' },
        { ...post, postId: 'q', status: 'posted', caption: 'Gone' },
        { ...post, postId: 'r', status: 'scheduled', caption: '' },
      ],
    })
    assert.deepEqual(
      posts.map(({ title, to }) => [title, to]),
      [
        ['Hello', '/social/posts/p'],
        ['Social post', '/social/posts/r'],
      ],
    )
  })

  test('a month is whole weeks, with the days around it', () => {
    const weeks = weeksOf('2026-03-17', 1)
    assert.equal(weeks.length, 6)
    assert.ok(weeks.every((week) => week.length === 7))
    assert.deepEqual([weeks[0]?.[0], weeks.at(-1)?.at(-1)], ['2026-02-23', '2026-04-05'])
    assert.equal(isInMonth('2026-02-28', '2026-03-17'), false)
    assert.equal(isInMonth('2026-03-31', '2026-03-17'), true)
  })
})
