import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'

test('what is due is published by the running services themselves, and once', async () => {
  const one = await startCms({ background: true })
  const two = await startCms({ databaseUrl: one.databaseUrl, clock: one.clock, background: true })
  try {
    const { client } = await one.person('admin')
    await client.post('/api/types', { name: 'note', label: 'Note', fields: [{ key: 'text', type: 'text' }] })
    const schedule = async (title: string, seconds: number): Promise<string> => {
      const { body } = await client.post('/api/entries', { type: 'note', title })
      const at = new Date(one.clock.now().getTime() + seconds * 1_000).toISOString()
      assert.equal((await client.post(`/api/entries/${body.id}/status`, { action: 'publish', at })).status, 200)
      return body.id
    }
    const [later, soon] = [await schedule('Later', 120), await schedule('Soon', 60)]
    const isPublished = async (id: string) => (await client.get(`/api/entries/${id}`)).body.status === 'published'
    one.clock.advance(61_000)
    await until(() => isPublished(soon), 'the first is published')
    assert.equal(await isPublished(later), false)
    one.clock.advance(60_000)
    await until(() => isPublished(later), 'both are published')
    const published = await one.cms.database.db
      .selectFrom('activity')
      .select('actor_name')
      .where('action', '=', 'entry.published')
      .execute()
    assert.deepEqual(published, [{ actor_name: 'scheduler' }, { actor_name: 'scheduler' }])
  } finally {
    await two.close()
    await one.close()
  }
})
