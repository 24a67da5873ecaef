import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programOf } from '../../scripts/services.ts'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freshDatabase } from '../lib/cluster.ts'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/waiting.ts'
import { startProgram, temporaryFolder, untilNoProcess } from './processes.ts'

const root = join(import.meta.dirname, '../..')

test('service and example site start together on an empty database, share it, and stop on a signal', async (t) => {
  const database = await freshDatabase()
  t.after(database.drop)
  const folder = temporaryFolder(t)
  const [port, sitePort] = [await freePort(), await freePort()]
  const env = {
    ...bareEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(port),
    SITE_PORT: String(sitePort),
    DATA_DIR: folder,
    CMS_DATABASE_URL: database.url,
    SECRET: 'a secret of the tests, long enough for anyone',
    LOG_LEVEL: 'warn',
  }
  const start = (name: string) => startProgram(process.execPath, [join(root, programOf(name))], { cwd: root, env })
  const [cms, site] = [start('cms'), start('site')]
  await Promise.all([
    cms.prints(/CMS admin: /),
    site.prints(new RegExp(`Example site: http://localhost:${sitePort}\n`)),
  ])
  assert.equal(fs.statSync(join(folder, 'example-site.key')).mode & 0o777, 0o600)
  const pageOf = async (): Promise<string> => (await fetch(`http://127.0.0.1:${sitePort}/`)).text()
  assert.match(await pageOf(), /Your website is running/)

  // A change in the other process reaches the pages that this one keeps.
  const call = async (method: string, path: string, body: object, token = ''): Promise<{ token: string }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, `${path} ${answer.status}`)
    return answer.json()
  }
  const owner = { email: 'o@example.test', name: 'O', password: 'seven lanterns in the harbour' }
  const { token } = await call('POST', '/api/auth/setup', owner)
  await call('PUT', '/api/settings', { title: 'Harbour News' }, token)
  await until(async () => /Harbour News/.test(await pageOf()), 'the site shows the change')

  for (const program of [site, cms]) {
    process.kill(program.pid, 'SIGTERM')
    assert.equal(await program.ends(), 0, program.output())
  }
  await untilNoProcess(folder)
})
