import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { contextFor } from '../../context.ts'
import { lockEntry } from './queries.ts'
import { publicMatch } from './queries-resync.ts'
import { resyncTypes } from './resync.ts'

const text = (key: string, members: object = {}) => ({ key, type: 'text', ...members })
const never = new AbortController().signal

// It hands work to others only: a test says when the work is done.
let site: CmsService
let admin: Person
before(async () => {
  site = await startCms()
  await site.cms.startBackground({ workers: false })
  admin = await site.person('admin')
})
after(() => site.close())

const makeType = async (name: string, fields: object[]) =>
  assert.equal((await admin.client.post('/api/types', { name, label: name, fields })).status, 201)
const setFields = async (name: string, fields: object[]) =>
  assert.equal((await admin.client.put(`/api/types/${name}`, { fields })).status, 200)

const addLive = async (type: string, title: string, data: object): Promise<string> => {
  const { body } = await admin.client.post('/api/entries', { type, title, data })
  assert.equal((await admin.client.post(`/api/entries/${body.id}/status`, { action: 'publish' })).status, 200)
  return body.id
}

/** Titles of what a visitor finds. */
const found = async (type: string, word: string): Promise<string[]> => {
  const rows = await site.cms.database.db.query<{ title: string }>({
    text: `select e.title from entry e join entry_search s on s.entry_id = e.id
      where e.type = $2 and ${publicMatch('$1', '$2')} order by e.title`,
    values: [word, type],
  })
  return rows.map(({ title }) => title)
}
const foundByPeople = async (type: string, word: string): Promise<string[]> =>
  (await admin.client.get(`/api/entries?type=${type}&q=${word}`)).body.items.map((item: { id: string }) => item.id)

const resync = (signal = never) => resyncTypes(contextFor(site.cms.services, { kind: 'system', name: 'test' }), signal)
const waitingJobs = () =>
  site.cms.database.db.query<{ state: string }>({ text: "select state from jobs.job where name = 'entries.resync'" })
const versions = (type: string) =>
  site.cms.database.db.query<{ version: number; synced: number }>({
    text: 'select search_version as version, search_synced as synced from content_type where name = $1',
    values: [type],
  })
const linksTo = async (target: string): Promise<number> => {
  const rows = await site.cms.database.db
    .selectFrom('entry_link')
    .select('entry_id')
    .where('target_id', '=', target)
    .execute()
  return rows.length
}

describe('an entry that cannot be brought up', () => {
  test('is passed, the others are reached, and the work counts as done only with all of them', async (t) => {
    await makeType('torn', [text('story')])
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three']) ids.push(await addLive('torn', title, { story: 'foghorn' }))
    await setFields('torn', [text('story'), text('more')])
    const isBad = `new.entry_id = '${ids[1]}'`
    const undo = await failOn(site.cms.database, 'update', 'entry_search', isBad)
    t.after(undo)
    await resync()
    assert.deepEqual((await found('torn', 'foghorn')).toSorted(), ['One', 'Three'])
    const [behind] = await versions('torn')
    assert.notEqual(behind?.synced, behind?.version)
    await undo()
    await resync()
    assert.equal((await found('torn', 'foghorn')).length, 3)
    const [done] = await versions('torn')
    assert.equal(done?.synced, done?.version)
  })
})

describe('a type that cannot be brought up', () => {
  test('keeps none behind it from being, and a stop ends all of it', async (t) => {
    for (const name of ['stuck-first', 'stuck-second']) {
      await makeType(name, [text('story')])
      await addLive(name, 'One', { story: 'foghorn' })
      await setFields(name, [text('story'), text('more')])
    }
    t.after(await failOn(site.cms.database, 'update', 'content_type', `old.name = 'stuck-first'`))
    await assert.rejects(resync(AbortSignal.abort()), { name: 'AbortError' })
    const isBehind = async (name: string) => (await versions(name)).some(({ version, synced }) => version !== synced)
    assert.deepEqual([await isBehind('stuck-first'), await isBehind('stuck-second')], [true, true])
    await resync()
    assert.deepEqual([await isBehind('stuck-first'), await isBehind('stuck-second')], [true, false])
  })
})

