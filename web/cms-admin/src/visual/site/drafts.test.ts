import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOIN_MS } from '../../undo-history.ts'
import {
  changed,
  changesOf,
  type Drafts,
  differencesOf,
  noDrafts,
  rebased,
  redone,
  refreshed,
  saved,
  undone,
  unsavedSources,
} from './drafts.ts'

const opened = (): Drafts =>
  refreshed(noDrafts, {
    settings: { version: 3, values: { title: 'Stoa', tagline: 'Old' } },
    'menu:main': { version: null, values: { items: [{ id: 'default-1', label: 'Home', url: '/', children: [] }] } },
  })

const type = (drafts: Drafts, member: string, value: unknown, at = 0, source = 'settings'): Drafts =>
  changed(drafts, { source, values: { [member]: value }, at, label: 'Header' })

const valuesAt = (drafts: Drafts, source = 'settings') => drafts.sources[source]?.values

test('only the members that differ from what is saved are sent', () => {
  const drafts = type(opened(), 'tagline', 'New')
  assert.deepEqual(unsavedSources(drafts), ['settings'])
  const draft = drafts.sources.settings
  assert.ok(draft)
  assert.deepEqual(changesOf(draft), { tagline: 'New' })
  assert.deepEqual(unsavedSources(type(drafts, 'tagline', 'Old', 5000)), [])
})

test('typing in one member within the pause is one step, a pause or another member begins the next', () => {
  let drafts = type(opened(), 'title', 'S', 0)
  drafts = type(drafts, 'title', 'St', JOIN_MS - 1)
  drafts = type(drafts, 'title', 'Sto', 2 * (JOIN_MS - 1))
  assert.equal(drafts.history.past.length, 1)
  drafts = type(drafts, 'title', 'Stoic', 2 * (JOIN_MS - 1) + JOIN_MS)
  drafts = type(drafts, 'tagline', 'New', 2 * (JOIN_MS - 1) + JOIN_MS)
  assert.equal(drafts.history.past.length, 3)
  drafts = undone(undone(drafts))
  assert.deepEqual(valuesAt(drafts), { title: 'Sto', tagline: 'Old' })
  assert.deepEqual(valuesAt(undone(drafts)), { title: 'Stoa', tagline: 'Old' })
})

test('one history goes over all sources, back and forth', () => {
  let drafts = type(opened(), 'title', 'Site', 0)
  drafts = type(drafts, 'items', [], 0, 'menu:main')
  drafts = undone(drafts)
  assert.deepEqual(valuesAt(drafts, 'menu:main'), valuesAt(opened(), 'menu:main'))
  assert.equal(valuesAt(drafts)?.title, 'Site')
  drafts = undone(drafts)
  assert.deepEqual(unsavedSources(drafts), [])
  assert.equal(undone(drafts), drafts)
  drafts = redone(redone(drafts))
  assert.deepEqual(unsavedSources(drafts), ['settings', 'menu:main'])
  assert.equal(redone(drafts), drafts)
})

test('what is typed after an undo is a step of its own and ends the way forward', () => {
  let drafts = type(type(opened(), 'title', 'A', 0), 'title', 'B', JOIN_MS)
  drafts = type(undone(drafts), 'title', 'C', JOIN_MS + 1)
  assert.equal(drafts.history.future.length, 0)
  assert.equal(valuesAt(undone(drafts))?.title, 'A')
})

test('a list is typed in at a place, and what has none joins nothing', () => {
  const put = (drafts: Drafts, items: unknown, place: string | null): Drafts =>
    changed(drafts, { source: 'menu:main', values: { items }, at: 0, label: 'Menu', place })
  let drafts = put(put(put(put(opened(), 1, null), 2, 'a.label'), 3, 'a.label'), 4, 'a.url')
  assert.equal(drafts.history.past.length, 3)
  drafts = undone(undone(drafts))
  assert.deepEqual(valuesAt(drafts, 'menu:main'), { items: 1 })
})

test('members that are changed together are one step', () => {
  const together = { title: null, tagline: null }
  let drafts = changed(type(opened(), 'title', 'A'), { source: 'settings', values: together, at: 1, label: 'Header' })
  drafts = type(drafts, 'title', 'B', 2)
  assert.equal(drafts.history.past.length, 3)
  assert.deepEqual(valuesAt(undone(drafts)), together)
  assert.deepEqual(valuesAt(undone(undone(drafts))), { title: 'A', tagline: 'Old' })
})

test('a save takes over what the service stored, and keeps what was typed since', () => {
  let drafts = type(type(opened(), 'title', ' Site ', 0), 'tagline', 'New', 0)
  drafts = type(drafts, 'tagline', 'Newer', JOIN_MS)
  const sent = { title: ' Site ', tagline: 'New' }
  drafts = saved(drafts, 'settings', sent, { version: 4, values: { title: 'Site', tagline: 'New' } })
  assert.deepEqual(drafts.sources.settings, {
    version: 4,
    saved: { title: 'Site', tagline: 'New' },
    values: { title: 'Site', tagline: 'Newer' },
  })
})

test('going back before a save makes the source unsaved again', () => {
  let drafts = type(opened(), 'title', 'Site')
  drafts = saved(drafts, 'settings', { title: 'Site' }, { version: 4, values: { title: 'Site', tagline: 'Old' } })
  assert.deepEqual(unsavedSources(drafts), [])
  assert.deepEqual(unsavedSources(undone(drafts)), ['settings'])
})

test('what others saved is shown, unless it is older or the source is being changed', () => {
  const theirs = { version: 4, values: { title: 'Theirs', tagline: 'Old' } }
  assert.equal(valuesAt(refreshed(opened(), { settings: theirs }))?.title, 'Theirs')
  assert.equal(valuesAt(refreshed(opened(), { settings: { ...theirs, version: 2 } }))?.title, 'Stoa')
  const mine = type(opened(), 'tagline', 'Mine')
  assert.equal(refreshed(mine, { settings: theirs }).sources.settings?.version, 3)
})

test('a conflict names what the other one changed, and what both did', () => {
  const draft = type(opened(), 'title', 'Mine').sources.settings
  assert.ok(draft)
  assert.deepEqual(differencesOf(draft, { version: 4, values: { title: 'Theirs', tagline: 'Other' } }), [
    { member: 'title', before: 'Stoa', theirs: 'Theirs', mine: { value: 'Mine' } },
    { member: 'tagline', before: 'Old', theirs: 'Other' },
  ])
  // Both wrote the same: nothing to choose
  assert.deepEqual(differencesOf(draft, { version: 4, values: { title: 'Mine', tagline: 'Old' } }), [
    { member: 'title', before: 'Stoa', theirs: 'Mine' },
  ])
})

test('my changes go on top of theirs, and the chosen side wins where both changed', () => {
  const drafts = type(opened(), 'title', 'Mine')
  const theirs = { version: 4, values: { title: 'Theirs', tagline: 'Other' } }
  const mine = rebased(drafts, 'settings', theirs, () => 'mine').sources.settings
  assert.deepEqual(mine, {
    version: 4,
    saved: { title: 'Theirs', tagline: 'Other' },
    values: { title: 'Mine', tagline: 'Other' },
  })
  assert.deepEqual(unsavedSources(rebased(drafts, 'settings', theirs, () => 'theirs')), [])
})
