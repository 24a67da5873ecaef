import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsClient, PASSWORD } from '@stoa/tests/lib/cms.ts'
import { refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
})
after(() => site.close())

const agent = async (grants: string[]): Promise<CmsClient> => {
  const body = { name: grants.join(' '), grants, password: PASSWORD }
  const answer = await site.admin.client.post('/api/agent-keys', body)
  assert.equal(answer.status, 201, answer.text)
  return site.client({ token: answer.body.key })
}

describe('an agent key', () => {
  test('without content.publish saves a live entry as unpublished changes only, and never publishes', async () => {
    const writer = await agent(['content.read', 'content.write'])
    const { id } = await site.add(site.editor.client, { title: 'Live', data: { summary: 's' } })
    const published = await site.publish(site.editor.client, id)
    const saved = await writer.put(`/api/entries/${id}`, { title: 'By a program' })
    assert.deepEqual([saved.status, saved.body.pending], [200, true])
    assert.deepEqual(saved.body.live, published.live)
    assert.equal(saved.body.updatedBy.id, site.admin.id)
    await refused(site, id, 'FORBIDDEN', () => writer.put(`/api/entries/${id}`, { title: 'x', mode: 'live' }))
    await refused(site, id, 'FORBIDDEN', () => writer.post(`/api/entries/${id}/status`, { action: 'publish' }))
    const revisions = await writer.get(`/api/entries/${id}/revisions`)
    const path = `/api/entries/${id}/revisions/${revisions.body.items.at(-1).id}/restore`
    await refused(site, id, 'FORBIDDEN', () => writer.post(path, { mode: 'live' }))
  })

  test('that may only publish does that, and writes nothing', async () => {
    const publisher = await agent(['content.read', 'content.publish'])
    const { id } = await site.add(site.editor.client, { title: 'Ready', data: { summary: 's' } })
    await refused(site, id, 'FORBIDDEN', () => publisher.put(`/api/entries/${id}`, { title: 'x' }))
    const published = await publisher.post(`/api/entries/${id}/status`, { action: 'publish' })
    assert.deepEqual([published.status, published.body.status], [200, 'published'])
    await refused(site, id, 'FORBIDDEN', () => publisher.post(`/api/entries/${id}/status`, { action: 'draft' }))
  })

  test('that may only read writes nothing', async () => {
    const reader = await agent(['content.read'])
    const { id } = await site.add(site.editor.client, { title: 'Read' })
    assert.equal((await reader.get(`/api/entries/${id}`)).status, 200)
    await refused(site, id, 'FORBIDDEN', () => reader.put(`/api/entries/${id}`, { title: 'x' }))
    await refused(site, id, 'FORBIDDEN', () => reader.delete(`/api/entries/${id}`))
    assert.equal((await reader.post('/api/entries', { type: 'article' })).status, 403)
    assert.equal((await reader.get('/api/trash')).status, 403)
  })

  test('never empties the trash, whatever its grants', async () => {
    const full = await agent(['content.read', 'content.write', 'content.publish', 'types.manage'])
    const { id } = await site.add(site.editor.client, { title: 'Kept' })
    await site.editor.client.delete(`/api/entries/${id}`)
    for (const path of ['/api/trash', `/api/trash/${id}`])
      await refused(site, id, 'AGENT_NOT_ALLOWED', () => full.delete(path))
  })
})
