import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { passwordLoad } from '@stoa/kit/crypto/password.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import { createHttp, stopHttp } from '@stoa/kit/http/server.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { faults, renderError } from '../../errors.ts'
import { mailboxOf, type Principal, signInOf } from '../../principal.ts'
import { createAppPassword, deleteAppPassword } from '../addresses/app-passwords.ts'
import { changeAddressPassword, hashAddressPassword, updateAddress } from '../addresses/operations.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '../addresses/testing/hosting.ts'
import { authorise, createAuthenticate, createSessionTokens, createWebmailTokens, limitKeyOf } from './access.ts'

/** A route as JMAP's: mail programs and the webmail's own pages. */

let mail: MailService
let http: ReturnType<typeof createHttp>
let url: string
let ada: PlantedAddress
before(async () => {
  mail = await startMail()
  ada = await plantAddress(mail.database, 'ada@header.test', { name: 'Ada' })
  http = openDoor()
  url = await http.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await stopHttp(http)
  await mail.close()
})

const who = z.object({ email: z.string(), via: z.string(), scope: z.string(), appPasswordId: z.string().nullable() })
const routes = (['GET', 'POST'] as const).map((method) =>
  route({
    method,
    path: '/who',
    summary: 'Who asks',
    auth: ['mailbox', 'webmail'],
    access: 'mailbox',
    output: who,
    run: (ctx) => {
      const { address, scope, appPasswordId } = signInOf(ctx)
      return { email: address.email, via: mailboxOf(ctx).via, scope, appPasswordId }
    },
  }),
)

const openDoor = () => {
  const { config, database, log, clock, credentials } = mail.parts
  const sessionTokens = createSessionTokens(config.secret)
  const webmailTokens = createWebmailTokens(config.secret)
  const rate = { limit: 1_000, windowSeconds: 1 }
  return createHttp({
    routes,
    log,
    clock,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    surfaces: { api: apiSurface(config.publicUrl) },
    faults,
    renderError,
    authenticate: createAuthenticate({ database, tokens: sessionTokens, webmailTokens, credentials, clock }),
    authorise,
    context: (principal: Principal): Ctx => {
      const { db, tx } = database
      const { parts } = mail
      return { db, tx, principal, config, log, sessionTokens, webmailTokens, parts, now: clock.now }
    },
    csrfProof: false,
    rates: { anonymous: rate, principal: { limit: 2, windowSeconds: 1 }, keyOf: limitKeyOf },
    ready: database.ping,
  })
}

let host = 0
const nextIp = (): string => `10.9.${host >> 8}.${host++ & 255}`
/** Not with fetch, which sends the headers of a page. */
const ask = async (headers: Record<string, string>, method = 'GET') => {
  const sent = request(`${url}/who`, { method, headers: { 'x-forwarded-for': nextIp(), ...headers } }).end()
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  assert.ok(answer)
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) }
}
const basic = (name: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})
const makeAppPassword = async (address: PlantedAddress, scopes: ('jmap' | 'imap')[] = ['jmap']) => {
  const input = { accountId: address.accountId, addressId: address.id, name: 'phone', scopes, now: mail.clock.now() }
  const { appPassword, token } = await mail.database.tx((tx) => createAppPassword(tx, input))
  return { id: appPassword.id, token: token.reveal() }
}
const webmailCookie = async (address: PlantedAddress): Promise<string> => {
  const client = mail.client()
  await client.post('/api/mail/login', { email: address.email, password: MAILBOX_PASSWORD })
  return client.webmailCookie ?? assert.fail('no cookie')
}

