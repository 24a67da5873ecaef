import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

describe('the mail process', () => {
  test('migrates an empty database, says where the panel is, serves, and stops on SIGTERM', async (context) => {
    const database = await freshDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'stoa-mail-'))
    context.after(() => rm(dataDir, { recursive: true, force: true }))
    const [port, metricsPort, smtpPort] = [await freePort(), await freePort(), await freePort()]
    const mail = start({
      DATA_DIR: dataDir,
      SMTP_PORT: String(smtpPort),
      MAIL_DATABASE_URL: database.url,
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: String(port),
      MAIL_METRICS_PORT: String(metricsPort),
      SECRET: 'a secret of the tests, long enough for anyone',
    })
    context.after(() => mail.process.kill('SIGKILL'))
    await mail.printed(`Mail panel: http://localhost:${port}`)
    await mail.printed(`Webmail: http://localhost:${port}/webmail/`)
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    const [greeting] = await once(connect(smtpPort, '127.0.0.1').setEncoding('utf8'), 'data')
    assert.match(greeting, /^220 /)
    const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const count = figures.split('\n').find((line) => /^http_request_duration_seconds_count.*"\/readyz"/.test(line))
    assert.match(count ?? '', /service="mail".* 1$/)
    mail.process.kill('SIGTERM')
    assert.equal(await mail.ended, 0)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/readyz`))
    await database.drop()
  })

  test('names everything that is wrong with its settings and exits', async () => {
    const mail = start({ MAIL_PORT: 'x', NODE_ENV: 'production', SECRET: 'short' })
    assert.equal(await mail.ended, 1)
    for (const name of ['MAIL_PORT', 'MAIL_DATABASE_URL', 'SECRET']) assert.match(mail.output(), new RegExp(name))
    assert.equal(mail.output().includes('short is'), false)
  })
})

const start = (env: Record<string, string>) => {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit').then(([code]) => code)
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const printed = async (line: string): Promise<void> => {
    while (!output.split('\n').includes(line)) {
      const data = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'data'))
      const next = await Promise.race([...data, ended.then(() => 'ended')])
      assert.notEqual(next, 'ended', output)
    }
  }
  return { process: child, ended, printed, output: () => output }
}
