import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { MAX_AGE_MS } from '../../unsaved/keep.ts'
import { chooseAll, differencesOf, firstChoices, isDecided, resolved } from './conflict.ts'
import { localInputOf, momentOf } from './local-time.ts'
import { membersWith, sortProblems, whereOf, withoutMember } from './problems.ts'
import { type Copy, chooseCopy, copyOf, recoveryKey } from './recovery.ts'
import { rightsOf } from './rights.ts'
import { failureOf } from './schedule-failures.ts'
import { change, startState, stepBetween, withStep } from './session-state.ts'
import { followsTitle, slugFor } from './slug.ts'
import { ANA, articleType, BEN, entryWith } from './testing/entries.ts'
import { afterSave, changedMembers, changesOf, type Values, valuesOf, withChanges, withValue } from './values.ts'

const base: Values = { title: 'A', slug: 'a', data: { summary: 'old', count: 1, items: [{ url: '/x' }] } }

describe('values', () => {
  test('only what differs by content is sent', () => {
    const same = { ...base, data: { ...base.data, items: [{ url: '/x' }] } }
    assert.deepEqual(changedMembers(same, base), [])
    const next = withValue(withValue(same, 'data.count', null), 'title', 'B')
    assert.deepEqual(changesOf(next, changedMembers(next, base)), { title: 'B', data: { count: null } })
    assert.deepEqual(withChanges(base, { data: { count: 2 } }).data, { ...base.data, count: 2 })
  })

  test('after a save what was typed since stays and counts as unsaved', () => {
    const sent = withValue(base, 'data.summary', 'sent')
    const values = withValue(sent, 'data.summary', 'sent and more')
    const stored = withValue(sent, 'data.count', 5)
    const next = afterSave({ values, base, sent, sentMembers: ['data.summary'], stored, mayReplace: () => true })
    assert.equal(next.values.data.summary, 'sent and more')
    assert.equal(next.values.data.count, 5)
    assert.deepEqual(changedMembers(next.values, next.base), ['data.summary'])
  })

  test('a list that is stored as it was keeps being the same list', () => {
    const stored = structuredClone(base)
    const next = afterSave({ values: base, base, sent: base, sentMembers: [], stored, mayReplace: () => true })
    assert.equal(next.values, base)
  })
})

describe('a step', () => {
  const opened = startState({ entry: entryWith({ title: 'A', slug: 'a' }), values: base, locale: 'en' })
  const about = { source: 'page:1', at: 0, place: null, label: 'A' }

  test('holds a title with the slug that followed it', () => {
    const typed = change(opened, 'title', 'Bee')
    const step = stepBetween(base, typed.values, about)
    assert.deepEqual(
      [step?.before, step?.after],
      [
        { title: 'A', slug: 'a' },
        { title: 'Bee', slug: 'bee' },
      ],
    )
    assert.deepEqual(withStep(typed, step?.before ?? {}).values, base)
    assert.equal(stepBetween(base, base, about), undefined)
  })

  test('leaves alone what was saved by someone else meanwhile', () => {
    const typed = change(opened, 'data.count', 2)
    const step = stepBetween(base, typed.values, about)
    const merged = { ...typed, values: withValue(typed.values, 'data.summary', 'theirs') }
    assert.deepEqual(withStep(merged, step?.before ?? {}).values.data, { ...base.data, summary: 'theirs' })
  })
})

describe('conflict', () => {
  const mine = withValue(withValue(base, 'title', 'Mine'), 'data.count', 2)
  const theirs = withValue(withValue(base, 'title', 'Theirs'), 'data.summary', 'theirs')
  const differences = differencesOf(articleType, { server: base, base, mine, theirs })

  test('a member that only one side changed keeps that change; where both did, it has to be chosen', () => {
    assert.deepEqual(
      differences.map(({ label, changedBy }) => [label, changedBy]),
      [
        ['Title', 'both'],
        ['Summary', 'theirs'],
        ['Count', 'mine'],
      ],
    )
    const first = firstChoices(differences)
    assert.equal(isDecided(differences, first), false)
    const chosen = new Map([...first, ['title', 'mine'] as const])
    assert.deepEqual(resolved(theirs, differences, chosen), {
      title: 'Mine',
      slug: 'a',
      data: { ...base.data, summary: 'theirs', count: 2 },
    })
    assert.deepEqual(resolved(theirs, differences, chooseAll(differences, 'theirs')), theirs)
    assert.deepEqual(resolved(theirs, differences, chooseAll(differences, 'mine')).data, mine.data)
  })

  test('the same change by both is none, and a cleaned value is no change of theirs', () => {
    assert.deepEqual(differencesOf(articleType, { server: base, base, mine, theirs: mine }), [])
    const typed = withValue(base, 'title', 'A ')
    assert.deepEqual(
      differencesOf(articleType, { server: base, base: typed, mine: typed, theirs: base }).map(({ member }) => member),
      [],
    )
  })
})

describe('problems', () => {
  test('each is at its input, in the order of the form', () => {
    const problems = [
      { key: 'items.1.url', message: 'b' },
      { key: 'at', message: 'c' },
      { key: 'title', message: 'a' },
    ]
    const { placed, homeless } = sortProblems(articleType, problems)
    assert.deepEqual([placed.map(({ key }) => key), homeless.map(({ key }) => key)], [['title', 'items.1.url'], ['at']])
    assert.equal(whereOf(articleType, { key: 'items.1.url', message: '' }), 'Items › 2 › Address')
    assert.deepEqual(membersWith(articleType, 'items.1.url'), ['data.items'])
    assert.deepEqual(withoutMember(problems, 'data.items').length, 2)
    assert.equal(withoutMember(problems, 'slug'), problems)
  })
})

