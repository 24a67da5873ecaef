import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTcpProxy, throughProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { WebSocket } from 'ws'
import { createWebmailTokens, openWebmailSession, WEBMAIL_COOKIE } from '../../hosting/access/access.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { deleteShare, listShares } from '../../hosting/shares/shares.ts'
import { CAPABILITIES } from './method.ts'
import { createClient } from './testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from './testing/ground.ts'
import { startJmapServer } from './testing/server.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

/** The cookie of a browser in which somebody signed in to webmail. */
const openBrowser = async ({ email }: GroundMailbox): Promise<string> => {
  const { parts } = ground
  const signIn = await parts.credentials.check({ email, password: MAILBOX_PASSWORD, scope: 'webmail', ip: '127.0.0.1' })
  assert.ok(signIn.ok)
  const ctx = { config: parts.config, now: parts.clock.now, webmailTokens: createWebmailTokens(parts.config.secret) }
  const request = { ip: '127.0.0.1', userAgent: 'test' }
  const { cookie } = await parts.database.tx((tx) => openWebmailSession(ctx, tx, signIn, request))
  return `${WEBMAIL_COOKIE}=${cookie.value}`
}

const REQUEST = JSON.stringify({ using: [CAPABILITIES.core], methodCalls: [['Core/echo', {}, 'a']] })

