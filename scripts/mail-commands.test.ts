import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '@stoa/kit/clock.ts'
import { verifyPassword } from '@stoa/kit/crypto/password.ts'
import { type Change, type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createCredentials } from '@stoa/mail/hosting/addresses/credentials.ts'
import { resolveRecipient } from '@stoa/mail/hosting/addresses/routing.ts'
import { signingKeyOf } from '@stoa/mail/hosting/domains/dkim-keys.ts'
import { createHosting } from '@stoa/mail/hosting/domains/hosting.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { runDoctor } from './doctor.ts'
import { readAccountCommand } from './mail-account.ts'
import { readAddressCommand } from './mail-address.ts'
import { type Reader, runMailCommand } from './mail-command.ts'
import { readSendersCommand } from './mail-senders.ts'

const root = join(import.meta.dirname, '..')
const SECRET = 'a secret of the tests, long enough for anyone'
const log = createLogger({ name: 'test', level: 'silent' })

let own: TestDatabase
let database: Database<Tables>
let folder: string
before(async () => {
  // Empty: the first command makes the tables.
  own = await freshDatabase()
  database = openDatabase<Tables>({ url: own.url, poolSize: 3, log })
  folder = await mkdtemp(join(tmpdir(), 'mail-commands-'))
})
after(async () => {
  await database.close()
  await own.drop()
  await rm(folder, { recursive: true })
})

const settings = () => ({ MAIL_DATABASE_URL: own.url, SECRET, MAIL_HOSTNAME: 'mx.stoa.test', DATA_DIR: folder })

