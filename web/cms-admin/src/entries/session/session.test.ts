import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { createUndoStack } from '../../undo-stack.ts'
import { createSession } from './session.ts'
import { AUTOSAVE_AT_LATEST_MS, AUTOSAVE_MS, RETRY_MS } from './session-write.ts'
import { ANA, articleType, BEN, entryWith } from './testing/entries.ts'
import { createService, refusal } from './testing/service.ts'
import { indicator, open, pass, settle } from './testing/session.ts'
import { valuesOf } from './values.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

describe('saving by itself', () => {
  test('a draft is saved a pause after the last change, with what changed and nothing else', async () => {
    const { session, service } = open()
    session.change('data.summary', 'N')
    await pass(AUTOSAVE_MS - 1)
    session.change('data.summary', 'New')
    await pass(AUTOSAVE_MS - 1)
    assert.deepEqual([service.writes, indicator(session)], [[], 'unsaved'])
    await pass(1)
    assert.deepEqual(service.writes, [{ data: { summary: 'New' }, autosave: true, version: 1 }])
    assert.equal(indicator(session), 'saved')
    await pass(60_000)
    assert.equal(service.writes.length, 1)
  })

  test('someone who never pauses is saved all the same', async () => {
    const { session, service } = open()
    for (let second = 0; second * 1000 <= AUTOSAVE_AT_LATEST_MS; second += 1) {
      session.change('data.summary', `word ${second}`)
      await pass(1000)
    }
    assert.equal(service.writes.length, 1)
  })

  test('of a published entry it goes to the unpublished changes', async () => {
    const { session, service } = open(entryWith({ status: 'published', publishedAt: '2026-01-01T00:00:00.000Z' }))
    session.change('title', 'New')
    await pass(AUTOSAVE_MS)
    assert.deepEqual(service.writes, [{ title: 'New', mode: 'draft', autosave: true, version: 1 }])
  })

  test('what is scheduled is saved only when someone says so', async () => {
    const { session, service } = open(entryWith({ publishAt: '2027-01-01T00:00:00.000Z' }))
    session.change('data.summary', 'Half a sen')
    session.saveSoon()
    session.end()
    await pass(AUTOSAVE_AT_LATEST_MS * 2)
    assert.deepEqual(service.writes, [])
    session.start()
    assert.equal(await session.save(), true)
    assert.deepEqual(service.writes, [{ data: { summary: 'Half a sen' }, version: 1 }])
  })

  test('those who may not change an entry write nothing', async () => {
    const entry = entryWith({ author: { ...BEN, avatarUrl: null }, authorId: BEN.id })
    const service = createService(entry)
    const session = createSession({
      type: articleType,
      entry,
      values: valuesOf(entry),
      locale: 'en',
      me: { id: ANA.id, role: 'author' },
      requests: service.requests,
      onStored: () => undefined,
      onMerged: () => undefined,
      mayReplace: () => true,
      stack: createUndoStack(),
    })
    session.change('title', 'Mine')
    await pass(AUTOSAVE_MS)
    assert.equal(await session.save(), false)
    assert.deepEqual(service.writes, [])
  })

  test('leaving saves what is open', async () => {
    const { session, service } = open()
    session.change('title', 'On the way out')
    session.end()
    await settle()
    assert.equal(service.writes.length, 1)
  })
})

describe('one write at a time', () => {
  test('what is typed during a save stays, and is saved after it', async () => {
    const { session, service } = open()
    const { promise, resolve } = Promise.withResolvers<void>()
    service.gate = promise
    session.change('title', 'One')
    const saving = session.save()
    await settle()
    session.change('title', 'One two')
    const again = session.save()
    await settle()
    assert.equal(service.writes.length, 0)
    assert.equal(indicator(session), 'saving')
    service.gate = undefined
    resolve()
    assert.deepEqual(await Promise.all([saving, again]), [true, true])
    assert.deepEqual(
      service.writes.map(({ title, version }) => [title, version]),
      [
        ['One', 1],
        ['One two', 2],
      ],
    )
    assert.equal(session.state().values.title, 'One two')
  })

  test('the cleaned form is not put under the caret, and counts as saved', async () => {
    const { session, service } = open()
    service.requests.update = async (_, changes) => entryWith({ title: String(changes.title).trim(), version: 2 })
    session.change('title', 'Harbour of ')
    await pass(AUTOSAVE_MS)
    assert.deepEqual([session.state().values.title, indicator(session)], ['Harbour of ', 'saved'])
    session.change('title', 'Harbour of Kiel ')
    await session.save()
    assert.equal(session.state().values.title, 'Harbour of Kiel')
  })
})

