import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@stoa/cms-client'
import { type CmsInstance, createCms } from '@stoa/cms-host'
import { watchAssistant, widgetUrl } from '@stoa/example-site/src/assistant.ts'
import { visual, website } from '@stoa/example-site/src/definitions.ts'
import { design } from '@stoa/example-site/src/design.ts'
import { createSite, type Site } from '@stoa/example-site/src/site.ts'
import { cloneDatabase, templateDatabase } from '../lib/cluster.ts'

const KEY = `cms_${'e'.repeat(43)}`
const OWNER = { email: 'owner@example.test', password: 'seven lanterns in the harbour' }

export type ExampleSite = {
  url: string
  cms: CmsInstance
  /** The session of its owner. */
  token: string
  close(): Promise<void>
}

/** The example site with the demo, on a port and a database of its own. */
export const startExampleSite = async (): Promise<ExampleSite> => {
  const database = await cloneDatabase(await templateDatabase('example_site', 'demo', makeDemo))
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const cms = await createCms({ visual, website, design, workers: false, env: envOf(database.url, url) })
  let pages = 0
  const site: Site = createSite({
    client: createClient({ url, apiKey: KEY, fetch: cms.fetch, retries: 0 }),
    contentVersion: cms.contentVersion,
    design: () => cms.design(),
    // Every page asks anew, as if a minute had passed
    hasAssistant: watchAssistant(
      async () => (await cms.fetch(new Request(widgetUrl(url)))).ok,
      () => (pages += 60_000),
    ),
    url,
    onError: (error) => assert.fail(`${error}`),
  })
  server.on('request', (request, response) => cms.handler(request, response, () => void site(request, response)))
  server.on('upgrade', (request, socket, head) => cms.upgrade(request, socket, head))
  const { token } = await post((request) => fetch(request), `${url}/api/auth/login`, OWNER)
  return {
    url,
    cms,
    token,
    async close() {
      server.closeAllConnections()
      server.close()
      await cms.close()
      await database.drop()
    },
  }
}

const envOf = (databaseUrl: string, url: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  SECRET: 'a secret of the tests, long enough for anyone',
  CMS_DATABASE_URL: databaseUrl,
  PUBLIC_URL: url,
  STORAGE_LOCAL_DIR: join(tmpdir(), 'stoa-cms-test-media'),
  BOOTSTRAP_DELIVERY_KEY: KEY,
  BOOTSTRAP_EMAIL: OWNER.email,
  BOOTSTRAP_PASSWORD: OWNER.password,
})

/** Takes seconds, of which most is for its pictures: it is made once for all that show it. */
const makeDemo = async (databaseUrl: string): Promise<void> => {
  const url = 'http://example.test'
  const cms = await createCms({ visual, website, design, workers: false, env: envOf(databaseUrl, url) })
  const { token } = await post(cms.fetch, `${url}/api/auth/login`, OWNER)
  await post(cms.fetch, `${url}/api/demo`, {}, token)
  await cms.close()
}

type Send = (request: Request) => Promise<Response>

const post = async (send: Send, url: string, body: object, token = ''): Promise<{ token: string }> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  assert.ok(answer.ok, `${url}: ${answer.status}`)
  return answer.json()
}