/** A program in a process of its own, as `npm run` starts it. */
const run = async (args: string[], env: Record<string, string> = {}) => {
  const given = { ...settings(), ...env }
  // The second process starts in a fifth of the time of the first.
  const cache = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const child = spawn(process.execPath, args, { cwd: root, env: { ...cache, ...bareEnvironment(), ...given } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}
/** The same command in this process: to start one takes twenty times as long as what it does. */
const call = async (read: Reader, args: string[]) => {
  const lines: string[] = []
  const print = (text: string): void => void lines.push(text)
  const failed = (error: Error): 1 => {
    print(`✗ ${error.message}\n`)
    return 1
  }
  const code = await runMailCommand(read, { args, env: settings(), print }).catch(failed)
  return { code, output: lines.join('') }
}
const address = (...args: string[]) => call(readAddressCommand, args)
const account = (...args: string[]) => call(readAccountCommand, args)
const senders = (...args: string[]) => call(readSendersCommand, args)
const passwordIn = (output: string): string =>
  /you won't see it again\): (\w{20})\n$/.exec(output)?.[1] ?? assert.fail(output)
const signIn = async (email: string, password: string): Promise<boolean> => {
  const parts = { database, secret: new Secret(SECRET), clock: systemClock, log }
  return (await createCredentials(parts).check({ email, password, scope: 'imap', ip: '192.0.2.1' })).ok
}

describe('npm run mail:address', () => {
  test('adds the first mailbox with its domain and an owner, and shows the password once', async () => {
    const { code, output } = await run(['scripts/mail-address.ts', 'add', 'User@Example.test'])
    assert.equal(code, 0, output)
    assert.match(output, /^Domain example\.test added\.\nAccount user@example\.test created as the owner/)
    const password = passwordIn(output)
    assert.equal(await signIn('user@example.test', password), true)
    const owner = await database.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([owner.role, owner.email, owner.plan], ['owner', 'user@example.test', 'unlimited'])
    assert.equal((await verifyPassword(password, owner.password_hash)).ok, true)
    const route = await resolveRecipient(database.db, { hostname: 'mx.stoa.test' }, 'user@example.test')
    assert.ok(route.kind === 'mailbox' && route.accountId === owner.id)
    const hosting = createHosting({ hostname: 'mx.stoa.test', secret: new Secret(SECRET), environment: 'test' })
    assert.equal((await signingKeyOf(database.db, hosting, route.domainId))?.selector, 's1')
  })

  test('adds a second one in the same account, and any domain without proof', async () => {
    const { code, output } = await address('add', 'second@example.test')
    assert.equal(code, 0, output)
    assert.match(output, /^Address second@example\.test created\./)
    assert.equal((await address('add', 'me@example.com')).code, 0)
    const route = await resolveRecipient(database.db, { hostname: 'mx.stoa.test' }, 'me@example.com')
    assert.equal(route.kind, 'mailbox')
    assert.equal((await database.db.selectFrom('account').select('id').execute()).length, 1)
  })

  test('lists all mailboxes', async () => {
    const { code, output } = await address('list')
    assert.equal(code, 0, output)
    assert.equal(
      output,
      [
        'me@example.com  0 KB  user@example.test\n',
        'second@example.test  0 KB  user@example.test\n',
        'user@example.test  0 KB  user@example.test\n',
      ].join(''),
    )
  })

  test('refuses a name that is taken or not allowed, and changes nothing', async () => {
    const rows = () => database.db.selectFrom('address').select(['email', 'password_hash']).orderBy('id').execute()
    const before = await rows()
    const refused: [string[], RegExp][] = [
      [['add', 'user@example.test'], /already used by another address/],
      [['add', 'mailer-daemon@example.test'], /reserved/],
      [['add', 'a@co.uk'], /public suffix/],
      [['add', 'nobody'], /isn't an email address/],
      [['password', 'nobody@example.test'], /Address nobody@example\.test doesn't exist/],
      [['toString', 'a@b.test'], /^✗ Usage/],
    ]
    for (const [args, expected] of refused) {
      const { code, output } = await address(...args)
      assert.deepEqual([code, expected.test(output)], [1, true], `${args.join(' ')}: ${output}`)
    }
    const { code, output } = await run(['scripts/mail-address.ts', 'add', 'user@example.test'])
    assert.deepEqual([code, output.split('\n').length], [1, 2], output)
    assert.match(output, /^✗ .*already used by another address/)
    assert.deepEqual(await rows(), before)
  })

  test('generates a new password, and notifies the running processes', async (context) => {
    const listener = openDatabase<Tables>({ url: own.url, poolSize: 1, log })
    const bus = openBus(listener, { log })
    context.after(() => Promise.all([bus.close(), listener.close()]))
    const changes: Change[] = []
    bus.subscribe(
      (change) => void changes.push(change),
      () => undefined,
    )
    await bus.ready()
    const first = passwordIn((await address('password', 'second@example.test')).output)
    const second = passwordIn((await address('password', 'SECOND@example.test')).output)
    assert.deepEqual(
      [await signIn('second@example.test', first), await signIn('second@example.test', second)],
      [false, true],
    )
    assert.deepEqual(
      changes.map(({ topic, event }) => `${topic} ${event}`),
      ['address password_changed', 'address password_changed'],
    )
  })

  test('removes a mailbox, whose name is free again', async () => {
    const { code, output } = await address('remove', 'second@example.test')
    assert.deepEqual(
      [code, output],
      [
        0,
        'second@example.test and its mail deleted. You can restore it for 7 days under Recently deleted in the panel.\n',
      ],
    )
    assert.equal((await address('list')).output.includes('second@'), false)
    assert.equal((await address('add', 'second@example.test')).code, 0)
  })

  test('names settings that are missing', async () => {
    const { code, output } = await run(['scripts/mail-address.ts', 'list'], { SECRET: '', MAIL_DATABASE_URL: '' })
    assert.equal(code, 1)
    assert.match(output, /MAIL_DATABASE_URL.*SECRET/s)
  })

  test('is a task', async () => {
    const env = { DATA_DIR: folder, ENV_FILE: join(folder, '.env') }
    const { code, output } = await run(['scripts/run.mjs', 'mail:address', 'list'], env)
    assert.equal(code, 0, output)
    assert.match(output, /user@example\.test/)
  })
})

describe('npm run mail:senders', () => {
  test('allows, blocks, lists and removes senders of the instance, and writes it down', async () => {
    assert.match((await senders('list')).output, /^No senders yet/)
    assert.deepEqual(await senders('block', '192.0.2.9/24'), { code: 0, output: '192.0.2.0/24 blocked.\n' })
    assert.equal((await senders('allow', 'Ann@Example.test')).output, 'ann@example.test allowed.\n')
    assert.match((await senders('allow', '192.0.2.0/24')).output, /already on the list/)
    assert.equal((await senders('list')).output, 'block  192.0.2.0/24\nallow  ann@example.test\n')
    assert.equal((await senders('remove', 'ann@example.test')).output, 'ann@example.test removed.\n')
    assert.deepEqual(await senders('remove', 'ann@example.test'), {
      code: 1,
      output: "✗ ann@example.test isn't on the list.\n",
    })
    assert.equal((await senders('remove', '192.0.2.0/24')).code, 0)
    const acts = await database.db
      .selectFrom('audit')
      .select(['actor', 'action', 'target'])
      .where('action', 'in', ['sender.added', 'sender.removed'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      acts.map(({ actor, action, target }) => [actor, action, target].join(' ')),
      [
        'host sender.added 192.0.2.0/24',
        'host sender.added ann@example.test',
        'host sender.removed ann@example.test',
        'host sender.removed 192.0.2.0/24',
      ],
    )
  })

  test('explains what a sender is', async () => {
    for (const args of [[], ['block'], ['block', 'x', 'y'], ['trust', '@a.test'], ['block', 'example.com']])
      assert.match((await senders(...args)).output, /A sender is an address/, args.join(' '))
  })
})

describe('npm run mail:account', () => {
  const suspendedAt = async () =>
    (await database.db.selectFrom('account').select('suspended_at').executeTakeFirstOrThrow()).suspended_at

  test('suspends and resumes an account, each as often as one likes', async () => {
    assert.equal((await run(['scripts/mail-account.ts', 'list'])).output, 'user@example.test  owner  unlimited\n')
    const first = await account('suspend', 'USER@example.test')
    assert.deepEqual(first, { code: 0, output: 'user@example.test suspended. They can still receive and read mail.\n' })
    const since = await suspendedAt()
    assert.ok(since)
    assert.equal((await account('suspend', 'user@example.test')).code, 0)
    assert.deepEqual(await suspendedAt(), since)
    assert.match((await account('list')).output, /\(suspended since .*Z\)\n$/)
    assert.equal(
      (await account('resume', 'user@example.test')).output,
      'user@example.test resumed. They can send mail again.\n',
    )
    assert.equal(await suspendedAt(), null)
  })

  const ownerOf = () => database.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  const sessions = async () => (await database.db.selectFrom('session').select('id').execute()).length
  const plantSession = (accountId: string) =>
    database.tx(async (tx) => {
      const now = new Date()
      const row = { account_id: accountId, id: newId(), token_hash: randomBytes(32), ip: null, user_agent: null }
      const times = { created_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 86_400_000) }
      await tx
        .insertInto('session')
        .values({ ...row, ...times })
        .execute()
    })

  test('draws a new password of the panel: sessions and a change under way end, the second factor stays', async () => {
    const { id } = await ownerOf()
    await plantSession(id)
    const now = new Date()
    const change = { pending_email: 'thief@example.test', totp_enabled_at: now }
    await database.tx((tx) => tx.updateTable('account').set(change).execute())
    const { code, output } = await account('password', 'User@example.test')
    assert.equal(code, 0, output)
    assert.match(output, /^Password changed for user@example\.test; all sessions are signed out\./)
    const after = await ownerOf()
    assert.equal((await verifyPassword(passwordIn(output), after.password_hash)).ok, true)
    assert.deepEqual([after.pending_email, after.totp_enabled_at, await sessions()], [null, now, 0])
  })

  test('removes two-factor authentication with its secret and codes, once, and the password stays', async () => {
    const before = await ownerOf()
    await plantSession(before.id)
    await database.tx(async (tx) => {
      const key = { account_id: before.id }
      await tx
        .insertInto('two_factor')
        .values({ ...key, sealed_secret: 'x', started_at: new Date() })
        .execute()
      await tx
        .insertInto('recovery_code')
        .values({ ...key, code_hash: randomBytes(32) })
        .execute()
    })
    const { code, output } = await account('two-factor-off', 'user@example.test')
    assert.equal(code, 0, output)
    assert.match(
      output,
      /^Two-factor authentication turned off for user@example\.test; all sessions are signed out\.\n$/,
    )
    const after = await ownerOf()
    assert.deepEqual([after.totp_enabled_at, after.password_hash], [null, before.password_hash])
    const left = await Promise.all([
      database.db.selectFrom('two_factor').select('account_id').execute(),
      database.db.selectFrom('recovery_code').select('account_id').execute(),
      sessions(),
    ])
    assert.deepEqual(left, [[], [], 0])
    await plantSession(before.id)
    assert.match(
      (await account('two-factor-off', 'user@example.test')).output,
      /is already off for user@example\.test\.\n$/,
    )
    assert.equal(await sessions(), 1)
  })

  test('suspends with a reason, sets plan and limits, resets the sign-in, and all of it is written down', async () => {
    const email = 'user@example.test'
    assert.equal((await account('suspend', email, '--reason', 'Sends spam')).code, 0)
    assert.equal((await ownerOf()).suspended_reason, 'Sends spam')
    assert.equal((await account('resume', email)).code, 0)
    assert.deepEqual(
      [(await ownerOf()).suspended_reason, (await account('limits', email, 'domains=4', 'filters=0')).code],
      [null, 0],
    )
    assert.equal((await account('limits', email, 'filters=plan')).output, `Limits of ${email} changed.\n`)
    assert.deepEqual((await ownerOf()).limits, { domains: 4 })
    assert.match((await account('plan', email, 'free')).output, /always on the unlimited plan/)
    await plantSession((await ownerOf()).id)
    const { code, output } = await account('reset-sign-in', email, '--two-factor-off')
    assert.equal(code, 0, output)
    assert.equal(await sessions(), 0)
    const acts = await database.db.selectFrom('audit').select(['actor', 'action', 'target']).orderBy('id').execute()
    assert.deepEqual(
      acts.filter(({ target }) => target === email).map(({ actor, action }) => `${actor} ${action}`),
      [
        'host address.created',
        ...['suspended', 'suspended', 'resumed', 'password_set', 'two_factor_removed'].map(
          (act) => `host account.${act}`,
        ),
        ...['suspended', 'resumed', 'updated', 'updated', 'sign_in_reset'].map((act) => `host account.${act}`),
      ],
    )
    assert.equal((await account('limits', email, 'domains=plan')).code, 0)
  })

  test('refuses what it does not know', async () => {
    const before = await ownerOf()
    for (const verb of ['password', 'two-factor-off']) {
      const { code, output } = await account(verb, 'nobody@example.test')
      assert.deepEqual([code, output], [1, "✗ Account nobody@example.test doesn't exist.\n"])
    }
    assert.deepEqual(await ownerOf(), before)
    for (const args of [
      ['password', 'user@example.test', 'a password in the history'],
      ['delete', 'user@example.test'],
      ['suspend', 'user@example.test', 'now'],
      ['suspend', 'user@example.test', '--reason'],
      ['plan', 'user@example.test', 'gold'],
      ['limits', 'user@example.test'],
      ['limits', 'user@example.test', 'domains=-1'],
      ['limits', 'user@example.test', 'cars=1'],
      ['reset-sign-in', 'user@example.test', '--all'],
    ])
      assert.match((await account(...args)).output, /^✗ Usage/)
    const { code, output } = await account('suspend', 'nobody@example.test')
    assert.deepEqual([code, output], [1, "✗ Account nobody@example.test doesn't exist.\n"])
    assert.equal(await suspendedAt(), null)
  })
})

describe('npm run doctor', () => {
  const doctor = async (args: string[], env: Record<string, string> = {}) => {
    const lines: string[] = []
    const print = (text: string): void => void lines.push(text)
    const code = await runDoctor({ args, env: { ...settings(), ...env }, print })
    return { code, output: lines.join('') }
  }

  test('prints what is wrong and what to do, as text or JSON, and sets its exit code', async (context) => {
    // Nothing listens here, and tests run PostgreSQL without fsync.
    const site = await freshDatabase()
    context.after(() => site.drop())
    const { code, output } = await doctor(['--json'], { CMS_DATABASE_URL: site.url })
    const { object, status, checks } = JSON.parse(output)
    assert.deepEqual([code, object, status], [2, 'health', 'error'])
    assert.ok(checks.every(({ status, action }: { status: string; action: unknown }) => status === 'ok' || action))
    const services = new Set(checks.map(({ service }: { service: string }) => service))
    assert.deepEqual([...services], ['cms', 'mail'])
    assert.ok(!output.includes(SECRET))
  })

  test('checks the services that there are; settings that are wrong are one of its findings', async () => {
    const text = await doctor([])
    assert.equal(text.code, 2)
    assert.match(text.output, /^✗ mail ports: Not listening: HTTP/)
    assert.match(text.output, /^! mail backups: No backup yet\.\n {4}Run "npm run backup -- <folder>"/m)
    assert.doesNotMatch(text.output, /cms/)
    const wrong = await doctor([], { SMTP_PORT: 'many' })
    assert.equal(wrong.code, 2)
    assert.match(wrong.output, /^✗ mail start: The configuration has a problem:\n {2}SMTP_PORT: .*\n {4}Correct/)
    await assert.rejects(doctor(['--yaml']), /^Error: Usage: npm run doctor/)
  })
})
