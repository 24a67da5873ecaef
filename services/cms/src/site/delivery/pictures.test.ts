import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { picture } from '../../content/media/testing/fixtures.ts'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery()
  await site.addType('story', [
    { key: 'body', type: 'richtext' },
    { key: 'parts', type: 'list', fields: [{ key: 'text', type: 'richtext' }] },
  ])
  reader = await site.reader()
})
after(() => site.close())

const upload = async (bytes: Buffer, path = '/api/media') => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'harbour.png')
  const headers = { authorization: `Bearer ${site.editor.token}` }
  const answer = await fetch(site.url + path, { method: 'POST', body: form, headers })
  assert.ok(answer.ok, await answer.clone().text())
  return answer.json()
}

test('C1: a picture inside of rich text keeps working when its file is replaced, also in lists and at its size', async () => {
  const file = await upload(await picture('png', 20, 10))
  const html = `<p>Here:</p><p><img src="${file.url}?w=640" alt="Harbour" data-media-id="${file.id}"></p>`
  await site.live({ type: 'story', title: 'Story', slug: 'story', data: { body: html, parts: [{ text: html }] } })
  const before = await reader.read('/content/story/story')
  assert.ok(before.data.body.includes(`src="${file.url}?w=640"`), before.data.body)
  const replaced = await upload(await picture('png', 30, 30), `/api/media/${file.id}/replace`)
  assert.notEqual(replaced.url, file.url)
  const { data } = await reader.read('/content/story/story')
  for (const text of [data.body, data.parts[0].text]) {
    assert.ok(text.includes(`src="${replaced.url}?w=640"`), text)
    assert.ok(!text.includes(file.url) && text.includes('alt="Harbour"'), text)
  }
})

test('rich text without pictures is delivered as it was stored', async () => {
  const html = '<p>Words about &lt;img data-media-id="x"&gt; and <a href="/a?b=1&amp;c=2">more</a></p>'
  await site.live({ type: 'story', title: 'Words', slug: 'words', data: { body: html } })
  assert.equal((await reader.read('/content/story/words')).data.body, html)
})
