import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { groupActivity } from './groups.ts'

const NOON = Date.parse('2026-03-01T12:00:00.000Z')
let count = 0
type RecordOptions = {
  who?: string
  action?: string
  kind?: string
  target?: string
  changed?: string[]
  minutesAgo?: number
}
const record = ({
  who = 'Ana',
  action = 'entry.updated',
  kind = 'entry',
  target,
  changed = [],
  minutesAgo = 0,
}: RecordOptions) => {
  count += 1
  const label = target ?? `Thing ${count}`
  return {
    id: `record ${count}`,
    at: new Date(NOON - minutesAgo * 60_000).toISOString(),
    actor: { kind: 'user', id: who, name: who },
    via: 'session',
    action,
    target: { kind, id: label, label },
    changed,
  } satisfies ActivityRecord
}
const said = (records: readonly ActivityRecord[]) =>
  groupActivity(records).map(
    ({ actor, action, targets, times }) => `${actor.name} ${action} ${targets.length}/${times}`,
  )

describe('activity in groups', () => {
  test('an upload of many files is one line, at its newest', () => {
    const files = Array.from({ length: 12 }, (_, index) =>
      record({ action: 'media.created', kind: 'media', minutesAgo: index }),
    )
    assert.deepEqual(said(files), ['Ana media.created 12/12'])
    assert.equal(groupActivity(files)[0]?.id, files[0]?.id)
  })

  test('the same thing touched again and again is there once', () => {
    const saves = [
      record({ target: 'A', changed: ['title'] }),
      record({ target: 'A', changed: ['title', 'body'] }),
      record({ target: 'B' }),
    ]
    assert.deepEqual(said(saves), ['Ana entry.updated 2/3'])
    assert.deepEqual(groupActivity(saves)[0]?.changed, ['title', 'body'])
  })

  test('people do not interrupt each other, and keep apart', () => {
    const mixed = [record({}), record({ who: 'Ben' }), record({ minutesAgo: 1 }), record({ who: 'Ben', minutesAgo: 2 })]
    assert.deepEqual(said(mixed), ['Ana entry.updated 2/2', 'Ben entry.updated 2/2'])
  })

  test('another action, another kind and a long pause begin anew', () => {
    const mixed = [
      record({}),
      record({ action: 'entry.published' }),
      record({ action: 'media.updated', kind: 'media' }),
      record({ minutesAgo: 59 }),
      record({ minutesAgo: 130 }),
    ]
    assert.deepEqual(said(mixed), [
      'Ana entry.updated 2/2',
      'Ana entry.published 1/1',
      'Ana media.updated 1/1',
      'Ana entry.updated 1/1',
    ])
    assert.deepEqual(groupActivity([]), [])
  })
})