describe('the cookie of webmail', () => {
  test('opens JMAP for its own pages, and not for those of others', async () => {
    const cookie = await openBrowser(ground.ann)
    const post = async (headers: Record<string, string>) => {
      const sent = { cookie, 'content-type': 'application/json', ...headers }
      return (await fetch(`${ground.url}/jmap`, { method: 'POST', body: REQUEST, headers: sent })).status
    }
    assert.equal(await post({ 'sec-fetch-site': 'same-origin' }), 200)
    assert.equal(await post({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await post({ 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }), 403)
    assert.equal(await post({ cookie: `${WEBMAIL_COOKIE}=nothing` }), 401)
    const session = await (await fetch(`${ground.url}/.well-known/jmap`, { headers: { cookie } })).json()
    assert.equal(session.username, 'ann@example.test')
  })

  test('opens a socket only from its own pages, which ends with the session', async () => {
    const cookie = await openBrowser(ground.bob)
    const open = (origin: string) =>
      new WebSocket(`${ground.url.replace('http', 'ws')}/jmap/ws`, ['jmap'], { headers: { cookie, origin } })
    const foreign = open('https://evil.test')
    foreign.on('error', () => undefined)
    const [, answer] = await once(foreign, 'unexpected-response')
    assert.equal(answer.statusCode, 403)
    const own = open(ground.url)
    await once(own, 'open')
    const closed = once(own, 'close')
    await ground.parts.database.tx(async (tx) => {
      const addressId = ground.bob.accountId
      await tx.deleteFrom('webmail_session').where('address_id', '=', addressId).execute()
      tx.changes.push({ topic: 'webmail_session', event: 'ended', data: { addressId } })
    })
    assert.equal((await closed)[0], 1008)
  })

  test('holds sockets by one listener of the process, however many there are', async () => {
    const { bus } = ground.parts
    const { subscribe } = bus
    let listeners = 0
    bus.subscribe = (listen, catchUp) => {
      listeners += 1
      return subscribe(listen, catchUp)
    }
    const cookie = await openBrowser(ground.ann)
    const open = async () => {
      const socket = new WebSocket(`${ground.url.replace('http', 'ws')}/jmap/ws`, ['jmap'], { headers: { cookie } })
      await once(socket, 'open')
      return socket
    }
    const sockets = [await open(), await open(), await open()]
    bus.subscribe = subscribe
    for (const socket of sockets) socket.terminate()
    assert.equal(listeners, 0)
  })

  test('ends a socket also when the sign-out was missed while notifications were lost', async () => {
    const carol = await ground.mailbox('carol@example.test')
    const [left, stays] = [await openBrowser(carol), await openBrowser(ground.ann)]
    const open = async (cookie: string) => {
      const socket = new WebSocket(`${ground.url.replace('http', 'ws')}/jmap/ws`, ['jmap'], { headers: { cookie } })
      await once(socket, 'open')
      return socket
    }
    const [gone, kept] = [await open(left), await open(stays)]
    const closed = once(gone, 'close')
    const { pool } = ground.parts.database
    // Without a notification, as if it had been sent while nobody was connected.
    await pool.query('delete from webmail_session where address_id = $1', [carol.accountId])
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stoa-events'
      and datname = current_database()`)
    assert.equal((await closed)[0], 1008)
    assert.equal(kept.readyState, kept.OPEN)
    kept.terminate()
  })
})

test('a share counts for the next request after it was made, and not any more after it ended', async () => {
  const [dora, erin] = [await ground.mailbox('dora@example.test'), await ground.mailbox('erin@example.test')]
  const get = () => erin.client.call(['Mailbox/get', { accountId: dora.accountId, ids: [] }])
  const answered = async () => (await get())[0]?.[0]
  assert.deepEqual([await answered(), await answered()], ['error', 'error'])
  await ground.share(dora, erin, 'read')
  assert.deepEqual([await answered(), await answered()], ['Mailbox/get', 'Mailbox/get'])
  const { database } = ground.parts
  const account = { accountId: dora.address.accountId, addressId: dora.accountId }
  const [share] = await listShares(database.db, account)
  await database.tx((tx) => deleteShare(tx, { ...account, id: share?.id ?? '' }))
  assert.equal(await answered(), 'error')
})

test('connections to the database that are cut under load are warnings without a stack', async () => {
  const { pool } = ground.parts.database
  const before = ground.logs.length
  const stop = new AbortController()
  const busy = async () => {
    while (!stop.signal.aborted) {
      await ground.ann.client.call(['Mailbox/get', { accountId: ground.ann.accountId, ids: [] }]).catch(() => undefined)
      await ground.add(ground.ann).catch(() => undefined)
    }
  }
  const work = Array.from({ length: 4 }, busy)
  for (let round = 0; round < 8; round += 1) {
    await pool
      .query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid()`)
      .catch(() => undefined)
    await passTime(50, 'requests happen between two cuts')
  }
  stop.abort()
  await Promise.all(work)
  const lines = ground.logs.slice(before)
  assert.ok(lines.some((line) => /terminat/.test(line)))
  assert.deepEqual(
    lines.filter((line) => /"stack"|\\n +at |"level":"error"/.test(line)),
    [],
  )
})

describe('what does not work', () => {
  test('sending and filters are for the own account', async () => {
    const carl = await ground.mailbox('carl@example.test')
    await ground.share(carl, ground.ann, 'full')
    for (const method of ['Identity/get', 'VacationResponse/get', 'SieveScript/get', 'EmailSubmission/get'])
      assert.equal(
        await ground.ann.client.error(method, { accountId: carl.accountId, ids: [] }),
        'accountNotSupportedByMethod',
      )
  })

  test('while the database is away, requests and sockets say so', async () => {
    const { hostname, port } = new URL(ground.databaseUrl)
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
    const folder = await mkdtemp(join(tmpdir(), 'jmap-away-'))
    const server = await startJmapServer({ databaseUrl: throughProxy(ground.databaseUrl, proxy), folder })
    const { headers } = ground.ann.client
    const client = createClient(server.url, headers)
    const post = async () => (await client.post(REQUEST)).status
    assert.equal(await post(), 200)
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/jmap/ws`, ['jmap'], { headers })
    await once(socket, 'open')
    await proxy.close()
    assert.equal(await post(), 503)
    socket.send(JSON.stringify({ '@type': 'Request', id: 'R', ...JSON.parse(REQUEST) }))
    const [data] = await once(socket, 'message')
    const { '@type': type, requestId, status } = JSON.parse(String(data))
    assert.deepEqual([type, requestId, status], ['RequestError', 'R', 503])
    socket.terminate()
    await server.close()
    await rm(folder, { recursive: true })
  })
})