describe('slug', () => {
  test('follows the title of a draft that nobody has seen', () => {
    assert.equal(followsTitle(entryWith()), true)
    assert.equal(followsTitle(entryWith({ slug: 'harbour-3' })), true)
    assert.equal(followsTitle(entryWith({ slug: 'harbour-view' })), false)
    assert.equal(followsTitle(entryWith({ title: '', slug: entryWith().id })), true)
    assert.equal(followsTitle(entryWith({ status: 'published' })), false)
    assert.equal(followsTitle(entryWith({ publishedAt: '2026-01-01T00:00:00.000Z' })), false)
  })

  test('has a number from the second try on, and room for it', () => {
    assert.deepEqual([slugFor('Größe', 'de', 1), slugFor('Größe', 'en', 2)], ['groesse', 'grosse-2'])
    assert.equal(slugFor('Single', 'en', 1), 'single-2')
    assert.equal(slugFor('!', 'en', 1), '')
    assert.equal(slugFor('a'.repeat(300), 'en', 12).length, 200)
  })

  test('stops following once it is typed, and follows again once it is emptied', () => {
    const start = startState({ entry: null, values: { title: '', slug: '', data: {} }, locale: 'en' })
    const typed = change(change(start, 'title', 'One'), 'slug', 'mine')
    assert.equal(change(typed, 'title', 'Two').values.slug, 'mine')
    assert.equal(change(change(typed, 'slug', ''), 'title', 'Two').values.slug, 'two')
    const single = startState({ entry: null, values: start.values, locale: 'en', isSingle: true })
    assert.equal(change(single, 'title', 'Home').values.slug, '')
  })
})

describe('rights', () => {
  test('an author writes own drafts only, and reads why', () => {
    const author = { id: ANA.id, role: 'author' } as const
    assert.equal(rightsOf(author, entryWith()).edit, true)
    assert.match(rightsOf(author, entryWith({ author: { ...BEN, avatarUrl: null } })).reason ?? '', /by Ben/)
    assert.match(rightsOf(author, entryWith({ status: 'published' })).reason ?? '', /live/)
    assert.match(rightsOf(author, entryWith({ publishAt: '2027-01-01T00:00:00.000Z' })).reason ?? '', /scheduled/)
    assert.match(rightsOf({ id: BEN.id, role: 'viewer' }, null).reason ?? '', /can view/)
    assert.equal(rightsOf({ id: BEN.id, role: 'editor' }, entryWith({ deletedAt: 'x' })).edit, false)
    const editor = rightsOf({ id: BEN.id, role: 'editor' }, entryWith({ status: 'published' }))
    assert.deepEqual([editor.edit, editor.publish, editor.any], [true, true, true])
  })
})

describe('recovery', () => {
  const copy = (members: Partial<Copy>): Copy => ({
    id: 'one',
    account: ANA.id,
    place: 'p',
    at: 1000,
    version: 1,
    changes: { title: 'Unsaved' },
    ...members,
  })

  test('the newest copy that says something new is offered; the others are of no use', () => {
    const saved = copy({ id: 'saved', at: 5000, changes: { title: 'A' } })
    const old = copy({ id: 'old', at: 3000 - MAX_AGE_MS })
    const { offered, useless } = chooseCopy([copy({}), saved, copy({ id: 'two', at: 2000 }), old], base, 3000)
    assert.equal(offered?.id, 'two')
    assert.deepEqual(useless.map(({ id }) => id).toSorted(), ['old', 'saved'])
  })

  test('what is unsaved is kept, and nothing else', () => {
    const start = startState({ entry: entryWith(), values: valuesOf(entryWith()), locale: 'en' })
    const about = { id: 'x', account: ANA.id, place: recoveryKey(null, 'article', null), at: 1 }
    assert.equal(copyOf(start, about), undefined)
    const dirty = copyOf(change(start, 'data.summary', 'New'), about)
    assert.deepEqual([dirty?.changes, dirty?.version, dirty?.place], [{ data: { summary: 'New' } }, 1, 'new:article:'])
  })
})

test('a failed schedule is shown until something else happens or a new time is set', () => {
  const record = (action: string): ActivityRecord => ({
    id: ANA.id,
    at: '2026-03-01T12:00:00.000Z',
    actor: { kind: 'system', id: null, name: 'System' },
    via: 'system',
    action,
    target: { kind: 'entry', id: ANA.id, label: 'x' },
    changed: [],
  })
  const failed = record('entry.publish.failed')
  assert.equal(failureOf([failed], entryWith()), failed)
  assert.equal(failureOf([failed], entryWith({ publishAt: '2027-01-01T00:00:00.000Z' })), undefined)
  assert.equal(failureOf([record('entry.updated'), failed], entryWith()), undefined)
  assert.equal(failureOf([], entryWith()), undefined)
})

test('a time goes through its input unchanged', () => {
  const iso = '2026-07-01T06:30:00.000Z'
  assert.equal(momentOf(localInputOf(iso)), iso)
  assert.equal(momentOf('2026-07-01'), undefined)
  assert.equal(momentOf(''), undefined)
  assert.equal(localInputOf('never'), '')
})
