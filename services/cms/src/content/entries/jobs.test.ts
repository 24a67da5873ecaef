import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'

test('what is due is published by the running services themselves, and once', async () => {
  const one = await startCms({ background: true })
  const two = await startCms({ databaseUrl: one.databaseUrl, clock: one.clock, background: true })
  try {
    const { client } = await one.person('admin')
    await client.post('/api/types', { name: 'note', label: 'Note', fields: [{ key: 'text', type: 'text' }] })
    const { body } = await client.post('/api/entries', { type: 'note', title: 'Later' })
    const at = new Date(one.clock.now().getTime() + 60_000).toISOString()
    assert.equal((await client.post(`/api/entries/${body.id}/status`, { action: 'publish', at })).status, 200)
    const read = async () => (await client.get(`/api/entries/${body.id}`)).body
    await passTime(1_500, 'the schedule has run at least once')
    assert.equal((await read()).status, 'draft')
    one.clock.advance(61_000)
    await until(async () => (await read()).status === 'published', 'it is published')
    const published = await one.cms.database.db
      .selectFrom('activity')
      .select('actor_name')
      .where('action', '=', 'entry.published')
      .execute()
    assert.deepEqual(published, [{ actor_name: 'scheduler' }])
  } finally {
    await two.close()
    await one.close()
  }
})
