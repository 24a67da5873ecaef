import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { bySchedule, failingWebhooks, isStillFailed, latestFailures, nextTime } from './needs.ts'
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
  test('the soonest change comes first, whichever it is', () => {
    const a = { publishAt: '2026-03-05T00:00:00.000Z', unpublishAt: null }
    const b = { publishAt: '2026-03-09T00:00:00.000Z', unpublishAt: '2026-03-02T00:00:00.000Z' }
    assert.deepEqual(bySchedule([a, b]), [b, a])
    assert.equal(nextTime({ publishAt: null, unpublishAt: null }), undefined)
  })

  test('a webhook fails by its last delivery or because it was switched off for failing, not by its owner', () => {
    const last = { at: '', event: '', responseStatus: 500, durationMs: 1, error: null, attempt: 1 }
    const of = (enabled: boolean, disabledReason: 'owner' | 'failing' | null, status: 'failed' | 'success') => ({
      enabled,
      disabledReason,
      lastDelivery: { ...last, status },
    })
    const failing = [of(true, null, 'failed'), of(false, 'failing', 'success')]
    const fine = [of(true, null, 'success'), of(false, 'owner', 'failed')]
    assert.deepEqual(failingWebhooks([...fine, ...failing]), failing)
  })

  test('a failed schedule is told once per entry, until somebody touches the entry', () => {
    const record = (id: string, entry: string, at: string): ActivityRecord => ({
      id,
      at,
      actor: { kind: 'system', id: null, name: 'scheduler' },
      via: 'system',
      action: 'entry.publish.failed',
      target: { kind: 'entry', id: entry, label: entry },
      changed: [],
    })
    const older = record('1', 'a', '2026-03-01T00:00:00.000Z')
    const newer = record('2', 'a', '2026-03-02T00:00:00.000Z')
    const other = record('3', 'b', '2026-03-03T00:00:00.000Z')
    assert.deepEqual(latestFailures([older, other, newer]), [other, newer])
    assert.equal(isStillFailed(newer, newer), true)
    assert.equal(isStillFailed(newer, { ...newer, id: '9', action: 'entry.updated' }), false)
    assert.equal(isStillFailed(newer, undefined), false)
  })
})
