import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { files, picture } from './testing/fixtures.ts'
import { type Library, refused, startLibrary } from './testing/library.ts'

let library: Library
let admin: Awaited<ReturnType<Library['person']>>
before(async () => {
  library = await startLibrary()
  admin = await library.person('admin')
  const fields = [
    { key: 'words', type: 'markdown' },
    { key: 'body', type: 'richtext' },
    { key: 'link', type: 'url' },
    { key: 'rows', type: 'list', fields: [{ key: 'more', type: 'list', fields: [{ key: 'text', type: 'markdown' }] }] },
  ]
  const answer = await admin.client.post('/api/types', { name: 'page', label: 'Page', fields })
  assert.equal(answer.status, 201, answer.text)
})
after(() => library.close())

let made = 0
const add = async (filename = 'a.png') => {
  made += 1
  return library.add(await picture('png', made, 3), { filename })
}
const page = async (data: object, members: object = {}) => {
  const answer = await admin.client.post('/api/entries', { type: 'page', title: 'Page', data, ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const usesOf = async (id: string): Promise<{ id: string; live: boolean }[]> => {
  const answer = await library.editor.client.get(`/api/media/${id}/usage`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.items.map((use: { id: string; live: boolean }) => ({ id: use.id, live: use.live }))
}
const remove = (id: string) => library.editor.client.delete(`/api/media/${id}`)
const replace = async (id: string, width: number) =>
  library.add(await picture('png', width, 4), { path: `/api/media/${id}/replace` })
const linked = ({ client }: typeof admin, id: string, action: string) =>
  client.post(`/api/entries/${id}/status`, { action })

describe('a file that a text names by its address', () => {
  for (const [where, data] of [
    ['Markdown', (url: string) => ({ words: `![a](${url})` })],
    ['Markdown, as a path with a size', (url: string) => ({ words: `[a]: ${new URL(url).pathname}?w=640` })],
    ['a list in a list', (url: string) => ({ rows: [{ more: [{ text: '' }, { text: `<${url}>` }] }] })],
    ['a picture of rich text', (url: string) => ({ body: `<p><img src="${url}"></p>` })],
    ['a link of rich text', (url: string) => ({ body: `<p><a href="${new URL(url).pathname}">a</a></p>` })],
    ['an address', (url: string) => ({ link: url })],
  ] as const)
    test(`is used in ${where}, and not removed`, async () => {
      const file = await add()
      const entry = await page(data(file.url))
      assert.deepEqual(await usesOf(file.id), [{ id: entry.id, live: false }])
      await refused(library, 'MEDIA_IN_USE', () => remove(file.id))
      await admin.client.put(`/api/entries/${entry.id}`, { data: { words: '', body: '', link: '', rows: [] } })
      assert.deepEqual(await usesOf(file.id), [])
      assert.equal((await remove(file.id)).status, 204)
    })

  test('is used by what is live as well as by what is edited', async () => {
    const [live, edited] = [await add(), await add()]
    const { id } = await page({ words: live.url })
    await linked(admin, id, 'publish')
    const saved = await admin.client.put(`/api/entries/${id}`, { data: { words: edited.url }, mode: 'draft' })
    assert.equal(saved.status, 200, saved.text)
    assert.deepEqual(await usesOf(live.id), [{ id, live: true }])
    assert.deepEqual(await usesOf(edited.id), [{ id, live: false }])
    for (const file of [live, edited]) await refused(library, 'MEDIA_IN_USE', () => remove(file.id))
    await linked(admin, id, 'publish')
    assert.deepEqual(await usesOf(edited.id), [{ id, live: true }])
    assert.equal((await remove(live.id)).status, 204)
  })

  test('is used under an address that it had before, too', async () => {
    const file = await add()
    await replace(file.id, 701)
    const { id } = await page({ words: file.url })
    assert.deepEqual(await usesOf(file.id), [{ id, live: false }])
  })

  test('may be gone or of elsewhere: the text is saved all the same, and uses nothing', async () => {
    const gone = newId()
    const { id } = await page({
      words: `/media/${gone}/0123abcd/a.png`,
      body: `<img src="/media/${gone}/0123abcd/a.png">`,
    })
    const rows = await library.cms.database.db
      .selectFrom('entry_link')
      .select('target_id')
      .where('entry_id', '=', id)
      .execute()
    assert.deepEqual(rows, [])
  })

  test('is not removed while it is being named', async () => {
    const file = await add()
    const [removed, saved] = await Promise.all([
      remove(file.id),
      admin.client.post('/api/entries', { type: 'page', title: 'Racing', data: { words: file.url } }),
    ])
    assert.equal(saved.status, 201)
    const uses = removed.status === 409 ? await usesOf(file.id) : []
    assert.ok(removed.status === 409 ? uses.length === 1 : removed.status === 204)
  })

  test('is found in entries that were saved before addresses counted, once a process starts', async () => {
    const file = await add()
    const { id } = await page({ words: file.url })
    const { db } = library.cms.database
    await db.query({ text: 'delete from entry_link where entry_id = $1', values: [id] })
    await db.query({ text: "update content_type set search_version = search_version + 1 where name = 'page'" })
    assert.deepEqual(await usesOf(file.id), [])
    const workers = await Promise.all(
      [1, 2].map(() => startCms({ databaseUrl: library.databaseUrl, clock: library.clock, background: true })),
    )
    await until(async () => (await usesOf(file.id)).length > 0, 'somebody looked')
    for (const worker of workers) await worker.close()
    assert.deepEqual(await usesOf(file.id), [{ id, live: false }])
  })
})

describe('an address that a file had', () => {
  const goesTo = async (from: string, to: string | null, method = 'GET') => {
    const answer = await library.fetch(from, { method })
    if (to === null) return assert.equal(answer.status, 404, from)
    assert.deepEqual(
      [answer.status, answer.headers.get('location'), answer.headers.get('cache-control')],
      [302, to, 'no-cache'],
      from,
    )
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  }

  test('leads to the present one after the file was replaced, with the size that is asked for', async () => {
    const file = await add()
    const second = await replace(file.id, 711)
    assert.notEqual(second.url, file.url)
    await goesTo(file.url, second.url)
    await goesTo(file.url, second.url, 'HEAD')
    await goesTo(`${file.url}?w=640&fm=webp`, `${second.url}?w=640&fm=webp`)
    const third = await replace(file.id, 712)
    for (const { url } of [file, second]) await goesTo(url, third.url)
    assert.equal((await library.fetch(third.url)).status, 200)
  })

  test('is that of the content, not of any: another hash and another file stay unknown', async () => {
    const [file, other] = [await add(), await add()]
    await replace(file.id, 721)
    const wrong = (url: string) => url.replace(/\/[0-9a-f]{8}\//, '/00000000/')
    await goesTo(wrong(file.url), null)
    await goesTo(file.url.replace(file.id, other.id), null)
    await goesTo(other.url.replace(other.id, file.id), null)
    await goesTo(file.url.replace('a.png', 'b.png'), null)
    assert.equal((await library.fetch(`${file.url}?w=7&x=1`)).status, 400)
  })

  test('is served again when the file has its content back', async () => {
    const file = await add()
    const bytes = await picture('png', made, 3)
    const second = await replace(file.id, 731)
    const third = await library.add(bytes, { path: `/api/media/${file.id}/replace` })
    assert.equal(third.url, file.url)
    assert.equal((await library.fetch(file.url)).status, 200)
    await goesTo(second.url, file.url)
  })

  test('leads on after a new name, also of a kind that is not shown in place', async () => {
    const file = await library.add(files.pdf, { filename: 'old.pdf' })
    const { body } = await library.editor.client.put(`/api/media/${file.id}`, { filename: 'new name.pdf' })
    await goesTo(file.url, body.url)
    await library.editor.client.put(`/api/media/${file.id}`, { filename: 'old.pdf' })
    assert.equal((await library.fetch(file.url)).status, 200)
    await goesTo(body.url, file.url)
  })

  test('ends with the file', async () => {
    const file = await add()
    const second = await replace(file.id, 741)
    assert.equal((await remove(file.id)).status, 204)
    for (const { url } of [file, second]) await goesTo(url, null)
  })
})
