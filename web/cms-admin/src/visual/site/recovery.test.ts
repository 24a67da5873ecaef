import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step, UndoDirection } from '../../undo-history.ts'
import { changed, type Drafts, noDrafts, refreshed, taken, unsavedSources } from './drafts.ts'
import { chooseSiteCopy, copyOfSite, isSiteCopy, restoredSite } from './recovery.ts'

const stored = {
  settings: { version: 3, values: { title: 'Stoa', tagline: 'Old' } },
  'design:colours': { version: null, values: { accent: null } },
}
const opened = refreshed(noDrafts, stored)
const typed = (drafts: Drafts, source: string, values: Record<string, unknown>): Drafts =>
  changed(drafts, { source, values, at: 0, label: 'Header' })?.drafts ?? drafts
const stepped = (drafts: Drafts, steps: readonly Step[], turn: UndoDirection): Drafts =>
  steps.reduce((now, step) => taken(now, step, turn).drafts, drafts)
const about = { id: 'one', account: 'ana', at: 1000 }
const kept = (drafts: Drafts, id = 'one', at = 1000) => {
  const copy = copyOfSite(drafts, { ...about, id, at })
  assert.ok(copy)
  return copy
}
const left = typed(typed(opened, 'settings', { tagline: 'New' }), 'design:colours', { accent: '#0a5c5c' })
const labelOf = (source: string) => source

test('what is not saved is kept, of each source only what differs', () => {
  assert.equal(copyOfSite(opened, about), undefined)
  assert.deepEqual(kept(left).sources, {
    settings: { version: 3, saved: { tagline: 'Old' }, values: { tagline: 'New' } },
    'design:colours': { version: null, saved: { accent: null }, values: { accent: '#0a5c5c' } },
  })
})

test('the newest copy that says something is offered, and the others are of no use', () => {
  const [older, newer] = [kept(left, 'older', 1), kept(left, 'newer', 2)]
  const saved = kept(typed(opened, 'settings', { tagline: 'Saved since' }), 'saved', 3)
  const now = refreshed(noDrafts, {
    ...stored,
    settings: { version: 4, values: { title: 'Stoa', tagline: 'Saved since' } },
  })
  const { offered, useless } = chooseSiteCopy([older, newer, saved], now, 10)
  assert.deepEqual([offered?.id, useless.map(({ id }) => id)], ['newer', ['saved']])
  const gone = { ...newer, sources: { 'menu:gone': { version: 1, saved: {}, values: { items: [] } } } }
  assert.equal(chooseSiteCopy([gone], opened, 10).offered, undefined)
})

test('what is restored is unsaved again, and each source can be undone', () => {
  const { drafts: restored, steps } = restoredSite(opened, kept(left), labelOf)
  assert.deepEqual(restored.sources, left.sources)
  const [first, second] = steps
  assert.ok(first && second)
  const back = stepped(restored, [second], 'undo')
  assert.deepEqual(unsavedSources(back), ['settings'])
  assert.deepEqual(stepped(back, [first], 'undo').sources, opened.sources)
  assert.deepEqual(stepped(back, [second], 'redo').sources, left.sources)
})

test('restored over what someone else saved, it is still a change of the version that it was made from', () => {
  const theirs = { ...stored, settings: { version: 4, values: { title: 'Theirs', tagline: 'Theirs' } } }
  const { drafts: restored, steps } = restoredSite(refreshed(noDrafts, theirs), kept(left), labelOf)
  assert.deepEqual(restored.sources.settings, {
    version: 3,
    saved: { title: 'Theirs', tagline: 'Old' },
    values: { title: 'Theirs', tagline: 'New' },
  })
  const back = refreshed(stepped(restored, steps, 'undo'), theirs)
  assert.deepEqual(back.sources.settings?.values, theirs.settings.values)
})

test('what is no copy of this version is not taken for one', () => {
  assert.ok(isSiteCopy(kept(left)))
  const bare = { ...about, place: 'site' }
  for (const sources of [undefined, [], { settings: null }, { settings: { version: '3', saved: {}, values: {} } }])
    assert.equal(isSiteCopy({ ...bare, sources }), false)
})
