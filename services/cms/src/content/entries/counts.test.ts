import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.cms.database.tx((tx) =>
    tx
      .insertInto('site_settings')
      .values({ settings: JSON.stringify({ locales: ['en', 'de'] }), updated_at: new Date(), updated_by: null })
      .execute(),
  )
})
after(() => site.close())

/** Of the rows themselves. */
const counted = async (locale: string) => {
  const { count } = await site.cms.database.db
    .selectFrom('entry')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('type', '=', 'article')
    .where('locale', '=', locale)
    .where('status', '=', 'published')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

describe('the number of published entries', () => {
  test('goes over to the other language with an entry', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Moved', data: { summary: 's' } })
    await site.publish(site.editor.client, id)
    const before = [await site.count('article', 'en'), await site.count('article', 'de')]
    site.takeChanges()
    const { body } = await site.editor.client.put(`/api/entries/${id}`, { locale: 'de' })
    assert.equal(body.live.version, body.version)
    assert.deepEqual(
      site.takeChanges().map(({ event }) => event),
      ['entry.updated', 'entry.published'],
    )
    assert.deepEqual(
      [await site.count('article', 'en'), await site.count('article', 'de')],
      [(before[0] ?? 0) - 1, (before[1] ?? 0) + 1],
    )
  })

  test('is exact after everybody changed everything at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        site.add(site.editor.client, { title: `E${index}`, data: { summary: 's' } }),
      ),
    )
    const ids = made.map(({ id }) => id)
    const acts = [
      (id: string) => site.editor.client.post(`/api/entries/${id}/status`, { action: 'publish' }),
      (id: string) => site.admin.client.post(`/api/entries/${id}/status`, { action: 'unpublish' }),
      (id: string) => site.editor.client.put(`/api/entries/${id}`, { locale: 'de' }),
      (id: string) => site.admin.client.put(`/api/entries/${id}`, { locale: 'en' }),
      (id: string) => site.editor.client.delete(`/api/entries/${id}`),
      (id: string) => site.editor.client.post(`/api/entries/${id}/restore`),
      (id: string) => site.editor.client.post(`/api/entries/${id}/status`, { action: 'publish' }),
    ]
    const answers = await Promise.all(
      ids.flatMap((id, index) => acts.map((_, at) => acts[(at + index) % acts.length]?.(id))),
    )
    // Some are refused for the state they find; none fails.
    assert.deepEqual(
      answers.filter((answer) => answer === undefined || answer.status >= 500),
      [],
    )
    for (const locale of ['en', 'de']) assert.equal(await site.count('article', locale), await counted(locale))
  })
})
