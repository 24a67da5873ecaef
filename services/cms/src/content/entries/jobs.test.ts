import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCms } from '@stoa/tests/lib/cms.ts'

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
    await sleep(1_500)
    assert.equal((await read()).status, 'draft')
    one.clock.advance(61_000)
    for (let tried = 0; (await read()).status !== 'published'; tried += 1) {
      assert.ok(tried < 100, 'it is published within ten seconds')
      await sleep(100)
    }
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