describe('a new entry', () => {
  test('is made once, without a slug that nobody typed', async () => {
    const { session, service } = open(null)
    session.change('title', 'Boats')
    assert.equal(session.state().values.slug, 'boats')
    const both = [session.save(), session.save()]
    assert.deepEqual(await Promise.all(both), [true, true])
    assert.deepEqual(service.writes, [{ title: 'Boats' }])
    assert.equal(session.state().values.slug, 'made-by-service')
  })

  test('a slug that follows the title tries the next number when it is taken', async () => {
    const { session, service } = open(entryWith({ title: 'Boat', slug: 'boat' }))
    service.answers = [refusal(409, 'SLUG_TAKEN', [{ key: 'slug', message: 'taken' }])]
    session.change('title', 'Boats')
    await session.save()
    assert.deepEqual(
      service.writes.map(({ slug }) => slug),
      ['boats', 'boats-2'],
    )
    assert.equal(session.state().values.slug, 'boats-2')
    assert.deepEqual(session.state().problems, [])
  })

  test('a slug typed by hand stays, and says that it is taken', async () => {
    const { session, service } = open()
    service.answers = [refusal(409, 'SLUG_TAKEN', [{ key: 'slug', message: 'taken' }])]
    session.change('slug', 'mine')
    session.change('title', 'Other')
    assert.equal(await session.save(), false)
    assert.equal(session.state().values.slug, 'mine')
    assert.deepEqual(session.state().problems, [{ key: 'slug', message: 'taken' }])
  })
})

describe('when the service does not answer', () => {
  test('nothing is lost, and it is tried again with longer and longer pauses', async () => {
    const { session, service } = open()
    service.answers = [refusal(0, 'no_answer'), refusal(503, 'UNAVAILABLE')]
    session.change('title', 'Kept')
    await pass(AUTOSAVE_MS)
    assert.equal(indicator(session), 'offline')
    session.change('data.summary', 'Typed offline')
    await pass(RETRY_MS[0])
    assert.equal(service.writes.length, 2)
    await pass(RETRY_MS[1])
    assert.equal(indicator(session), 'saved')
    assert.deepEqual(service.entry?.data.summary, 'Typed offline')
  })

  test('it is tried at once when the connection is back', async () => {
    const { session, service } = open()
    service.answers = [refusal(0, 'no_answer')]
    session.change('title', 'Kept')
    await pass(AUTOSAVE_MS)
    session.online()
    await settle()
    assert.deepEqual([service.entry?.title, indicator(session)], ['Kept', 'saved'])
  })

  test('a write that was done without an answer is no conflict with oneself', async () => {
    const { session, service } = open()
    service.loseAnswers = true
    session.change('title', 'Done')
    await pass(AUTOSAVE_MS)
    service.loseAnswers = false
    session.change('data.summary', 'More')
    await pass(RETRY_MS[0])
    assert.equal(session.state().conflict, null)
    assert.deepEqual([service.entry?.title, service.entry?.data.summary], ['Done', 'More'])
    assert.equal(indicator(session), 'saved')
  })
})

describe('a refusal', () => {
  test('leaves what is wrong and saves what is right', async () => {
    const { session, service } = open()
    service.answers = [refusal(400, 'VALIDATION_FAILED', [{ key: 'items.0.url', message: 'no address' }])]
    session.change('data.items', [{ url: '::' }])
    session.change('title', 'Right')
    await pass(AUTOSAVE_MS)
    assert.deepEqual(
      service.writes.map(({ title, data }) => [title, data]),
      [
        ['Right', { items: [{ url: '::' }] }],
        ['Right', undefined],
      ],
    )
    assert.equal(indicator(session), 'unsaved')
    await pass(60_000)
    assert.equal(service.writes.length, 2)
    session.change('data.items', [{ url: 'https://example.com' }])
    await pass(AUTOSAVE_MS)
    assert.deepEqual([service.writes.length, indicator(session)], [3, 'saved'])
  })

  test('that someone waited for asks for the focus; one that came by itself does not', async () => {
    const { session, service } = open()
    service.answers = [refusal(400, 'VALIDATION_FAILED', [{ key: 'count', message: 'no number' }])]
    session.change('data.count', 'x')
    await pass(AUTOSAVE_MS)
    assert.equal(session.state().refusals, 0)
    service.answers = [refusal(400, 'VALIDATION_FAILED', [{ key: 'count', message: 'no number' }])]
    assert.equal(await session.save(), false)
    assert.equal(session.state().refusals, 1)
  })
})

