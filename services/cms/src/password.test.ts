import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { type CmsService, PASSWORD, startCms } from '@stoa/tests/lib/cms.ts'
import { runPasswordCommand } from './people/accounts/password-command.ts'
import { enrol } from './people/two-factor/testing/two-factor.ts'

const NEW = 'a way back in'
const COMMAND = fileURLToPath(new URL('password.ts', import.meta.url))

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

/** In a process of its own, as `npm run` starts it. */
const start = async (args: string[], input: string) => {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...bareEnvironment(), CMS_DATABASE_URL: service.databaseUrl },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, output }
}
/** The same in this process: to start one takes longer than what it does. */
const run = async (args: string[], input = '', env: Record<string, string> = {}) => {
  const lines: string[] = []
  const print = (text: string): void => void lines.push(text)
  const code = await runPasswordCommand({
    args,
    env: { CMS_DATABASE_URL: service.databaseUrl, ...env },
    input: Readable.from([input], { objectMode: false }),
    print: print,
    printError: print,
  })
  return { code, output: lines.join('') }
}
const signIn = async (email: string, password: string) =>
  (await service.client().post('/api/auth/login', { email, password })).status
const codeOfSignIn = async (email: string, password: string) =>
  (await service.client().post('/api/auth/login', { email, password })).body.code
const rows = () => service.cms.database.db.selectFrom('account').selectAll().orderBy('id').execute()

describe('npm run cms:password', () => {
  test('without an account says how to get one', async () => {
    assert.deepEqual(await run([]), {
      code: 0,
      output: 'There are no accounts yet. Open the admin to claim the site.\n',
    })
  })

  test('without an address lists the accounts, deactivated ones marked', async () => {
    await service.person('owner', { email: 'only@example.test', name: 'Only Owner' })
    const gone = await service.person('viewer', { email: 'gone@example.test', name: 'Gone' })
    await service.cms.database.tx((tx) =>
      tx.updateTable('account').set({ deactivated_at: service.clock.now() }).where('id', '=', gone.id).execute(),
    )
    const { code, output } = await run([])
    assert.equal(code, 0)
    assert.equal(output, 'gone@example.test  viewer  Gone  (deactivated)\nonly@example.test  owner   Only Owner\n')
  })

  test('sets the password of a locked-out owner from standard input, and ends their sessions only', async () => {
    const owner = await service.person('owner')
    const other = await service.person('viewer')
    const { code, output } = await start([owner.email.toUpperCase()], `${NEW}\n`)
    assert.equal(code, 0, output)
    assert.ok(output.includes(owner.email) && !output.includes(NEW))
    assert.equal(await signIn(owner.email, PASSWORD), 401)
    assert.equal(await signIn(owner.email, NEW), 200)
    assert.equal((await owner.client.get('/api/auth/me')).body.code, 'TOKEN_REVOKED')
    assert.equal((await other.client.get('/api/auth/me')).status, 200)
  })

  test('leaves two-factor authentication on, unless --reset-2fa removes it; Activity records both', async () => {
    const owner = await service.person('owner')
    const { secret, recoveryCodes } = await enrol(service, owner)
    const before = await run([owner.email], `${NEW}\n`)
    assert.equal(before.code, 0)
    assert.equal(await codeOfSignIn(owner.email, NEW), 'TOTP_REQUIRED')
    const { code, output } = await run([owner.email, '--reset-2fa'], `${NEW}\n`)
    assert.equal(code, 0, output)
    assert.match(output, /two-factor authentication is off/)
    for (const planted of [secret, NEW, ...recoveryCodes]) assert.ok(!output.includes(planted))
    assert.equal(await signIn(owner.email, NEW), 200)
    const { db } = service.cms.database
    for (const table of ['two_factor', 'recovery_code'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().where('account_id', '=', owner.id).execute(), [])
    const recorded = await db
      .selectFrom('activity')
      .select(['action', 'actor_kind', 'actor_name'])
      .where('target_id', '=', owner.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      recorded.map(({ action, actor_kind, actor_name }) => `${action} ${actor_kind} ${actor_name}`),
      [
        `user.totp.enabled user ${recorded[0]?.actor_name}`,
        'user.password.changed system cms:password',
        'user.password.changed system cms:password',
        'user.totp.disabled system cms:password',
      ],
    )
  })

  test('takes --reset-2fa in either place, also for someone without two-factor, and not alone', async () => {
    const owner = await service.person('owner')
    assert.equal((await run(['--reset-2fa', owner.email], `${NEW}\n`)).code, 0)
    assert.equal(await signIn(owner.email, NEW), 200)
    const before = await rows()
    const alone = await run(['--reset-2fa'], `${NEW}\n`)
    assert.equal(alone.code, 1)
    assert.match(alone.output, /^Usage/)
    assert.deepEqual(await rows(), before)
  })

  test('refuses a password in its arguments, and changes nothing', async () => {
    const owner = await service.person('owner')
    const before = await rows()
    for (const args of [
      [owner.email, NEW],
      ['--password', NEW],
      [owner.email, '--reset-2fa', NEW],
      [owner.email, '--reset-2FA'],
    ]) {
      const { code, output } = await run(args, `${NEW}\n`)
      assert.equal(code, 1)
      assert.match(output, /^Usage/)
    }
    assert.deepEqual(await rows(), before)
  })

  test('refuses an unknown and a deactivated person, and a password that is short or missing', async () => {
    const owner = await service.person('owner')
    const before = await rows()
    for (const [email, input] of [
      ['nobody@example.test', NEW],
      ['gone@example.test', NEW],
      [owner.email, 'short'],
      [owner.email, ''],
    ]) {
      const { code, output } = await run([String(email)], `${input}\n`)
      assert.equal(code, 1)
      assert.ok(output.length > 10)
    }
    assert.deepEqual(await rows(), before)
  })

  test('says what is wrong when it has no database', async () => {
    const { code, output } = await run([], '', { CMS_DATABASE_URL: '' })
    assert.equal(code, 1)
    assert.match(output, /CMS_DATABASE_URL/)
  })

  test('says what to do when the database has never been used', async () => {
    const empty = await freshDatabase()
    const { code, output } = await run([], '', { CMS_DATABASE_URL: empty.url })
    assert.equal(code, 1)
    assert.match(output, /Start the service once/)
    await empty.drop()
  })
})
