import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changed,
  changesOf,
  type Drafts,
  differencesOf,
  noDrafts,
  rebased,
  refreshed,
  saved,
  taken,
  unsavedSources,
} from './drafts.ts'

const opened = (): Drafts =>
  refreshed(noDrafts, {
    settings: { version: 3, values: { title: 'Stoa', tagline: 'Old' } },
    'menu:main': { version: null, values: { items: [{ id: 'default-1', label: 'Home', url: '/', children: [] }] } },
  })

const type = (drafts: Drafts, member: string, value: unknown, at = 0, source = 'settings'): Drafts =>
  changed(drafts, { source, values: { [member]: value }, at, label: 'Header' })?.drafts ?? drafts

const valuesAt = (drafts: Drafts, source = 'settings') => drafts.sources[source]?.values

test('only the members that differ from what is saved are sent', () => {
  const drafts = type(opened(), 'tagline', 'New')
  assert.deepEqual(unsavedSources(drafts), ['settings'])
  const draft = drafts.sources.settings
  assert.ok(draft)
  assert.deepEqual(changesOf(draft), { tagline: 'New' })
  assert.deepEqual(unsavedSources(type(drafts, 'tagline', 'Old', 5000)), [])
})

test('a change is a step of the members that it changed, at the place where someone typed', () => {
  const stepOf = (change: Partial<Parameters<typeof changed>[1]>) =>
    changed(opened(), { source: 'settings', values: {}, at: 7, label: 'Header', ...change })?.steps
  const about = { source: 'settings', at: 7, label: 'Header' }
  assert.deepEqual(stepOf({ values: { title: 'Site', tagline: 'Old' } }), [
    { ...about, before: { title: 'Stoa' }, after: { title: 'Site' }, place: 'title' },
  ])
  // What is changed together, or at no place, joins nothing
  assert.equal(stepOf({ values: { title: null, tagline: null } })?.[0]?.place, null)
  assert.equal(stepOf({ values: { title: 'A' }, place: null })?.[0]?.place, null)
  assert.equal(stepOf({ values: { title: 'A' }, place: 'a.label' })?.[0]?.place, 'a.label')
  assert.equal(stepOf({ values: { title: 'Stoa' } }), undefined)
  assert.equal(stepOf({ source: 'gone', values: { title: 'A' } }), undefined)
})

test('a step goes back and forth, and leaves what was changed elsewhere since', () => {
  const made = changed(opened(), { source: 'settings', values: { title: 'A', tagline: 'B' }, at: 0, label: '' })
  const [step] = made?.steps ?? []
  assert.ok(made && step)
  const back = taken(made.drafts, step, 'undo')
  assert.deepEqual([valuesAt(back.drafts), back.members], [valuesAt(opened()), ['title', 'tagline']])
  assert.deepEqual(valuesAt(taken(back.drafts, step, 'redo').drafts), { title: 'A', tagline: 'B' })

  const theirs = { settings: { version: 4, values: { title: 'Theirs', tagline: 'B' } } }
  const part = taken(refreshed(opened(), theirs), step, 'undo')
  assert.deepEqual([valuesAt(part.drafts), part.members], [{ title: 'Theirs', tagline: 'Old' }, ['tagline']])
  assert.deepEqual(taken(noDrafts, step, 'undo').members, [])
})

test('a save takes over what the service stored, and keeps what was typed since', () => {
  let drafts = type(type(opened(), 'title', ' Site ', 0), 'tagline', 'New', 0)
  drafts = type(drafts, 'tagline', 'Newer', 800)
  const sent = { title: ' Site ', tagline: 'New' }
  drafts = saved(drafts, 'settings', sent, { version: 4, values: { title: 'Site', tagline: 'New' } })
  assert.deepEqual(drafts.sources.settings, {
    version: 4,
    saved: { title: 'Site', tagline: 'New' },
    values: { title: 'Site', tagline: 'Newer' },
  })
})

test('going back before a save makes the source unsaved again', () => {
  const made = changed(opened(), { source: 'settings', values: { title: 'Site' }, at: 0, label: '' })
  const [step] = made?.steps ?? []
  assert.ok(made && step)
  const stored = { version: 4, values: { title: 'Site', tagline: 'Old' } }
  const drafts = saved(made.drafts, 'settings', { title: 'Site' }, stored)
  assert.deepEqual(unsavedSources(drafts), [])
  assert.deepEqual(unsavedSources(taken(drafts, step, 'undo').drafts), ['settings'])
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
