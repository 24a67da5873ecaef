import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { resolved } from './conflict.ts'
import { AUTOSAVE_AT_LATEST_MS, AUTOSAVE_MS } from './session-write.ts'
import { ANA, BEN, entryWith } from './testing/entries.ts'
import { refusal } from './testing/service.ts'
import { indicator, open, pass, settle } from './testing/session.ts'
import { valuesOf } from './values.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

describe('a conflict', () => {
  const meet = async () => {
    const opened = open()
    opened.service.others({ title: 'Theirs', updatedBy: BEN })
    opened.session.change('title', 'Mine')
    opened.session.change('data.summary', 'My summary')
    await pass(AUTOSAVE_MS)
    return opened
  }

  test('freezes every write until it is decided', async () => {
    const { session, service } = await meet()
    assert.equal(indicator(session), 'conflict')
    assert.equal(session.state().conflict?.by, 'Ben')
    const { length } = service.writes
    session.change('title', 'Mine still')
    assert.equal(await session.save(), false)
    await assert.rejects(session.runAction(async (entry) => entry))
    await pass(AUTOSAVE_AT_LATEST_MS)
    assert.equal(service.writes.length, length)
    assert.equal(service.entry?.title, 'Theirs')
  })

  test('what is decided is saved over their version; the decision can be undone', async () => {
    const { session, service } = await meet()
    const { theirs } = session.state().conflict ?? {}
    assert.ok(theirs)
    session.resolve(theirs, { ...valuesOf(theirs), data: { ...theirs.data, summary: 'My summary' } })
    await pass(AUTOSAVE_MS)
    assert.deepEqual([service.entry?.title, service.entry?.data.summary], ['Theirs', 'My summary'])
    session.stack.undo()
    assert.equal(session.state().values.title, 'Mine')
  })

  test('what others changed besides the content is none', async () => {
    const { session, service } = open()
    service.others({ publishedAt: '2026-02-01T00:00:00.000Z', status: 'published', updatedBy: BEN })
    session.change('title', 'Mine')
    await pass(AUTOSAVE_MS)
    assert.equal(session.state().conflict, null)
    assert.deepEqual(service.writes.at(-1), { title: 'Mine', mode: 'draft', autosave: true, version: 2 })
  })

  test('their version that cannot be read freezes as well, and is read again', async () => {
    const { session, service } = open()
    service.others({ title: 'Theirs' })
    const { read } = service.requests
    service.requests.read = async () => Promise.reject(refusal(0, 'no_answer'))
    session.change('title', 'Mine')
    await session.save()
    assert.deepEqual([indicator(session), session.state().conflict?.theirs], ['conflict', undefined])
    service.requests.read = read
    await session.readTheirs()
    assert.equal(session.state().conflict?.theirs?.title, 'Theirs')
  })

  test('that is met when the connection is back is decided and saved like any other', async () => {
    const { session, service } = open()
    service.answers = [refusal(0, 'no_answer')]
    session.change('title', 'Mine')
    await pass(AUTOSAVE_MS)
    service.others({ title: 'Theirs', data: { summary: 'Theirs', count: null, items: [] }, updatedBy: BEN })
    session.online()
    await settle()
    const { theirs } = session.state().conflict ?? {}
    assert.ok(theirs)
    session.resolve(theirs, { ...valuesOf(theirs), title: 'Mine' })
    await pass(AUTOSAVE_MS)
    assert.deepEqual([service.entry?.title, service.entry?.data.summary], ['Mine', 'Theirs'])
    assert.equal(indicator(session), 'saved')
  })

  test('a write that never arrived is not taken for done because the same person did something else meanwhile', async () => {
    const { session, service } = open()
    service.answers = [refusal(0, 'no_answer')]
    session.change('title', 'Mine')
    await pass(AUTOSAVE_MS)
    service.others({ status: 'published', publishedAt: '2026-02-01T00:00:00.000Z', updatedBy: ANA })
    session.online()
    await settle()
    assert.equal(service.entry?.title, 'Mine')
    assert.equal(indicator(session), 'saved')
  })

  test('everything of theirs with nothing chosen is theirs', () => {
    const theirs = valuesOf(entryWith({ title: 'Theirs' }))
    assert.deepEqual(resolved(theirs, [], new Map()), theirs)
  })
})