describe('a mail program', () => {
  test('signs in with the address and the mailbox password, or an app password', async () => {
    const { id, token } = await makeAppPassword(ada)
    const asAda = { email: ada.email, scope: 'jmap' }
    assert.deepEqual((await ask(basic('ADA@header.test', MAILBOX_PASSWORD))).body, {
      ...asAda,
      via: 'basic',
      appPasswordId: null,
    })
    assert.deepEqual((await ask(basic(ada.email, token))).body, { ...asAda, via: 'basic', appPasswordId: id })
    for (const scheme of ['Bearer', 'bearer'])
      assert.deepEqual((await ask({ authorization: `${scheme} ${token}` })).body, {
        ...asAda,
        via: 'bearer',
        appPasswordId: id,
      })
  })

  test('has names and passwords in UTF-8, with colons in the password', async () => {
    const address = await plantAddress(mail.database, 'colon@header.test', { accountId: ada.accountId })
    const passwordHash = await hashAddressPassword('pä:ss:wörd 1234')
    const { accountId, id: addressId } = address
    await mail.database.tx((tx) =>
      changeAddressPassword(tx, { accountId, addressId, passwordHash, now: mail.clock.now() }),
    )
    assert.equal((await ask(basic(address.email, 'pä:ss:wörd 1234'))).status, 200)
  })

  test('is rejected with the same response for any error, with the schemes that it may use', async () => {
    const { token } = await makeAppPassword(ada, ['imap'])
    const other = await plantAddress(mail.database, 'other@header.test', { accountId: ada.accountId })
    const { token: others } = await makeAppPassword(other)
    const wrong = [
      basic(ada.email, 'wrong'),
      basic(ada.email, ''),
      basic('nobody@header.test', MAILBOX_PASSWORD),
      basic('', MAILBOX_PASSWORD),
      basic(ada.email, token),
      basic(ada.email, others),
      basic(ada.email, 'x'.repeat(1025)),
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${MAILBOX_PASSWORD.replaceAll(' ', '.')}` },
      { authorization: 'Bearer' },
      { authorization: 'Basic' },
      { authorization: 'Basic ???' },
      { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
      { authorization: `Digest ${ada.email}` },
      { authorization: '' },
    ]
    for (const headers of wrong) {
      const { status, body, headers: answered } = await ask(headers)
      const message = 'Wrong address or password.'
      assert.deepEqual([status, body], [401, { statusCode: 401, name: 'unauthorized', message }], headers.authorization)
      assert.equal(answered['www-authenticate'], 'Basic realm="Stoa mail", charset="UTF-8"')
    }
    assert.equal((await ask({})).headers['www-authenticate'], 'Basic realm="Stoa mail", charset="UTF-8"')
  })

  test('that is a page gets no challenge, so that the browser shows no dialog of its own', async () => {
    for (const headers of [{}, basic(ada.email, 'wrong')]) {
      const answer = await ask({ ...headers, 'sec-fetch-mode': 'cors' })
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, undefined])
    }
  })

  test('must wait after too many wrong passwords, also with the right one', async () => {
    const address = await plantAddress(mail.database, 'guessed@header.test', { accountId: ada.accountId })
    const ip = { 'x-forwarded-for': '10.77.0.1' }
    for (let n = 0; n < 10; n += 1) {
      mail.clock.advance(1_000)
      assert.equal((await ask({ ...ip, ...basic(address.email, `guess ${n}`) })).status, 401)
    }
    mail.clock.advance(60_000)
    const { status, body, headers } = await ask({ ...ip, ...basic(address.email, MAILBOX_PASSWORD) })
    assert.deepEqual([status, body.name], [429, 'rate_limit_exceeded'])
    const left = Number(headers['retry-after'])
    assert.ok(left > 60 && left <= 840, String(left))
    assert.equal(headers['ratelimit-limit'], '5')
    assert.equal((await ask(basic(address.email, MAILBOX_PASSWORD))).status, 200)
    mail.clock.advance(left * 1_000)
    assert.equal((await ask({ ...ip, ...basic(address.email, MAILBOX_PASSWORD) })).status, 200)
  })

  test('must wait a second after five wrong ones in it', async () => {
    const ip = { 'x-forwarded-for': '10.77.0.2' }
    for (let n = 0; n < 5; n += 1)
      assert.equal((await ask({ ...ip, authorization: `Bearer ap_${'x'.repeat(32)}` })).status, 401)
    const limited = await ask({ ...ip, ...basic(ada.email, MAILBOX_PASSWORD) })
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '1'])
  })

  test('may ask as often as it likes, with a statement or two and no password hash each time', async () => {
    const { token } = await makeAppPassword(ada)
    const cases = [
      { headers: basic(ada.email, MAILBOX_PASSWORD), statements: 1 },
      { headers: basic(ada.email, token), statements: 2 },
      { headers: { authorization: `Bearer ${token}` }, statements: 1 },
    ]
    for (const { headers, statements } of cases) {
      const same = { ...headers, 'x-forwarded-for': '10.77.0.3' }
      assert.equal((await ask(same)).status, 200)
      const watch = mail.database.watchStatements()
      const { made } = passwordLoad()
      for (let n = 0; n < 50; n += 1) assert.equal((await ask(same)).status, 200)
      watch.stop()
      assert.equal(watch.texts.length, 50 * statements, watch.texts.slice(0, 5).join('\n'))
      assert.equal(passwordLoad().made, made)
    }
  })

  test('cannot use what was remembered after the password was changed or app passwords became a must', async () => {
    const address = await plantAddress(mail.database, 'changes@header.test', { accountId: ada.accountId })
    const { accountId, id: addressId } = address
    const now = mail.clock.now()
    assert.equal((await ask(basic(address.email, MAILBOX_PASSWORD))).status, 200)
    const require = (requireAppPassword: boolean) =>
      mail.database.tx((tx) => updateAddress(tx, { accountId, addressId, change: { requireAppPassword }, now }))
    await require(true)
    assert.equal((await ask(basic(address.email, MAILBOX_PASSWORD))).status, 401)
    await require(false)
    assert.equal((await ask(basic(address.email, MAILBOX_PASSWORD))).status, 200)
    const { id, token } = await makeAppPassword(address)
    assert.equal((await ask({ authorization: `Bearer ${token}` })).status, 200)
    await mail.database.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id }))
    assert.equal((await ask({ authorization: `Bearer ${token}` })).status, 401)
    const passwordHash = await hashAddressPassword('a wholly new phrase')
    await mail.database.tx((tx) => changeAddressPassword(tx, { accountId, addressId, passwordHash, now }))
    assert.equal((await ask(basic(address.email, MAILBOX_PASSWORD))).status, 401)
    assert.equal((await ask(basic(address.email, 'a wholly new phrase'))).status, 200)
  })
})

describe('both a header and a cookie', () => {
  test('are allowed: the header is whom the request is for', async () => {
    const other = await plantAddress(mail.database, 'both@header.test', { accountId: ada.accountId })
    const cookie = `mail_webmail=${await webmailCookie(other)}`
    assert.deepEqual((await ask({ cookie })).body, {
      email: other.email,
      via: 'cookie',
      scope: 'webmail',
      appPasswordId: null,
    })
    assert.equal((await ask({ cookie, ...basic(ada.email, MAILBOX_PASSWORD) })).body.email, ada.email)
    assert.equal((await ask({ cookie, ...basic(ada.email, 'wrong') })).status, 401)
  })

  test('differ: what a foreign page sends with the cookie is refused, a mail program needs no origin', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    const header = basic(ada.email, MAILBOX_PASSWORD)
    const cookie = `mail_webmail=${await webmailCookie(ada)}`
    assert.equal((await ask({ ...foreign, cookie }, 'POST')).status, 403)
    assert.equal((await ask({ origin: mail.config.publicUrl, cookie }, 'POST')).status, 200)
    assert.equal((await ask({ ...foreign, ...header }, 'POST')).status, 200)
  })

  test('differ: browsers are counted per mailbox and second', async () => {
    const other = await plantAddress(mail.database, 'counted@header.test', { accountId: ada.accountId })
    const cookie = `mail_webmail=${await webmailCookie(other)}`
    const statuses = []
    for (let n = 0; n < 3; n += 1) statuses.push((await ask({ cookie })).status)
    assert.deepEqual(statuses, [200, 200, 429])
  })
})
