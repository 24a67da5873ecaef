import { createServer } from 'node:http'
import { createApp } from '@stoa/cms/app.ts'
import { readConfig } from '@stoa/cms/config.ts'
import { createSandbox } from '@stoa/cms/plugins/sandbox/sandbox.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { serveBench } from '../harness.ts'

/** The service, and beside it at another port what the bench asks of a plugin. */
const [, , databaseUrl = '', controlPort = '0'] = process.argv
const config = readConfig({
  NODE_ENV: 'test',
  PORT: '0',
  PUBLIC_URL: 'http://localhost',
  SECRET: 'a secret of the bench, long enough for anyone',
  CMS_DATABASE_URL: databaseUrl,
  DELIVERY_CACHE_BYTES: String(64 * 2 ** 20),
})
const cms = createApp(config, { log: createLogger({ name: 'bench', level: 'warn' }), clock: systemClock })
await cms.services.bus.ready()
await cms.app.listen({ port: 0, host: '127.0.0.1' })

const RECORD = { id: 'a', title: 'A plan', stage: 'idea', dueOn: '2026-11-17' }
const names = ['GET /plan', 'GET /ask', 'GET /loop']
const sandbox = createSandbox({
  name: 'bench',
  code: `import { content } from 'stoa'
    export const routes = {
      'GET /plan': () => (${JSON.stringify(RECORD)}),
      'GET /ask': async () => { for (let n = 0; n < 10; n += 1) await content.get('a'); return ${JSON.stringify(RECORD)} },
      'GET /loop': () => { for (;;); },
    }`,
  handlers: names.map((name) => ({ kind: 'route', name }) as const),
  onDeath: (reason) => process.stderr.write(`the plugin died: ${reason}\n`),
})
const run = (name: string) =>
  sandbox.run({ kind: 'route', name, input: null, reach: async () => RECORD, timeMs: 60_000, onLog: () => undefined })
await sandbox.start()

let isLooping = false
/** Somebody calls it again as soon as its time was up. */
const loop = async (): Promise<void> => {
  while (isLooping) await run('GET /loop').catch(() => undefined)
}

createServer(async (request, response) => {
  if (request.url === '/loop' || request.url === '/rest') {
    isLooping = request.url === '/loop'
    if (isLooping) void loop()
    // What was begun ends first.
    else await run('GET /plan')
    response.end('{}')
    return
  }
  const value = request.url === '/bare' ? RECORD : await run(`GET ${request.url}`)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}).listen(Number(controlPort), '127.0.0.1')

const address = cms.app.server.address()
if (typeof address === 'object' && address) serveBench(address.port)
