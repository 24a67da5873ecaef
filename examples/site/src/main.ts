// The example website: its own pages, and the CMS in the same process. `npm start` runs it beside the CMS service, on the
// same database; alone, it needs nothing but a database.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient } from '@stoa/cms-client'
import { createCms } from '@stoa/cms-host'
import { watchAssistant, widgetUrl } from './assistant.ts'
import { visual, website } from './definitions.ts'
import { design } from './design.ts'
import { siteKey } from './key.ts'
import { createSite } from './site.ts'

const STOP_PATIENCE_MS = 9_000

const start = async (): Promise<() => Promise<void>> => {
  const { SITE_PORT = '4301', SITE_URL = `http://localhost:${SITE_PORT}`, HOST, DATA_DIR = 'data' } = process.env
  const apiKey = siteKey(DATA_DIR)
  const cms = await createCms({
    visual,
    website,
    design,
    env: { ...process.env, PUBLIC_URL: SITE_URL, BOOTSTRAP_DELIVERY_KEY: apiKey },
  })
  const site = createSite({
    client: createClient({ url: SITE_URL, apiKey, fetch: cms.fetch, retries: 0 }),
    contentVersion: cms.contentVersion,
    design: () => cms.design(),
    hasAssistant: watchAssistant(async () => (await cms.fetch(new Request(widgetUrl(SITE_URL)))).ok),
    url: SITE_URL,
    onError: (error) => console.error('site:', error),
  })
  const server = createServer((request, response) => {
    cms.handler(request, response, () => void site(request, response))
  })
  server.on('upgrade', (request, socket, head) => {
    if (!cms.upgrade(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
  server.listen(Number(SITE_PORT), HOST)
  try {
    await once(server, 'listening')
  } catch (error) {
    await cms.close()
    throw error
  }
  printReady([['Example site', SITE_URL]])
  return async () => {
    server.close()
    server.closeIdleConnections()
    await cms.close()
    server.closeAllConnections()
  }
}

/** The parent process shows this; without one it is printed. */
const printReady = (lines: [label: string, value: string][]): void => {
  if (process.connected) process.send?.({ type: 'ready', name: 'site', lines })
  else for (const [label, value] of lines) console.log(`${label}: ${value}`)
}

const fail = (error: unknown): never => {
  console.error(`site: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

const starting = start()
let isStopping = false
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
  process.on(event, async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => fail('did not stop in time'), STOP_PATIENCE_MS).unref()
    await starting.then((stop) => stop()).catch(fail)
    process.exit(0)
  })
await starting.catch(fail)
