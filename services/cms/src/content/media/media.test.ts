import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { mediaUrls, readMediaObjects } from './media.ts'
import { files, picture, svg } from './testing/fixtures.ts'
import { fieldsOf, type Library, refused, startLibrary } from './testing/library.ts'

let library: Library
before(async () => {
  library = await startLibrary()
})
after(() => library.close())

let made = 0
/** A file with content of its own. */
const add = async (fields: Record<string, string> = {}, filename = 'a.png') => {
  made += 1
  return library.add(await picture('png', made, 2), { fields, filename })
}
const get = (id: string) => library.editor.client.get(`/api/media/${id}`)
const put = (id: string, body: unknown, headers = {}) => library.editor.client.put(`/api/media/${id}`, body, headers)
const activity = async () =>
  (await library.cms.database.db.selectFrom('activity').selectAll().orderBy('id').execute())
    .filter(({ action }) => action.startsWith('media.'))
    .map(({ action, actor_id, target_id, changed }) => [action, actor_id, target_id, changed.join()])

describe('changing a file', () => {
  test('changes only the members sent, and says who did it', async () => {
    const file = await add({ alt: 'one' })
    const committed: { event: string; data: Record<string, unknown> }[] = []
    library.cms.database.onCommit({ after: (changes) => void committed.push(...changes) })
    const answer = await put(file.id, { caption: 'two', focalX: 0.3, folder: 'a/b' })
    assert.deepEqual(
      [answer.status, answer.headers.get('etag'), answer.body],
      [200, '"v2"', { ...file, caption: 'two', focalX: 0.3, folder: 'a/b', version: 2 }],
    )
    assert.deepEqual((await get(file.id)).body, answer.body)
    assert.deepEqual((await activity()).at(-1), ['media.updated', library.editor.id, file.id, 'caption,folder,focalX'])
    assert.deepEqual(
      committed.filter(({ event }) => event.startsWith('media')).map(({ event, data }) => [event, data.isPublic]),
      [['media.updated', true]],
    )
  })

  test('a decorative picture has no alternative text, and one with a text is not decorative', async () => {
    const file = await add({ alt: 'A red boat' })
    const textOf = ({ body }: { body: { alt: string; decorative: boolean } }) => [body.alt, body.decorative]
    assert.deepEqual(textOf(await put(file.id, { decorative: true })), ['', true])
    assert.deepEqual(textOf(await put(file.id, { alt: 'A blue boat' })), ['A blue boat', false])
    const both = await put(file.id, { alt: 'A boat', decorative: true })
    assert.deepEqual([both.status, fieldsOf(both)], [400, ['alt']])
    assert.deepEqual(textOf(await get(file.id)), ['A blue boat', false])
    assert.deepEqual(textOf(await put(file.id, { alt: '', decorative: true })), ['', true])
  })

  test('a new name is cleaned, keeps its ending, and is a new address', async () => {
    const file = await add()
    const { body } = await put(file.id, { filename: '../New name.exe' })
    assert.equal(body.filename, 'New-name.exe.png')
    assert.equal((await library.fetch(body.url)).status, 200)
    assert.equal((await library.fetch(file.url)).headers.get('location'), body.url)
  })

  test('what is as it was makes no new version and no Activity', async () => {
    const file = await add({ alt: 'x', focalX: '0.333' })
    const before = await activity()
    const { body } = await put(file.id, { alt: 'x', caption: '', focalX: 0.333, filename: 'a.png' })
    assert.deepEqual(body, file)
    assert.deepEqual(await activity(), before)
  })

  test('for another version is refused, and If-Match beats the body', async () => {
    const { id } = await add()
    const conflict = await refused(library, 'VERSION_CONFLICT', () => put(id, { alt: 'x', version: 2 }))
    assert.equal(conflict.body.details.updatedBy.id, library.editor.id)
    await refused(library, 'VERSION_CONFLICT', () => put(id, { alt: 'x', version: 1 }, { 'if-match': '"v9"' }))
    const answers = await Promise.all(['a', 'b'].map((alt) => put(id, { alt }, { 'if-match': '"v1"' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const path = `/api/media/${id}/replace`
    for (const more of [{ fields: { version: '1' } }, { headers: { 'if-match': '"v1"' } }])
      await refused(library, 'VERSION_CONFLICT', () => library.send(library.editor, svg(), { path, ...more }))
  })

  for (const [key, value] of [
    ['alt', 'two\nlines'],
    ['alt', null],
    ['alt', 'x'.repeat(1001)],
    ['caption', 'x'.repeat(2001)],
    ['folder', '..'],
    ['folder', 'a/../b'],
    ['folder', Array(12).fill('a').join('/')],
    ['decorative', 'yes'],
    ['focalX', 1.1],
    ['focalY', -0.1],
    ['focalX', '0.5'],
    ['filename', ''],
    ['filename', 7],
    ['hash', 'x'],
    ['url', 'x'],
    ['mimeType', 'text/html'],
    ['blobKey', 'x'],
    ['createdBy', 'x'],
    ['width', 1],
  ] as [string, unknown][])
    test(`C14: refuses ${key}: ${JSON.stringify(value)?.slice(0, 30)}`, async () => {
      const { id } = await add()
      assert.deepEqual(fieldsOf(await refused(library, 'VALIDATION_FAILED', () => put(id, { [key]: value }))), [key])
    })

  test('C21: what is no id names nothing', async () => {
    for (const id of [newId(), 'x', '1abc', '../x', '%00'])
      for (const path of [`/api/media/${encodeURIComponent(id)}`, `/api/media/${encodeURIComponent(id)}/usage`])
        assert.equal((await library.editor.client.get(path)).status, 404)
    assert.equal((await put(newId(), { alt: 'x' })).status, 404)
    const answer = await refused(library, 'NOT_FOUND', async () =>
      library.send(library.editor, await picture('png'), { path: `/api/media/${newId()}/replace` }),
    )
    assert.equal(answer.status, 404)
  })
})

describe('replacing a file', () => {
  const replace = (id: string, bytes: Buffer, more = {}) =>
    library.send(library.editor, bytes, { path: `/api/media/${id}/replace`, filename: 'other.jpg', ...more })

  test('keeps its id, name and texts under a new address; the old one leads to it', async () => {
    const file = await add({ alt: 'kept', folder: 'f' }, 'logo.png')
    await library.fetch(`${file.url}?w=320`)
    const answer = await replace(file.id, await picture('webp', 33, 44))
    assert.equal(answer.status, 200)
    const { hash, url } = answer.body
    assert.notEqual(hash, file.hash)
    assert.deepEqual(answer.body, {
      ...file,
      hash,
      url,
      filename: 'logo.webp',
      mimeType: 'image/webp',
      size: answer.body.size,
      width: 33,
      height: 44,
      version: 2,
    })
    assert.equal((await library.fetch(file.url)).headers.get('location'), url)
    assert.equal((await library.fetch(url)).headers.get('content-type'), 'image/webp')
    const renditions = await library.cms.database.db
      .selectFrom('rendition')
      .selectAll()
      .where('media_id', '=', file.id)
      .execute()
    assert.deepEqual(renditions, [])
    assert.deepEqual((await activity()).at(-1), ['media.updated', library.editor.id, file.id, 'file'])
  })

  test('by the same content changes nothing', async () => {
    const bytes = await picture('png', 90, 90)
    const file = await library.add(bytes)
    assert.deepEqual((await replace(file.id, bytes)).body, file)
  })

  test('by another kind, a trap or nothing is refused', async () => {
    const { id } = await add()
    const other = await refused(library, 'VALIDATION_FAILED', () => replace(id, files.pdf))
    assert.deepEqual(fieldsOf(other), ['file'])
    await refused(library, 'UNSUPPORTED_MEDIA', () => replace(id, Buffer.from('<html>')))
    await refused(library, 'VALIDATION_FAILED', () => replace(id, svg('<script/>')))
    const extra = await refused(library, 'VALIDATION_FAILED', () => replace(id, svg(), { fields: { alt: 'x' } }))
    assert.deepEqual(fieldsOf(extra), ['alt'])
  })
})

describe('where a file is used', () => {
  let admin: Awaited<ReturnType<Library['person']>>
  before(async () => {
    admin = await library.person('admin')
    await admin.client.post('/api/types', {
      name: 'page',
      label: 'Page',
      fields: [
        { key: 'hero', type: 'media', label: 'Hero' },
        { key: 'pictures', type: 'gallery', label: 'Pictures' },
      ],
    })
  })

  test('is counted, listed, and keeps it from being removed', async () => {
    const file = await add()
    const page = async (title: string) => {
      const answer = await admin.client.post('/api/entries', {
        type: 'page',
        title,
        data: { hero: file.id, pictures: [file.id] },
      })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    }
    const first = await page('First')
    const second = await page('Second')
    await admin.client.post(`/api/entries/${first.id}/status`, { action: 'publish' })
    await admin.client.delete(`/api/entries/${second.id}`)
    await admin.client.put('/api/settings', { logoId: file.id })
    assert.deepEqual((await get(file.id)).body.usage, { count: 3 })
    const { body } = await library.editor.client.get(`/api/media/${file.id}/usage`)
    assert.equal(body.meta.total, 3)
    assert.deepEqual(body.items[0], { kind: 'settings', key: 'logoId' })
    const uses = new Map(body.items.slice(1).map((use: { id: string }) => [use.id, use]))
    assert.deepEqual(uses.get(first.id), {
      kind: 'entry',
      id: first.id,
      type: 'page',
      slug: 'first',
      title: 'First',
      status: 'published',
      live: true,
      deletedAt: null,
    })
    assert.ok(uses.has(second.id))
    const paged = await library.editor.client.get(`/api/media/${file.id}/usage?limit=2&page=2`)
    assert.deepEqual(paged.body.items, body.items.slice(2))
    const answer = await refused(library, 'MEDIA_IN_USE', () => library.editor.client.delete(`/api/media/${file.id}`))
    assert.deepEqual([answer.status, answer.body.details], [409, { usage: { count: 3 } }])
    assert.equal((await library.editor.client.delete(`/api/media/${file.id}?force=1`)).status, 204)
    assert.equal((await get(file.id)).status, 404)
  })

  test('in the settings alone is used, too', async () => {
    const file = await add()
    await admin.client.put('/api/settings', { socialImageId: file.id })
    await refused(library, 'MEDIA_IN_USE', () => library.editor.client.delete(`/api/media/${file.id}`))
    await admin.client.put('/api/settings', { socialImageId: null })
    assert.equal((await library.editor.client.delete(`/api/media/${file.id}`)).status, 204)
    assert.equal((await activity()).at(-1)?.[0], 'media.deleted')
  })

  test('an entry cannot begin to use a file that is being removed', async () => {
    const file = await add()
    const answers = await Promise.all([
      library.editor.client.delete(`/api/media/${file.id}`),
      admin.client.post('/api/entries', { type: 'page', title: 'Racing', data: { hero: file.id } }),
    ])
    const outcome = answers.map(({ status }) => status).join()
    assert.ok(['204,400', '409,201'].includes(outcome), outcome)
  })

  test('fields take files that are there and of a kind that they accept', async () => {
    const pdf = await library.add(files.pdf)
    for (const hero of [newId(), pdf.id]) {
      const answer = await admin.client.post('/api/entries', { type: 'page', title: 'x', data: { hero } })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['hero']])
    }
  })
})

describe('the list of files', () => {
  const ids = async (query: string): Promise<string[]> => {
    const answer = await library.editor.client.get(`/api/media?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.items.map(({ filename }: { filename: string }) => filename)
  }

  test('is searched by name, texts and folder, without accents and case', async () => {
    await add({ alt: 'Ein schöner Hafen', caption: 'Abendlicht', folder: 'list/presse' }, 'Hafen-Übersicht.png')
    await add({ alt: '100% 50_50', folder: 'list' }, 'other.png')
    for (const q of ['hafen', 'ubersicht', 'SCHONER', 'abend', 'presse', 'licht hafen'])
      assert.deepEqual([q, await ids(`q=${encodeURIComponent(q)}`)], [q, ['Hafen-Übersicht.png']])
    assert.deepEqual(await ids(`q=${encodeURIComponent('100%')}`), ['other.png'])
    assert.deepEqual(await ids(`q=${encodeURIComponent('hafen nothing')}`), [])
    assert.deepEqual(await ids('q=50X50'), [])
  })

  test('is narrowed to a folder, a kind, the unused, and pictures without alt text', async () => {
    assert.deepEqual(await ids('folder=list'), ['other.png'])
    assert.deepEqual(await ids('folder=list/presse'), ['Hafen-Übersicht.png'])
    await library.add(files.mp3, { filename: 'a.mp3', fields: { folder: 'kinds' } })
    await library.add(svg(), { filename: 'b.svg', fields: { folder: 'kinds' } })
    await library.add(files.pdf, { filename: 'c.pdf', fields: { folder: 'kinds', alt: 'x' } })
    await library.add(svg(), { filename: 'd.svg', fields: { folder: 'kinds', decorative: '1' } })
    assert.deepEqual(await ids('folder=kinds&sort=filename'), ['a.mp3', 'b.svg', 'c.pdf', 'd.svg'])
    assert.deepEqual(await ids('folder=kinds&type=audio'), ['a.mp3'])
    assert.deepEqual(await ids('folder=kinds&type=document'), ['c.pdf'])
    assert.deepEqual(await ids('folder=kinds&type=image&sort=-filename'), ['d.svg', 'b.svg'])
    assert.deepEqual(await ids('folder=kinds&missingAlt=1'), ['b.svg'])
    assert.equal((await ids('folder=kinds&unused=1')).length, 4)
  })

  test('refuses what it does not know', async () => {
    for (const [query, key] of [
      ['sort=hash', 'sort'],
      ['type=text', 'type'],
      ['unused=maybe', 'unused'],
      ['limit=0', 'limit'],
      ['filter=x', 'filter'],
      ['folder=..', 'folder'],
    ] as const) {
      const answer = await library.editor.client.get(`/api/media?${query}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [key]])
    }
  })

  test('pages, and costs the same for any number of files', async () => {
    const cost = async (query: string) => {
      const watch = library.cms.database.watchStatements()
      const { body } = await library.editor.client.get(`/api/media?${query}`)
      watch.stop()
      return { statements: watch.texts.length, body }
    }
    const all = await cost('limit=100')
    const two = await cost('limit=2&page=2')
    assert.deepEqual(two.body.items, all.body.items.slice(2, 4))
    assert.equal(all.body.meta.total, all.body.items.length)
    assert.deepEqual([all.statements, two.statements], [3, 3])
  })

  test('of folders has the number of files of each', async () => {
    const { body } = await library.editor.client.get('/api/media/folders')
    const kinds = body.items.find(({ folder }: { folder: string }) => folder === 'kinds')
    assert.deepEqual(kinds, { folder: 'kinds', count: 4 })
    assert.equal(body.meta.total, body.items.length)
  })

  test('and the search of the site find a file by what it says now', async () => {
    const file = await add({ alt: 'zeppelin' })
    const found = async (q: string) => (await library.editor.client.get(`/api/search?q=${q}&kinds=media`)).body.media
    const [{ id, url }] = await found('zeppelin')
    assert.deepEqual([id, url], [file.id, file.url])
    await put(file.id, { alt: 'balloon' })
    assert.deepEqual(await ids('q=zeppelin'), [])
    assert.equal((await found('balloon'))[0].id, file.id)
  })
})

