import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { freshDatabase } from '../lib/cluster.ts'
import { freePort } from '../lib/free-port.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The commands under a heading of the README. */
const commandsUnder = (heading: string): string => {
  const readme = fs.readFileSync(join(root, 'README.md'), 'utf8')
  const [, commands] = readme.split(`## ${heading}`)[1]?.split(/```(?:sh)?\n/) ?? []
  return commands ?? assert.fail(`there are no commands under ${heading}`)
}

test("the README's walk with curl works: claim, type, webhook, entry, key, read, and the mail service", {
  skip: hasCurl ? false : 'there is no curl',
}, async (t) => {
  const folder = temporaryFolder(t)
  const [cmsDatabase, mailDatabase] = [await freshDatabase(), await freshDatabase()]
  t.after(() => Promise.all([cmsDatabase.drop(), mailDatabase.drop()]))
  const ports = { 4300: `${await freePort()}`, 4400: `${await freePort()}`, 4390: `${await freePort()}` }
  const env = {
    ...bareEnvironment(),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PORT: ports[4300],
    MAIL_PORT: ports[4400],
    DATA_DIR: folder,
    CMS_DATABASE_URL: cmsDatabase.url,
    MAIL_DATABASE_URL: mailDatabase.url,
    SECRET: 'a secret of the tests, long enough for anyone',
  }
  const services = ['cms', 'mail'].map((name) =>
    startProgram(process.execPath, [join(root, `services/${name}/src/main.ts`)], { cwd: root, env }),
  )
  await Promise.all(services.map((service) => service.prints(/http:\/\/localhost:\d+/)))
  const walk = Object.entries(ports)
    .reduce((text, [written, used]) => text.replaceAll(written, used), commandsUnder('Try it with curl'))
    .replaceAll('-c jar', `-c ${folder}/jar`)
    .replaceAll('-b jar', `-b ${folder}/jar`)
  // The receiver needs a moment to listen, and the webhook one to arrive: a person has them while typing.
  const typed = walk.replace(/ &\n/, ' &\nsleep 1\n')
  const shell = startProgram('bash', ['-ec', `${typed}\nsleep 2\nkill %1`], { cwd: root, env: bareEnvironment() })
  assert.equal(await shell.ends(), 0, shell.output())
  const said = shell.output()
  assert.match(said, /"slug":"hello","type":"article","title":"Hello","data":\{"body":"<p>World<\/p>"\}/)
  assert.match(said, /genuine: entry\.published hello/)
  assert.match(said, /"role":"owner"|"email":"you@example.com"/)
  assert.doesNotMatch(said, /"code":/)
  for (const service of services) process.kill(service.pid, 'SIGTERM')
  for (const service of services) assert.equal(await service.ends(), 0)
})
