import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { programOf } from '../../scripts/services.ts'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The commands of a tutorial, as they are typed one after another, and the files that it says to save. */
const readTutorial = (name: string): { commands: string; files: ReadonlyMap<string, string> } => {
  const text = fs.readFileSync(join(root, 'docs', name), 'utf8')
  const commands = [...text.matchAll(/^```sh walk\n(.*?)^```$/gms)].map(([, block = '']) => block)
  assert.ok(commands.length > 1, `${name} has no commands to follow`)
  const files = [...text.matchAll(/^```js (\S+)\n(.*?)^```$/gms)].map(
    ([, file = '', block = '']) => [file, block] as const,
  )
  return { commands: commands.join(''), files: new Map(files) }
}

const environment = async (t: TestContext, name: 'cms' | 'mail', folder: string) => {
  const database = await serviceDatabase(name)
  t.after(database.drop)
  return {
    ...bareEnvironment(),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DATA_DIR: folder,
    [`${name.toUpperCase()}_DATABASE_URL`]: database.url,
    SECRET: 'a secret of the tests, long enough for anyone',
  }
}

/** Runs the commands in one shell, with the ports that are free here, and gives what they print. */
const follow = async (commands: string, folder: string, ports: Readonly<Record<string, string>>): Promise<string> => {
  const typed = Object.entries(ports)
    .reduce((text, [written, used]) => text.replaceAll(written, used), commands)
    // What was started needs a moment to listen: a person gives it one while typing.
    .replaceAll(/ &\n/g, ' &\nsleep 1\n')
  const shell = startProgram('bash', ['-ec', `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${typed}\nsleep 2`], {
    cwd: folder,
    env: { ...bareEnvironment(), PORT: ports['3000'] ?? '', CMS: `http://localhost:${ports['4300']}` },
  })
  assert.equal(await shell.ends(), 0, shell.output())
  return shell.output()
}

const skip = hasCurl ? false : 'there is no curl'

test('the tutorial “Your first site” works as it is written: type, article, key, page, webhook', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t)
  const { commands, files } = readTutorial('first-site.md')
  assert.deepEqual([...files.keys()], ['site.mjs'])
  for (const [name, text] of files) fs.writeFileSync(join(folder, name), text)
  fs.symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  const ports = { 4300: `${await freePort()}`, 3000: `${await freePort()}`, 4390: `${await freePort()}` }
  const env = { ...(await environment(t, 'cms', folder)), PORT: ports[4300] }
  const service = startProgram(process.execPath, [join(root, programOf('cms'))], { cwd: root, env })
  await service.prints(/http:\/\/localhost:\d+/)
  const site = `http://localhost:${ports[3000]}`
  const look = `curl -s ${site}/; curl -s ${site}/hello; curl -s -o /dev/null -w '%{http_code}' ${site}/nothing\n`
  const said = await follow(`${commands}\n${look}`, folder, ports)
  assert.match(said, /<li><a href="\/hello">Hello<\/a><\/li>/)
  assert.match(said, /<h1>Hello<\/h1><p>World<\/p>/)
  assert.match(said, /404/)
  assert.match(said, /genuine: entry\.published hello/)
  assert.doesNotMatch(said, /"code":/)
  process.kill(service.pid, 'SIGTERM')
  assert.equal(await service.ends(), 0)
})

test('the tutorial “Your first domain” works as it is written: domain, mailbox, mail in, mail out', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t)
  const { commands } = readTutorial('first-domain.md')
  const ports = { 4400: `${await freePort()}`, 2025: `${await freePort()}` }
  const env = { ...(await environment(t, 'mail', folder)), MAIL_PORT: ports[4400], SMTP_PORT: ports[2025] }
  const service = startProgram(process.execPath, [join(root, programOf('mail'))], { cwd: root, env })
  await service.prints(/http:\/\/localhost:\d+/)
  const said = await follow(`${commands}\nsleep 1\ncurl -s $MAIL/api/mail/messages -b mailbox`, folder, ports)
  assert.match(said, /"subject":"Hello"/)
  assert.match(said, /"subject":"Order 7"/)
  assert.doesNotMatch(said, /"statusCode":|"error":\{/)
  process.kill(service.pid, 'SIGTERM')
  assert.equal(await service.ends(), 0)
})
