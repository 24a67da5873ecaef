import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'

const FIELDS = [
  { key: 'headline', type: 'text', default: 'A <b>bold</b> start' },
  { key: 'plain', type: 'text' },
]
const section = (id: string, more: object = {}) => ({ id, label: id, selector: `#${id}`, ...more })
const visual = visualDefinitions.parse({
  page: {
    sections: [section('hero', { movable: false }), section('news'), section('team')],
    formatted: ['headline', 'gone'],
    references: { plain: { type: 'page', label: 'Page' } },
  },
})
/** The page as developers left it later: without its team. */
const later = visualDefinitions.parse({
  page: { sections: [section('hero'), section('news')], formatted: ['headline'] },
})

/** With names for people. */
const named = visualDefinitions.parse({
  page: {
    sections: ['hero', 'news', 'team'].map((id) => section(id, { label: `The ${id}`, movable: id !== 'hero' })),
    formatted: ['headline'],
  },
})

let site: CmsService
let editor: Person
before(async () => {
  site = await startCms({ visual })
  editor = await site.person('editor')
  const admin = await site.person('admin')
  for (const name of ['page', 'note'])
    assert.equal((await admin.client.post('/api/types', { name, label: name, fields: FIELDS })).status, 201)
})
after(() => site.close())

const add = async (members: object): Promise<string> => {
  const answer = await editor.client.post('/api/entries', { type: 'page', title: 'T', ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const read = async (id: string) => (await editor.client.get(`/api/entries/${id}`)).body
const state = () => site.cms.database.db.query({ text: 'select id, data, pending, version from entry order by id' })
const refusedSections = async (act: () => Promise<CmsAnswer>, sections: string[], keys: string[]) => {
  const earlier = await state()
  const { status, body, text } = await act()
  assert.equal(status, 400, text)
  assert.equal(body.code, 'UNKNOWN_SECTION')
  assert.deepEqual(body.details.sections, sections)
  assert.deepEqual(
    body.details.fields.map(({ key }: { key: string }) => key),
    keys,
  )
  assert.deepEqual(await state(), earlier)
}
const wrong = { order: ['news', 'nope', 'hero'], hidden: ['nope', 'other'] }
const wrongKeys = ['__layout.order.1', '__layout.hidden.0', '__layout.hidden.1']

describe('a layout with a section that the page does not have is refused', () => {
  test('when an entry is made', () =>
    refusedSections(
      () => editor.client.post('/api/entries', { type: 'page', title: 'X', data: { __layout: wrong } }),
      ['nope', 'other'],
      wrongKeys,
    ))

  test('when it is saved, live or as unpublished changes, or previewed', async () => {
    const id = await add({})
    await editor.client.post(`/api/entries/${id}/status`, { action: 'publish' })
    for (const more of [{}, { mode: 'draft' }, { autosave: true }])
      await refusedSections(
        () => editor.client.put(`/api/entries/${id}`, { data: { __layout: wrong }, ...more }),
        ['nope', 'other'],
        wrongKeys,
      )
    await refusedSections(
      () => editor.client.post(`/api/entries/${id}/preview`, { data: { __layout: wrong } }),
      ['nope', 'other'],
      wrongKeys,
    )
  })

  test('and one of a wrong form is, whatever the page has', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `s${index}`)
    for (const type of ['page', 'note'])
      for (const layout of [
        'x',
        [],
        { order: 'x' },
        { other: [] },
        { order: many },
        { hidden: ['a', 'a'] },
        { order: [1] },
      ]) {
        const earlier = await state()
        const { body } = await editor.client.post('/api/entries', { type, data: { __layout: layout } })
        assert.equal(body.code, 'VALIDATION_FAILED', JSON.stringify(layout))
        assert.deepEqual(await state(), earlier)
      }
  })
})

describe('a layout', () => {
  test('of declared sections is kept, also where it names one that keeps its place', async () => {
    const layout = { order: ['team', 'hero', 'news'], hidden: ['hero'] }
    const id = await add({ data: { __layout: layout } })
    assert.deepEqual((await read(id)).data.__layout, layout)
  })

  test('of a type without a definition is kept as it is', async () => {
    const { body } = await editor.client.post('/api/entries', { type: 'note', data: { __layout: wrong } })
    assert.deepEqual(body.data.__layout, wrong)
  })

  test('whose sections are gone stays while others are saved, and comes back from history without them', async () => {
    const layout = { order: ['team', 'news'], hidden: ['team'] }
    const id = await add({ data: { __layout: layout } })
    await editor.client.put(`/api/entries/${id}`, { data: { __layout: null } })
    const { body: history } = await editor.client.get(`/api/entries/${id}/revisions`)
    const first = history.items.at(-1).id
    const old = await add({ data: { __layout: layout } })
    const changed = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, visual: later })
    const client = changed.client({ token: editor.token })
    const kept = await client.put(`/api/entries/${old}`, { data: { plain: 'x' } })
    assert.deepEqual(kept.body.data.__layout, layout)
    await refusedSections(
      () => client.put(`/api/entries/${old}`, { data: { __layout: layout } }),
      ['team'],
      ['__layout.order.0', '__layout.hidden.0'],
    )
    await refusedSections(
      () => client.post(`/api/entries/${id}/revisions/${first}/restore`, { keys: ['__layout'] }),
      ['team'],
      ['__layout.order.0', '__layout.hidden.0'],
    )
    const restored = await client.post(`/api/entries/${id}/revisions/${first}/restore`, {})
    assert.deepEqual(restored.body.data.__layout, { order: ['news'], hidden: [] })
    const copy = await client.post(`/api/entries/${old}/duplicate`)
    assert.deepEqual(copy.body.data.__layout, { order: ['news'], hidden: [] })
    await changed.close()
  })
})