test('an author uploads, and changes own files only; a viewer reads', async () => {
  const bytes = await picture('png', 77, 7)
  const own = (await library.send(library.author, bytes)).body
  const { client } = library.author
  assert.equal((await client.put(`/api/media/${own.id}`, { alt: 'mine' })).status, 200)
  const foreign = await add()
  for (const attempt of [
    () => client.put(`/api/media/${foreign.id}`, { alt: 'mine' }),
    () => client.delete(`/api/media/${foreign.id}?force=1`),
    () => library.send(library.author, bytes, { path: `/api/media/${foreign.id}/replace` }),
  ])
    assert.equal((await refused(library, 'FORBIDDEN', attempt)).body.details.permission, 'media.manage')
  assert.equal((await client.get(`/api/media/${foreign.id}`)).status, 200)
  const viewer = await library.person('viewer')
  await refused(library, 'FORBIDDEN', () => library.send(viewer, bytes))
  assert.equal((await viewer.client.get('/api/media')).status, 200)
  assert.equal((await client.delete(`/api/media/${own.id}`)).status, 204)
})

test('an agent key uploads when it was given media.manage, and not otherwise', async () => {
  const bytes = await picture('png', 78, 7)
  const trusted = await agentFor(library, library.author, { grants: ['media.manage'] })
  const { body } = await library.send({ ...library.author, token: trusted.key }, bytes)
  assert.equal(body.createdBy.id, library.author.id)
  const reader = await agentFor(library, library.author, { grants: ['content.read'] })
  await refused(library, 'FORBIDDEN', () => library.send({ ...library.author, token: reader.key }, bytes))
})

test('delivery gets the objects and addresses of many files in one statement', async () => {
  const [first, second] = [await add({ alt: 'x' }), await add()]
  const { db } = library.cms.database
  const watch = library.cms.database.watchStatements()
  const objects = await readMediaObjects(db, library.cms.services.config, [first.id, second.id, newId(), first.id])
  watch.stop()
  assert.equal(watch.texts.length, 1)
  const { id, url, filename, mimeType, size, width, height, alt, caption, focalX, focalY } = first
  assert.deepEqual(objects.get(first.id), {
    id,
    url,
    filename,
    mimeType,
    size,
    width,
    height,
    alt,
    caption,
    focalX,
    focalY,
  })
  assert.equal(objects.size, 2)
  assert.deepEqual(
    await mediaUrls(db, library.cms.services.config, [null, second.id]),
    new Map([[second.id, second.url]]),
  )
  assert.deepEqual(await readMediaObjects(db, library.cms.services.config, []), new Map())
})