describe('changes of different fields', () => {
  const theirData = { summary: 'Theirs', count: null, items: [] }

  test('are merged without a question: own members are sent again, theirs are shown and announced', async () => {
    const { session, service, merged } = open()
    service.others({ data: theirData, updatedBy: BEN })
    session.change('title', 'Mine')
    assert.equal(await session.save(), true)
    assert.equal(session.state().conflict, null)
    assert.deepEqual(
      service.writes.map(({ version, ...sent }) => [version, sent]),
      [
        [1, { title: 'Mine', slug: 'mine' }],
        [2, { title: 'Mine', slug: 'mine' }],
      ],
    )
    assert.deepEqual([service.entry?.title, service.entry?.data.summary], ['Mine', 'Theirs'])
    assert.equal(session.state().values.data.summary, 'Theirs')
    assert.deepEqual(merged, ['Ben: Summary'])
    assert.equal(indicator(session), 'saved')
  })

  test('are a conflict as soon as one field is in both', async () => {
    const { session, service, merged } = open()
    service.others({ title: 'Theirs', data: theirData, updatedBy: BEN })
    session.change('title', 'Mine')
    await session.save()
    assert.equal(session.state().conflict?.theirs?.title, 'Theirs')
    assert.deepEqual([service.writes.length, merged], [1, []])
  })

  test('are no conflict where both wrote the same', async () => {
    const { session, service, merged } = open()
    service.others({ data: theirData, updatedBy: BEN })
    session.change('data.summary', 'Theirs')
    session.change('data.count', 3)
    assert.equal(await session.save(), true)
    assert.deepEqual([service.entry?.data.summary, service.entry?.data.count, merged], ['Theirs', 3, []])
  })

  test('keep what was typed while their version was read', async () => {
    const { session, service } = open()
    service.others({ data: theirData, updatedBy: BEN })
    const { read } = service.requests
    service.requests.read = (id) => {
      session.change('data.count', 7)
      return read(id)
    }
    session.change('title', 'Mine')
    await session.save()
    await pass(AUTOSAVE_MS)
    assert.deepEqual([service.entry?.title, service.entry?.data], ['Mine', { ...theirData, count: 7 }])
  })

  test('that are undone leave theirs alone', async () => {
    const { session, service } = open()
    service.others({ data: theirData, updatedBy: BEN })
    session.change('data.count', 3)
    await session.save()
    session.stack.undo()
    assert.deepEqual(session.state().values.data, theirData)
  })
})

describe('changes by others', () => {
  test('a newer version is announced, an older one and one’s own are not', async () => {
    const { session } = open()
    session.receive(entryWith())
    assert.equal(session.state().remote, null)
    session.change('title', 'Mine')
    await session.save()
    session.receive(entryWith({ version: 2 }))
    assert.equal(session.state().remote, null)
    session.receive(entryWith({ version: 3, updatedBy: BEN }))
    assert.equal(session.state().remote?.version, 3)
  })

  test('another status is taken over at once, and what is typed stays', async () => {
    const { session } = open()
    session.change('data.summary', 'Mine')
    session.receive(entryWith({ version: 2, status: 'published', publishedAt: '2026-02-01T00:00:00.000Z' }))
    const { entry, remote, values } = session.state()
    assert.deepEqual([entry?.status, entry?.version, remote, values.data.summary], ['published', 2, null, 'Mine'])
  })

  test('an action for a version that is gone is refused; what others changed is here then, to be seen first', async () => {
    const { session, service, merged } = open()
    service.others({ title: 'Theirs', updatedBy: BEN })
    const publish = () => session.runAction(async () => Promise.reject(refusal(409, 'VERSION_CONFLICT')))
    await assert.rejects(publish(), /up to date now/)
    assert.deepEqual([session.state().values.title, merged], ['Theirs', ['Ben: Title']])
  })

  test('an action for a version that is gone leads to the decision where both changed the same', async () => {
    const { session, service } = open()
    session.change('title', 'Mine')
    service.others({ title: 'Theirs', updatedBy: BEN })
    const publish = () => session.runAction(async () => Promise.reject(refusal(409, 'VERSION_CONFLICT')))
    await assert.rejects(publish(), /Someone else changed/)
    assert.equal(session.state().conflict?.theirs?.title, 'Theirs')
  })
})