describe('an action', () => {
  test('that is refused for the form shows it there; for anything else it leaves the form alone', async () => {
    const { session } = open()
    const fail = (key: string) =>
      assert.rejects(
        session.runAction(async () => Promise.reject(refusal(400, 'VALIDATION_FAILED', [{ key, message: 'no' }]))),
      )
    await fail('at')
    assert.deepEqual([session.state().problems, session.state().refusals], [[], 0])
    await fail('items.0.url')
    assert.deepEqual([session.state().problems.length, session.state().refusals], [1, 1])
  })

  test('waits for the save before it, and has its version', async () => {
    const { session } = open()
    session.change('title', 'First')
    const saved = session.save('flush')
    const seen = session.runAction(async (entry) => entry)
    await saved
    assert.deepEqual([(await seen).version, (await seen).title], [2, 'First'])
  })
})

describe('an ended session', () => {
  test('keeps everything, and goes on after the sign-in', async () => {
    const { session, service } = open()
    service.answers = [refusal(401, 'TOKEN_EXPIRED')]
    session.change('title', 'Kept')
    assert.equal(await session.save(), false)
    assert.equal(session.state().isSignedOut, true)
    session.change('data.summary', 'Typed behind the dialog')
    await pass(60_000)
    assert.equal(service.writes.length, 1)
    session.signedIn()
    await settle()
    assert.deepEqual([service.entry?.title, service.entry?.data.summary], ['Kept', 'Typed behind the dialog'])
  })
})

describe('a step of its own', () => {
  test('is undone alone, however soon it follows typing and typing follows it', () => {
    const { session } = open()
    session.change('data.summary', 'Typed')
    session.asOneStep(() => session.change('data.summary', 'REWRITTEN'))
    session.change('data.summary', 'REWRITTEN and typed')
    const summary = () => session.state().values.data.summary
    session.stack.undo()
    assert.equal(summary(), 'REWRITTEN')
    session.stack.undo()
    assert.equal(summary(), 'Typed')
    session.stack.undo()
    assert.equal(summary(), 'Old')
    session.stack.redo()
    session.stack.redo()
    assert.equal(summary(), 'REWRITTEN')
  })

  test('begins after a save, however soon the typing goes on', async () => {
    const { session } = open()
    session.change('title', 'Saved')
    await session.save()
    session.change('title', 'Saved, and more')
    session.stack.undo()
    assert.equal(session.state().values.title, 'Saved')
  })
})

describe('one history over several entries', () => {
  /** The entry is left, saved, and opened again later. */
  const leaveAndReturn = async (others: Parameters<ReturnType<typeof createService>['others']>[0] = {}) => {
    const stack = createUndoStack()
    const first = open(entryWith(), { stack })
    first.session.change('data.summary', ' New ')
    first.service.requests.update = trimming(first.service)
    await first.session.end()
    first.service.others(others)
    const { service } = first
    assert.ok(service.entry)
    return { ...open(service.entry, { stack, service }), stack }
  }
  const trimming = ({ requests: { update } }: ReturnType<typeof createService>): typeof update => {
    const trimmed = (text: unknown) => (typeof text === 'string' ? text.trim() : text)
    return (id, { data = {}, ...changes }, version) =>
      update(id, { ...changes, data: { ...data, summary: trimmed(data.summary) } }, version)
  }

  test('a step is undone after its entry was saved and opened again: as a new edit of the version there is', async () => {
    const { session, service, stack } = await leaveAndReturn({ data: { summary: 'New', count: 3, items: [] } })
    stack.undo()
    assert.equal(session.state().values.data.summary, 'Old')
    await pass(AUTOSAVE_MS)
    assert.deepEqual(service.writes.at(-1), { data: { summary: 'Old' }, autosave: true, version: 3 })
    assert.equal(service.entry?.data.count, 3)
    stack.redo()
    assert.equal(session.state().values.data.summary, 'New', 'as the service stored it')
  })

  test('a step over what someone else changed since is dropped, and theirs stays', async () => {
    const { session, service, stack } = await leaveAndReturn({ data: { summary: 'Theirs', count: null, items: [] } })
    const { length } = service.writes
    stack.undo()
    await pass(AUTOSAVE_MS)
    assert.equal(session.state().values.data.summary, 'Theirs')
    assert.deepEqual([stack.history(), service.writes.length], [{ past: [], future: [] }, length])
  })

  test('the same holds for a version that was reported and not looked at yet', () => {
    const { session, service } = open()
    session.change('data.summary', 'Mine')
    session.change('data.count', 2)
    service.others({ data: { summary: 'Theirs', count: null, items: [] }, updatedBy: BEN })
    assert.ok(service.entry)
    session.receive(service.entry)
    session.stack.undo()
    session.stack.undo()
    const { summary, count } = session.state().values.data
    assert.deepEqual([summary, count], ['Mine', null])
  })
})