describe('a field that is hidden', () => {
  test('cannot be found by visitors from that moment on, and others can again once the work is done', async () => {
    await makeType('secret', [text('code'), text('story')])
    await addLive('secret', 'Lighthouse', { code: 'zanzibar', story: 'foghorn' })
    assert.deepEqual(await found('secret', 'zanzibar'), ['Lighthouse'])
    await setFields('secret', [text('code', { hidden: true }), text('story')])
    assert.deepEqual(await found('secret', 'zanzibar'), [])
    assert.deepEqual(await found('secret', 'foghorn'), [], 'an entry behind counts by its title alone')
    assert.deepEqual(await found('secret', 'lighthouse'), ['Lighthouse'])
    assert.deepEqual(await found('secret', 'lighthouse & zanzibar'), [])
    await resync()
    assert.deepEqual(await found('secret', 'zanzibar'), [])
    assert.deepEqual(await found('secret', 'foghorn'), ['Lighthouse'])
    await setFields('secret', [text('code'), text('story')])
    await resync()
    assert.deepEqual(await found('secret', 'zanzibar'), ['Lighthouse'])
  })

  test('inside of a list is the same', async () => {
    const list = (hidden: boolean) => ({ key: 'parts', type: 'list', fields: [text('a', { hidden }), text('b')] })
    await makeType('nested', [list(false)])
    await addLive('nested', 'Nest', { parts: [{ a: 'quetzal', b: 'toucan' }] })
    await setFields('nested', [list(true)])
    assert.deepEqual(await found('nested', 'quetzal'), [])
    await resync()
    assert.deepEqual([await found('nested', 'quetzal'), await found('nested', 'toucan')], [[], ['Nest']])
  })

  test('an entry saved meanwhile is found by its words at once', async () => {
    await makeType('quick', [text('code'), text('story')])
    const id = await addLive('quick', 'Saved', { code: 'marzipan', story: 'nougat' })
    await setFields('quick', [text('code', { hidden: true }), text('story')])
    await admin.client.put(`/api/entries/${id}`, { title: 'Saved again' })
    assert.deepEqual(await found('quick', 'nougat'), ['Saved again'])
    assert.deepEqual(await found('quick', 'marzipan'), [])
  })
})

describe('a field that is removed, retyped or back again', () => {
  test('changes what people find and what entries point at', async () => {
    await makeType('target', [text('x')])
    const { body: target } = await admin.client.post('/api/entries', { type: 'target', title: 'T' })
    const link = { key: 'to', type: 'reference', to: 'target' }
    await makeType('source', [text('word'), link])
    const id = await addLive('source', 'S', { word: 'gargoyle', to: [target.id] })
    await admin.client.delete(`/api/entries/${await addLive('source', 'Gone', { to: [target.id] })}`)
    assert.equal(await linksTo(target.id), 3)
    await setFields('source', [{ key: 'word', type: 'number' }])
    await resync()
    assert.equal(await linksTo(target.id), 0)
    assert.deepEqual(await foundByPeople('source', 'gargoyle'), [])
    await setFields('source', [text('word'), link])
    await resync()
    assert.equal(await linksTo(target.id), 3, 'of the one in the trash as well')
    assert.deepEqual(await foundByPeople('source', 'gargoyle'), [id])
    assert.deepEqual(await found('source', 'gargoyle'), ['S'])
  })
})

describe('the work', () => {
  test('is asked for once however many changes there are, and not for what makes no difference', async () => {
    await makeType('calm', [text('a'), text('b')])
    await setFields('calm', [text('a')])
    assert.deepEqual(await versions('calm'), [{ version: 0, synced: 0 }], 'there is no entry')
    await addLive('calm', 'C', { a: 'x' })
    await setFields('calm', [text('b'), text('a', { label: 'New', help: 'h', required: true, default: 'd' })])
    const [before] = await versions('calm')
    await setFields('calm', [text('a', { required: false }), text('b')])
    await admin.client.put('/api/types/calm', { label: 'Calm', previewUrl: '/{slug}' })
    assert.deepEqual(await versions('calm'), [before])
    for (const length of [10, 20, 30]) await setFields('calm', [text('a', { maxLength: length })])
    assert.deepEqual(await versions('calm'), [{ version: (before?.version ?? 0) + 3, synced: 0 }])
    assert.deepEqual(await waitingJobs(), [{ state: 'created' }])
    await resync()
    const [done] = await versions('calm')
    assert.equal(done?.synced, done?.version)
  })

  test('a refused change asks for none', async () => {
    await makeType('firm', [text('a')])
    await addLive('firm', 'F', { a: 'x' })
    const answer = await admin.client.put('/api/types/firm', { fields: [] }, { 'if-match': '"v9"' })
    assert.equal(answer.status, 409)
    assert.deepEqual(await versions('firm'), [{ version: 0, synced: 0 }])
  })

  test('goes through many entries in two processes at once, beside someone who saves, and loses no save', async () => {
    await makeType('many', [text('old'), text('kept')])
    const ids = await storeMany('many', 450)
    await setFields('many', [text('old', { hidden: true }), text('kept')])
    const saves = ids
      .slice(100, 110)
      .map((id, index) => admin.client.put(`/api/entries/${id}`, { data: { kept: `saved${index}` } }))
    await Promise.all([resync(), resync(), ...saves])
    assert.deepEqual(await found('many', 'hiddenword'), [])
    assert.equal((await found('many', 'keptword')).length, 440)
    for (let index = 0; index < 10; index += 1) assert.equal((await found('many', `saved${index}`)).length, 1)
    const [state] = await versions('many')
    assert.equal(state?.synced, state?.version)
  })

  test('passes over an entry that is being changed, and comes back for it', async () => {
    await makeType('busy', [text('old'), text('kept')])
    const busy = await addLive('busy', 'Busy', { old: 'hiddenword', kept: 'keptword' })
    await addLive('busy', 'Free', { old: 'hiddenword', kept: 'keptword' })
    await setFields('busy', [text('old', { hidden: true }), text('kept')])
    const locked = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const saving = site.cms.database.tx(async (tx) => {
      await lockEntry(tx, busy)
      locked.resolve()
      await reached.promise
    })
    await locked.promise
    const running = resync()
    await until(async () => (await found('busy', 'keptword')).length > 0, 'the other one is reached')
    assert.deepEqual(await found('busy', 'keptword'), ['Free'])
    reached.resolve()
    await Promise.all([saving, running])
    assert.deepEqual(await found('busy', 'keptword'), ['Busy', 'Free'])
    assert.deepEqual(await found('busy', 'hiddenword'), [])
  })

  test('that was cut short goes on where it ended', async () => {
    await makeType('cut', [text('old'), text('kept')])
    await storeMany('cut', 250)
    await setFields('cut', [text('kept')])
    const over = new AbortController()
    over.abort()
    await assert.rejects(resync(over.signal))
    assert.equal((await versions('cut'))[0]?.synced, 0)
    await resync()
    assert.equal((await found('cut', 'keptword')).length, 250)
  })
})

