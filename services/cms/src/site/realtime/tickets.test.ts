import assert from 'node:assert/strict'
import { connect as openTcp } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, PUBLIC_URL, startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { connect, deliveryTicket, refusedUpgrade, socketUrl, ticketFor } from './testing/sockets.ts'

const ORIGIN = 'https://site.test'

let service: CmsService
let owner: Person
let key: string
before(async () => {
  service = await startCms({ env: { DELIVERY_ORIGINS: ORIGIN } })
  owner = await service.person('owner')
  key = (await deliveryKeyFor(owner)).key
})
after(() => service.close())

const refused = async (ticket: string, headers: Record<string, string> = {}) => {
  const { status, body } = await refusedUpgrade(socketUrl(service, ticket), headers)
  return `${status} ${body.code}`
}
let addresses = 0
/** Someone who has not guessed yet. */
const anew = () => ({ 'x-forwarded-for': `10.9.0.${++addresses}` })

test('an ordinary request for the socket gets 426', async () => {
  const ticket = await ticketFor(owner.client)
  for (const path of ['/realtime', `/realtime?ticket=${ticket}`]) {
    const answer = await service.client().get(path)
    assert.deepEqual(
      [answer.status, answer.body.code, answer.headers.get('upgrade')],
      [426, 'UPGRADE_REQUIRED', 'websocket'],
    )
  }
  await (await connect(service, ticket, anew())).close()
})

describe('a ticket', () => {
  test('opens one socket, also when it is used twice at once', async () => {
    const ticket = await ticketFor(owner.client)
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => connect(service, ticket, anew())))
    const open = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []))
    assert.equal(open.length, 1)
    assert.equal(await refused(ticket, anew()), '401 TICKET_INVALID')
    for (const socket of open) await socket.close()
  })

  test('of one process opens a socket at another, once', async () => {
    const other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    try {
      const ticket = await ticketFor(owner.client)
      const socket = await connect(other, ticket)
      assert.equal(await refused(ticket, anew()), '401 TICKET_INVALID')
      await socket.close()
    } finally {
      await other.close()
    }
  })

  test('is good for 30 seconds', async () => {
    const [early, late] = [await ticketFor(owner.client), await ticketFor(owner.client)]
    service.clock.advance(29_999)
    await (await connect(service, early)).close()
    service.clock.advance(1)
    assert.equal(await refused(late, anew()), '401 TICKET_INVALID')
  })

  test('ends with its session, its account and its key', async () => {
    const leaver = await service.person('editor')
    const ticket = await ticketFor(leaver.client)
    await leaver.client.post('/api/auth/logout')
    assert.equal(await refused(ticket, anew()), '401 TICKET_INVALID')
    const minted = await deliveryKeyFor(owner)
    const website = await deliveryTicket(service, minted.key)
    await owner.client.delete(`/api/delivery-keys/${minted.id}`)
    assert.equal(await refused(website, anew()), '401 TICKET_INVALID')
  })

  test('that was never issued, is missing, or comes twice opens nothing, and the refusal is an error like any other', async () => {
    const ticket = await ticketFor(owner.client)
    for (const text of ['', 'garbage', `cmstkt_${'x'.repeat(43)}`, owner.token, key, '%00', 'é'.repeat(500)])
      assert.equal(await refused(text, anew()), '401 TICKET_INVALID')
    const url = `${service.url.replace('http', 'ws')}/realtime`
    for (const query of ['', '?ticket', `?ticket=${ticket}&ticket=${ticket}`]) {
      const { status, body, headers } = await refusedUpgrade(url + query, anew())
      assert.deepEqual([status, body.code, Object.keys(body)], [401, 'TICKET_INVALID', ['error', 'code']])
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
    await (await connect(service, ticket)).close()
  })

  test('is not for agent keys, and each kind of credential has its own address', async () => {
    const agent = await agentFor(service, owner)
    const asAgent = await service.client({ token: agent.key }).post('/api/realtime/ticket')
    assert.deepEqual([asAgent.status, asAgent.body.code], [403, 'AGENT_NOT_ALLOWED'])
    const asKey = await service.client().post('/api/realtime/ticket', undefined, { 'x-api-key': key })
    assert.equal(asKey.body.code, 'WRONG_CREDENTIAL_KIND')
    const asSession = await owner.client.post('/realtime/delivery/ticket')
    assert.equal(asSession.body.code, 'WRONG_CREDENTIAL_KIND')
  })

  test('is not in the database, and guessing is slowed down', async () => {
    const ticket = await ticketFor(owner.client)
    const rows = await service.cms.database.db.query<{ text: string }>({
      text: 'select t::text as text from realtime_ticket t',
    })
    assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes(ticket)))
    const guesser = anew()
    const answers = new Set<string>()
    for (let count = 0; count < 70; count += 1) answers.add(await refused('cmstkt_wrong', guesser))
    assert.deepEqual([...answers], ['401 TICKET_INVALID', '429 RATE_LIMITED'])
    assert.ok(!service.logs.some((line) => line.includes(ticket)))
  })
})

describe('C80: the origin', () => {
  test('of a session is the service itself or none; of a website a listed one or none', async () => {
    const session = () => ticketFor(owner.client)
    const website = () => deliveryTicket(service, key)
    for (const [ticket, origin] of [
      [session, PUBLIC_URL],
      // Reached by another name than the public one, as on the machine itself
      [session, service.url],
      [website, ORIGIN],
    ] as const)
      await (await connect(service, await ticket(), { origin })).close()
    for (const [ticket, origin] of [
      [session, ORIGIN],
      [session, 'https://evil.test'],
      [session, 'null'],
      [session, `${PUBLIC_URL}.evil.test`],
      [session, 'http://127.0.0.1:1'],
      [website, PUBLIC_URL],
      [website, service.url],
      [website, 'https://evil.test'],
    ] as const)
      assert.equal(await refused(await ticket(), { origin }), '403 ORIGIN_NOT_ALLOWED', origin)
  })

  test('of a stranger does not cost the ticket', async () => {
    const ticket = await ticketFor(owner.client)
    assert.equal(await refused(ticket, { origin: 'https://evil.test' }), '403 ORIGIN_NOT_ALLOWED')
    await (await connect(service, ticket)).close()
  })
})

describe('other upgrades', () => {
  const exchange = async (lines: string[]): Promise<string> => {
    const { hostname, port } = new URL(service.url)
    const socket = openTcp(Number(port), hostname)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    await until(() => text.includes('\r\n\r\n'), 'an answer')
    socket.destroy()
    return text
  }

  test('are answered as if nobody had asked for one', async () => {
    const h2c = await exchange(['GET /healthz HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: h2c'])
    assert.match(h2c, /^HTTP\/1\.1 200 /)
    const elsewhere = await exchange([
      'GET /api/auth/status HTTP/1.1',
      'host: x',
      'connection: upgrade',
      'upgrade: websocket',
    ])
    assert.match(elsewhere, /^HTTP\/1\.1 200 /)
    const other = await exchange(['GET /realtime HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: h2c'])
    assert.match(other, /^HTTP\/1\.1 426 /)
  })

  test('that are no proper handshake are refused', async () => {
    const start = [
      `GET /realtime?ticket=${await ticketFor(owner.client)} HTTP/1.1`,
      'host: x',
      'connection: upgrade',
      'upgrade: websocket',
    ]
    assert.match(await exchange(start), /^HTTP\/1\.1 400 /)
  })
})
