import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fieldsOf, type Site, startSite } from '../entries/testing/site.ts'

let site: Site
let picture: string
before(async () => {
  site = await startSite()
  const c = site.editor.client
  await site.add(c, { title: 'Café at the harbour', data: { summary: 'Boats and coffee' } })
  await site.add(c, { title: 'Harbour master' })
  const gone = await site.add(c, { title: 'Harbour gone' })
  await c.delete(`/api/entries/${gone.id}`)
  const live = await site.add(c, { title: 'Weather', data: { summary: 'rain' } })
  await site.publish(c, live.id)
  await c.put(`/api/entries/${live.id}`, { title: 'Climate', data: { summary: 'sunshine' }, mode: 'draft' })
  picture = await site.addMedia()
  await site.cms.database.tx((tx) =>
    tx
      .updateTable('media')
      .set({ filename: 'my boat.png', alt: 'A boat', words: 'my boat.png a boat holidays' })
      .where('id', '=', picture)
      .execute(),
  )
})
after(() => site.close())

const search = async (q: string, more = '') => {
  const answer = await site.viewer.client.get(`/api/search?q=${encodeURIComponent(q)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const titles = async (q: string) => (await search(q)).entries.map(({ title }: { title: string }) => title).sort()

describe('searching the site', () => {
  test('finds entries by words, beginnings, without accents and with typing errors; never in the trash', async () => {
    for (const [q, expected] of [
      ['harbour', ['Café at the harbour', 'Harbour master']],
      ['harb', ['Café at the harbour', 'Harbour master']],
      ['cafe', ['Café at the harbour']],
      ['coffee', ['Café at the harbour']],
      ['harbuor master', ['Harbour master']],
      ['climtae', ['Climate']],
      ['ha', ['Café at the harbour', 'Harbour master']],
      ['nothing', []],
      ["'&|!<->():*\\ ½ ʼ %", []],
    ] as const)
      assert.deepEqual([q, await titles(q)], [q, expected])
  })

  test('finds the working copy: what is not published yet, and no more what was', async () => {
    assert.deepEqual(await titles('sunshine'), ['Climate'])
    assert.deepEqual(await titles('rain'), [])
  })

  test('finds files, with the address they are served at', async () => {
    const { media } = await search('boat')
    assert.deepEqual(media, [
      {
        id: picture,
        filename: 'my boat.png',
        url: `http://cms.test/media/${picture}/hash/my%20boat.png`,
        mimeType: 'image/png',
        alt: 'A boat',
        caption: '',
        folder: '',
      },
    ])
    assert.equal((await search('holidys')).media.length, 1)
  })

  test('is narrowed to kinds and a number of each, the best first', async () => {
    const entriesOnly = await search('boat', '&kinds=entry')
    assert.deepEqual([entriesOnly.entries.length, entriesOnly.media.length], [1, 0])
    const mediaOnly = await search('boat', '&kinds=media')
    assert.deepEqual([mediaOnly.entries.length, mediaOnly.media.length], [0, 1])
    assert.equal((await search('harbour master', '&limit=1')).entries[0].title, 'Harbour master')
  })

  test('refuses what it cannot search for', async () => {
    for (const [query, key] of [
      ['', 'q'],
      ['q=%20', 'q'],
      [`q=${'x'.repeat(201)}`, 'q'],
      ['q=a&kinds=users', 'kinds'],
      ['q=a&limit=0', 'limit'],
      ['q=a&page=2', 'page'],
    ] as const) {
      const answer = await site.viewer.client.get(`/api/search?${query}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [key]])
    }
    assert.equal((await site.client().get('/api/search?q=a')).status, 401)
  })

  test('takes a number of statements that does not depend on what is there', async () => {
    const cost = async (q: string) => {
      const watch = site.cms.database.watchStatements()
      await search(q)
      watch.stop()
      return watch.texts.length
    }
    // Who asks, what for, and one for each kind; four more for each kind that has nothing but what is like it.
    assert.equal(await cost('boat'), 4)
    assert.equal(await cost('nothing'), 12)
  })
})