test('a running service does it by itself, and drops what delivery remembers', async () => {
  const worker = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, background: true })
  const resynced: unknown[] = []
  worker.cms.database.onCommit({
    after: (changes) => void resynced.push(...changes.filter(({ event }) => event === 'type.resynced')),
  })
  await makeType('alone', [text('a')])
  await addLive('alone', 'A', { a: 'windmill' })
  await setFields('alone', [text('a', { maxLength: 50 })])
  await until(async () => (await found('alone', 'windmill')).length > 0, 'it is found')
  await until(() => resynced.length > 0, 'it is published')
  assert.deepEqual(resynced.slice(0, 1), [
    { topic: 'type', event: 'type.resynced', data: { id: 'alone', type: 'alone', isPublic: true } },
  ])
  await worker.close()
})

/** Published entries as they are stored, found by the words of both fields. */
const storeMany = async (type: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId())
  await site.cms.database.tx(async (tx) => {
    await tx.query({
      text: `insert into entry (id, type, slug, title, data, status, locale, live_version, live_updated_at, created_at, updated_at)
        select id, $2, id::text, 'Entry', '{"old": "hiddenword", "kept": "keptword"}', 'published', 'en', 1, $3, $3, $3
        from unnest($1::uuid[]) as id`,
      values: [ids, type, site.clock.now()],
    })
    await tx.query({
      text: `insert into entry_search (entry_id, public_document, full_document, words)
        select id, setweight(to_tsvector('simple', 'hiddenword keptword'), 'B'), '', '' from unnest($1::uuid[]) as id`,
      values: [ids],
    })
    await tx.query({ text: `insert into entry_count values ($1, 'en', $2)`, values: [type, count] })
  })
  return ids
}

test('delivery keeps to it: a word of a field that was just hidden finds nothing over HTTP', async () => {
  await makeType('served', [text('code'), text('story')])
  await addLive('served', 'Served', { code: 'xylophone', story: 'bassoon' })
  const { key } = (await admin.client.post('/api/delivery-keys', { name: 'Site', types: ['served'] })).body
  const total = async (q: string) => {
    const answer = await site.client().get(`/content/served?q=${q}`, { 'x-api-key': key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.meta.total
  }
  assert.deepEqual([await total('xylophone'), await total('bassoon')], [1, 1])
  await setFields('served', [text('code', { hidden: true }), text('story')])
  assert.deepEqual([await total('xylophone'), await total('bassoon'), await total('served')], [0, 0, 1])
  await resync()
  assert.deepEqual([await total('xylophone'), await total('bassoon')], [0, 1])

  test('entries get their templates, also those of before there were any, and without being found less meanwhile', async () => {
    await makeType('shown', [text('a'), text('b')])
    const id = await addLive('shown', 'Shown', { a: 'one', b: 'two' })
    const templates = () =>
      site.cms.database.db.query<{ template: string }>({
        text: 'select template from entry_template where entry_id = $1',
        values: [id],
      })
    assert.deepEqual(await templates(), [{ template: '{"a":"one","b":"two"}' }])
    await site.cms.database.tx((tx) => tx.query({ text: 'delete from entry_template' }))
    await resync()
    assert.deepEqual(await templates(), [])
    await site.cms.database.tx((tx) => tx.query({ text: 'update content_type set templates_synced = -1' }))
    const [before] = await versions('shown')
    await resync()
    assert.deepEqual(await templates(), [{ template: '{"a":"one","b":"two"}' }])
    await setFields('shown', [text('b'), text('a')])
    await resync()
    assert.deepEqual(await templates(), [{ template: '{"b":"two","a":"one"}' }])
    assert.deepEqual(await versions('shown'), [before])
    await setFields('shown', [text('b'), text('a', { hidden: true })])
    await resync()
    assert.deepEqual(await templates(), [{ template: '{"b":"two"}' }])
  })
})
