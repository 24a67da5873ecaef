import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')

const readme = fs.readFileSync(join(root, 'examples/site/README.md'), 'utf8')

/** The files that the tutorial says to save, by name. */
const tutorialFiles = (): Map<string, string> => {
  const blocks = readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]))
}

test('the tutorial of the example site works as it is written: settings, three files, and a page that can be previewed', async (t) => {
  const database = await serviceDatabase('cms')
  t.after(database.drop)
  const folder = temporaryFolder(t)
  const url = `http://localhost:${await freePort()}`
  const files = tutorialFiles()
  assert.deepEqual([...files.keys()], ['definitions.js', 'site.js', 'setup.js'])
  const [, makeSettings = ''] = /^```sh\n(.*?)^```$/ms.exec(readme) ?? assert.fail('there is no command for .env')
  const settings = makeSettings
    .replace('postgres://localhost/my_site', database.url)
    .replace('http://localhost:3000', url)
  for (const [name, text] of [...files, ['package.json', '{ "type": "module" }']])
    fs.writeFileSync(join(folder, name ?? ''), text ?? '')
  fs.symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

  const options = { cwd: folder, env: { ...bareEnvironment(), LOG_LEVEL: 'warn' } }
  const shell = startProgram('bash', ['-ec', settings], options)
  assert.equal(await shell.ends(), 0, shell.output())
  const run = (file: string) => startProgram(process.execPath, ['--env-file=.env', file], options)
  const server = run('site.js')
  await server.prints(/Your site: /)
  const setup = run('setup.js')
  assert.equal(await setup.ends(), 0, setup.output())
  const [, id = ''] = /\/admin\/edit\/([\w-]+)/.exec(setup.output()) ?? assert.fail(setup.output())

  const page = await fetch(`${url}/`)
  assert.equal(page.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
  assert.match(await page.text(), /<title>My site<\/title>.*<a href="\/">Home<\/a>.*<h1>Hello, harbor<\/h1>/s)

  const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = parseEnv(
    fs.readFileSync(join(folder, '.env'), 'utf8'),
  )
  const call = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, `${path} ${answer.status}`)
    return answer.json()
  }
  const { token } = await call('/api/auth/login', { email, password })
  const { url: link } = await call(`/api/entries/${id}/preview`, { data: { headline: 'Not <b>yet' } }, token)
  const preview = await fetch(`${link}&visual=1`)
  assert.equal(preview.headers.get('cache-control'), 'no-store')
  assert.equal(preview.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.match(await preview.text(), /<h1 data-cms-field="headline">Not &#60;b&#62;yet<\/h1>/)
  assert.match(await (await fetch(`${url}/`)).text(), /<h1>Hello, harbor<\/h1>/, 'nothing was saved')
  assert.equal((await fetch(`${url}/nothing`)).status, 404)

  process.kill(server.pid, 'SIGTERM')
  assert.equal(await server.ends(), 0, server.output())
})
