import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { files } from '../../content/media/testing/fixtures.ts'
import { type DeliverySite, type Reader, startDelivery, statementsOf } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery()
  await site.addType(
    'story',
    [
      { key: 'body', type: 'richtext' },
      { key: 'parts', type: 'list', fields: [{ key: 'text', type: 'richtext' }] },
      { key: 'next', type: 'reference', to: 'story', multiple: false },
    ],
    { previewUrl: '/stories/{slug}' },
  )
  await site.addType('note', [{ key: 'body', type: 'richtext' }])
  await site.addType('secret', [], { previewUrl: '/secret/{slug}' })
  reader = await site.reader(['story', 'note', 'article'])
})
after(() => site.close())

const link = (id: string, words = 'words', href = '') =>
  `<a${href && ` href="${href}"`} data-entry-id="${id}">${words}</a>`
const story = (slug: string, data: object) => site.live({ type: 'story', title: slug, slug, data })
const bodyOf = async (slug: string) => (await reader.read(`/content/story/${slug}`)).data.body
const target = (slug: string, members: object = {}) => site.live({ title: slug, slug, ...members })

describe('links to entries in rich text', () => {
  test('are kept by their id, and lead to where the entry is now', async () => {
    const { id, url } = await target('aim')
    const html = `<p>See ${link(id, '<em>it</em>', '/old')}.</p>`
    const saved = await story('one', { body: html, parts: [{ text: html }] })
    assert.equal((await site.read(saved.id)).data.body, html)
    const { data } = await reader.read('/content/story/one')
    assert.equal(data.body, `<p>See ${link(id, '<em>it</em>', url)}.</p>`)
    assert.equal(data.parts[0].text, data.body)
    const renamed = await site.editor.client.put(`/api/entries/${id}`, { slug: 'aim-renamed' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.notEqual(renamed.body.url, url)
    assert.equal(await bodyOf('one'), `<p>See ${link(id, '<em>it</em>', renamed.body.url)}.</p>`)
  })

  test('to drafts, trash, other scopes and nothing are unwrapped, and come back with their target', async () => {
    const draft = await site.add(site.editor.client, { title: 'Draft', data: { summary: 's' } })
    const secret = await site.live({ type: 'secret', title: 'Secret', data: {} })
    const trashed = await target('trashed')
    await site.editor.client.delete(`/api/entries/${trashed.id}`)
    const words = [draft.id, secret.id, trashed.id, newId()].map((id, at) => link(id, `w${at}`, '/known'))
    await story('two', { body: `<p>${words.join(' ')}</p>` })
    assert.equal(await bodyOf('two'), '<p>w0 w1 w2 w3</p>')
    const { url } = await site.publish(site.editor.client, draft.id)
    assert.equal(await bodyOf('two'), `<p>${link(draft.id, 'w0', url)} w1 w2 w3</p>`)
    const all = await site.reader()
    const { data } = await all.read('/content/story/two')
    assert.match(data.body, new RegExp(`<a href="[^"]*/secret/secret" data-entry-id="${secret.id}">w1</a>`))
  })

  test('to an entry that is shown nowhere keep the address they were saved with', async () => {
    const note = await site.live({ type: 'note', title: 'Note', data: {} })
    await story('three', { body: `<p>${link(note.id, 'a')} ${link(note.id, 'b', '/notes#1')}</p>` })
    assert.equal(await bodyOf('three'), `<p>a ${link(note.id, 'b', '/notes#1')}</p>`)
  })

  test('are a use of the entry, and work in what is referred to and in previews', async () => {
    const aim = await target('used')
    const deep = await story('deep', { body: `<p>${link(aim.id)}</p>` })
    const root = await story('root', { next: deep.id })
    const uses = (await site.viewer.client.get(`/api/entries/${aim.id}/usage`)).body.items
    assert.deepEqual(
      uses.map(({ id }: { id: string }) => id),
      [deep.id],
    )
    const expected = `<p>${link(aim.id, 'words', aim.url)}</p>`
    assert.equal((await reader.read('/content/story/root')).data.next.data.body, expected)
    const unsaved = { data: { body: `<p>new ${link(aim.id)}</p>` } }
    const preview = await site.editor.client.post(`/api/entries/${root.id}/preview`, unsaved)
    assert.equal(
      (await reader.read(`/preview/${preview.body.token}`)).data.body,
      `<p>new ${link(aim.id, 'words', aim.url)}</p>`,
    )
  })

  test('cost one statement, however many', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async (_, at) => (await target(`many-${at}`)).id))
    await story('many', { body: `<p>${ids.map((id) => link(id)).join('')}</p>` })
    await story('few', { body: `<p>${link(ids[0] ?? '')}</p>` })
    await reader.read('/content')
    const cost = async (slug: string) => (await statementsOf(site, () => bodyOf(slug))).length
    assert.equal(await cost('many'), await cost('few'))
  })
})

describe('videos and sounds in rich text', () => {
  const upload = async (bytes: Buffer, name: string, path = '/api/media') => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    const headers = { authorization: `Bearer ${site.editor.token}` }
    const answer = await fetch(site.url + path, { method: 'POST', body: form, headers })
    assert.ok(answer.ok, await answer.clone().text())
    return answer.json()
  }

  test('of the library are delivered with their present address, are used, and are not removed', async () => {
    for (const [tag, bytes, name] of [
      ['video', files.mp4, 'film.mp4'],
      ['audio', files.mp3, 'song.mp3'],
    ] as const) {
      const file = await upload(bytes, name)
      const saved = await story(tag, { body: `<p>a</p><${tag} data-media-id="${file.id}" controls autoplay></${tag}>` })
      assert.equal(
        await bodyOf(tag),
        `<p>a</p><${tag} src="${file.url}" data-media-id="${file.id}" controls="" preload="metadata"></${tag}>`,
      )
      const replaced = await upload(Buffer.concat([bytes, bytes]), name, `/api/media/${file.id}/replace`)
      assert.ok((await bodyOf(tag)).includes(`src="${replaced.url}"`))
      const uses = (await site.viewer.client.get(`/api/media/${file.id}/usage`)).body.items
      assert.deepEqual(
        uses.map(({ id }: { id: string }) => id),
        [saved.id],
      )
      assert.equal((await site.editor.client.delete(`/api/media/${file.id}`)).body.code, 'MEDIA_IN_USE')
    }
  })

  test('that are not there are refused', async () => {
    const body = `<video data-media-id="${newId()}"></video>`
    const answer = await site.editor.client.post('/api/entries', { type: 'story', title: 'x', data: { body } })
    assert.deepEqual([answer.status, answer.body.details?.fields?.[0]?.key], [400, 'body'])
  })
})