test('a layout is compared as the order of its sections by label, in every process', async () => {
  const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, visual: named })
  await site.cms.services.host.load()
  const id = await add({ data: { __layout: { order: ['team', 'news'], hidden: [] } } })
  await editor.client.put(`/api/entries/${id}`, { data: { __layout: { order: [], hidden: ['team'] } } })
  const { body: history } = await editor.client.get(`/api/entries/${id}/revisions`)
  const path = `/api/entries/${id}/revisions/${history.items.at(-1).id}/diff`
  const labelled = (id: string, hidden = false) => ({ id, label: `The ${id}`, hidden })
  for (const client of [editor.client, other.client({ token: editor.token })]) {
    const { body } = await client.get(path)
    assert.deepEqual(body.changes, [
      {
        path: 'data.__layout',
        label: 'Layout',
        fieldType: null,
        op: 'change',
        before: [labelled('hero'), labelled('team'), labelled('news')],
        after: [labelled('hero'), labelled('news'), labelled('team', true)],
      },
    ])
  }
  await other.close()
})

test('a process without a host checks layouts and cleans texts by what the host declared', async () => {
  const bare = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
  const client = bare.client({ token: editor.token })
  await refusedSections(
    () => client.post('/api/entries', { type: 'page', title: 'X', data: { __layout: wrong } }),
    ['nope', 'other'],
    wrongKeys,
  )
  const { body } = await client.post('/api/entries', { type: 'page', data: { headline: '<b>One</b> <em>two</em>' } })
  assert.equal(body.data.headline, 'One <i>two</i>')
  await bare.close()
})

describe('a formatted field', () => {
  const messy = '<p onclick="x()">One <em>two</em></p><script>bad()</script><b>three</b><br>'

  test('keeps text, italics and line breaks, on every way in; a plain field is text as it was sent', async () => {
    const id = await add({ data: { headline: messy, plain: messy } })
    const { data } = await read(id)
    assert.equal(data.headline, 'One <i>two</i><br>three')
    assert.equal(data.plain, messy)
    const saved = await editor.client.put(`/api/entries/${id}`, { data: { headline: `${messy}<i>four</i>` } })
    assert.equal(saved.body.data.headline, 'One <i>two</i><br>three<br><i>four</i>')
    assert.equal((await read(await add({}))).data.headline, 'A bold start')
    const note = await editor.client.post('/api/entries', { type: 'note', data: { headline: messy } })
    assert.equal(note.body.data.headline, messy)
  })

  test('stored before it was formatted is cleaned when it is copied or comes back', async () => {
    const id = await add({})
    await site.cms.database.tx((tx) =>
      tx.query({
        text: `with stored as (update entry set data = jsonb_build_object('headline', $2::text) where id = $1)
          update revision set data = jsonb_build_object('headline', $2::text) where entry_id = $1`,
        values: [id, messy],
      }),
    )
    const copy = await editor.client.post(`/api/entries/${id}/duplicate`)
    assert.equal(copy.body.data.headline, 'One <i>two</i><br>three')
    const { body } = await editor.client.get(`/api/entries/${id}/revisions`)
    const restored = await editor.client.post(`/api/entries/${id}/revisions/${body.items[0].id}/restore`, {})
    assert.equal(restored.body.data.headline, 'One <i>two</i><br>three')
  })

  test('that is longer than can be cleaned is refused, not emptied', async () => {
    const id = await add({ data: { headline: 'kept' } })
    const answer = await editor.client.put(`/api/entries/${id}`, {
      data: { headline: `<i>${'x'.repeat(1_200_000)}</i>` },
    })
    assert.equal(answer.body.code, 'VALIDATION_FAILED', answer.text.slice(0, 200))
    assert.equal((await read(id)).data.headline, 'kept')
  })
})
