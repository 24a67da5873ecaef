import assert from 'node:assert/strict'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { connectOllama, type FakeOllama, startFakeOllama } from '@stoa/tests/lib/fake-ollama.ts'

export const ORIGIN = 'https://www.example.com'

/** A site with a visitor assistant that answers about articles. */
export type VisitorSite = {
  service: CmsService
  ollama: FakeOllama
  admin: Person
  /** Reads articles only. */
  key: string
  /** Asks as a visitor of the website, each time from another address unless one is given. */
  ask(question: string, more?: { body?: object; headers?: Record<string, string>; ip?: string }): Promise<CmsAnswer>
  /** Makes an entry and publishes it. */
  publish(members: { title: string; body?: string; type?: string; data?: object; locale?: string }): Promise<string>
  setUp(members: object): Promise<CmsAnswer>
  close(): Promise<void>
}

const fields = [
  { key: 'body', type: 'richtext' },
  { key: 'note', type: 'textarea', hidden: true },
]

export const openVisitorSite = async (options: Parameters<typeof startCms>[0] = {}): Promise<VisitorSite> => {
  const service = await startCms({ aiTimeouts: { retryMs: [1, 1] }, ...options })
  await service.cms.startBackground({ workers: false })
  const ollama = await startFakeOllama()
  const admin = await service.person('admin')
  const { client } = admin
  await connectOllama(client, ollama)
  const settings = await client.put('/api/settings', {
    title: 'Harbour',
    locales: ['en', 'de'],
    url: 'https://www.example.com',
  })
  assert.equal(settings.status, 200, settings.text)
  for (const name of ['article', 'internal']) {
    const made = await client.post('/api/types', { name, label: name, fields, previewUrl: `/${name}/{slug}` })
    assert.equal(made.status, 201, made.text)
  }
  const { body } = await client.post('/api/delivery-keys', { name: 'Site', types: ['article'] })
  const site: VisitorSite = {
    service,
    ollama,
    admin,
    key: body.key,
    ask: (question, more = {}) =>
      service
        .client(more.ip === undefined ? {} : { ip: more.ip })
        .post('/ext/assistant/public-ask', { question, ...more.body }, { origin: ORIGIN, ...more.headers }),
    async publish({ title, body: text = '', type = 'article', data = {}, locale = 'en' }) {
      const made = await client.post('/api/entries', { type, title, locale, data: { body: text, ...data } })
      assert.equal(made.status, 201, made.text)
      const published = await client.post(`/api/entries/${made.body.id}/status`, { action: 'publish' })
      assert.equal(published.status, 200, published.text)
      return made.body.id
    },
    setUp: (members) => client.put('/api/assistant/visitor', members),
    async close() {
      await service.close()
      await ollama.close()
    },
  }
  const on = await site.setUp({ enabled: true, origins: [ORIGIN], types: ['article'] })
  assert.equal(on.status, 200, on.text)
  return site
}
