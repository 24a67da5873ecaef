import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Person } from '@stoa/tests/lib/cms.ts'
import { scriptModel } from '@stoa/tests/lib/fake-ollama.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { contextFor } from '../../context.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { deleteOldConversations } from './jobs.ts'
import { SECRET_REMOVED } from './mask-secrets.ts'
import { type AssistantSite, endOf, startAssistantSite } from './testing/assistant-site.ts'

const DAY = 86_400_000

let site: AssistantSite
before(async () => {
  site = await startAssistantSite()
})
after(() => site.close())

const say = (text: string) => site.ollama.model(scriptModel([{ text }]))
const message = () => ({ text: 'Hello', clientId: randomUUID() })

/** A reader who takes nothing of the answer. */
const openUnread = async (url: string, token: string, body: unknown): Promise<IncomingMessage> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const request = http.request(url, { method: 'POST', headers })
  request.end(JSON.stringify(body))
  const [response] = await once(request, 'response')
  return response.on('error', () => undefined).pause()
}

/** Every route of a conversation. */
const routesOf = (id: string): [string, string, unknown][] => [
  ['GET', `/api/assistant/conversations/${id}`, undefined],
  ['PUT', `/api/assistant/conversations/${id}`, { title: 'Mine now' }],
  ['POST', `/api/assistant/conversations/${id}/messages`, message()],
  ['POST', `/api/assistant/conversations/${id}/stop`, undefined],
  ['DELETE', `/api/assistant/conversations/${id}`, undefined],
]

describe('conversations', () => {
  test('are created, listed with the latest message first, renamed and deleted', async () => {
    const person = await site.person('author')
    const path = '/api/assistant/conversations'
    const first = await person.client.post(path, { title: ' Plans ' })
    assert.equal(first.status, 201)
    assert.deepEqual(first.body, {
      id: first.body.id,
      title: 'Plans',
      busy: false,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    })
    site.clock.advance(1_000)
    const second = await person.client.post(path, {})
    site.clock.advance(1_000)
    say('Hello.')
    await (await site.send(person, first.body.id, { text: 'Hello' })).all()
    const { body } = await person.client.get(path)
    assert.deepEqual(
      body.items.map(({ title }: { title: string }) => title),
      ['Plans', ''],
    )
    assert.deepEqual(body.meta, { total: 2, page: 1, limit: 25, pages: 1 })
    const renamed = await person.client.put(`${path}/${second.body.id}`, { title: 'Later' })
    assert.deepEqual([renamed.status, renamed.body.title], [200, 'Later'])
    assert.equal(renamed.body.updatedAt, second.body.updatedAt, 'a name is no message')
    assert.equal((await person.client.put(`${path}/${second.body.id}`, { title: '' })).status, 400)
    assert.equal((await person.client.delete(`${path}/${first.body.id}`)).status, 204)
    assert.equal((await person.client.get(`${path}/${first.body.id}`)).status, 404)
    assert.equal((await person.client.get(`${path}?limit=1`)).body.meta.total, 1)
  })

  test('are named after the first words of their first message, and keep that name', async () => {
    const words = 'Please look through all articles of last year and tell me which have no summary'
    say('One.')
    const { conversationId } = await site.ask(site.editor, { text: `${words}\n\nThank you` })
    const { title } = await site.show(site.editor, conversationId)
    assert.equal(title, 'Please look through all articles of last year and tell me…')
    say('Two.')
    await (await site.send(site.editor, conversationId, { text: 'More' })).all()
    assert.equal((await site.show(site.editor, conversationId)).title, title)
  })

  test('of somebody else are not there, on every route, for owners too', async () => {
    say('Mine.')
    const { conversationId } = await site.ask(site.author, { text: 'A private question' })
    const before = await site.show(site.author, conversationId)
    for (const person of [site.editor, await site.person('owner')]) {
      for (const [method, path, body] of routesOf(conversationId)) {
        const answer = await person.client.send(method, path, { body })
        assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], `${method} ${path}`)
      }
      const { body } = await person.client.get('/api/assistant/conversations?limit=100')
      assert.ok(!JSON.stringify(body).includes(conversationId))
    }
    assert.deepEqual(await site.show(site.author, conversationId), before)
  })

  test('are not for agent keys, on every route, whatever their grants', async () => {
    const conversationId = await site.start(site.admin)
    const agent = await agentFor(site, site.admin)
    const headers = { authorization: `Bearer ${agent.key}` }
    const all: [string, string, unknown][] = [
      ['GET', '/api/assistant/conversations', undefined],
      ['POST', '/api/assistant/conversations', {}],
      ...routesOf(conversationId),
    ]
    for (const [method, path, body] of all) {
      const answer = await site.client().send(method, path, { body, headers })
      assert.deepEqual([answer.status, answer.body.code], [403, 'AGENT_NOT_ALLOWED'], `${method} ${path}`)
    }
    assert.deepEqual((await site.show(site.admin, conversationId)).messages, [])
  })

  test('refuse what is not a message, and store none of it', async () => {
    const conversationId = await site.start(site.editor)
    for (const [bad, key] of [
      [{ text: '   ' }, 'text'],
      [{ text: 'x'.repeat(8_001) }, 'text'],
      [{ clientId: 'one' }, 'clientId'],
      [{ context: { screen: 'entry' } }, 'context.dirty'],
      [{ model: 'another' }, 'model'],
    ] as const) {
      const answer = await site.send(site.editor, conversationId, bad)
      assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], key)
      assert.ok(JSON.stringify(answer.body.details).includes(key.split('.')[0] ?? key), key)
    }
    assert.deepEqual((await site.show(site.editor, conversationId)).messages, [])
  })

  test('never see a secret: it is masked before it is stored, sent to the model, or made a title of', async () => {
    const secret = ['sk', 'proj', 'Zb3kQ9vLr2TnX7wYcE5mHs8D'].join('-')
    say('Please rotate it.')
    const { conversationId } = await site.ask(site.editor, { text: `My key is ${secret}, thanks` })
    const shown = await site.show(site.editor, conversationId)
    assert.deepEqual(
      [shown.messages[0]?.text, shown.messages[0]?.masked],
      [`My key is ${SECRET_REMOVED}, thanks`, true],
    )
    assert.equal(shown.messages[1]?.masked, false)
    await site.editor.client.put(`/api/assistant/conversations/${conversationId}`, { title: `About ${secret}` })
    const [row] = await site.cms.database.db.query<{ text: string }>({
      text: `select string_agg(c::text || m::text, '') as text from assistant_conversation c
        join assistant_message m on m.conversation_id = c.id where c.id = $1`,
      values: [conversationId],
    })
    assert.ok(row?.text.includes(SECRET_REMOVED) && !row.text.includes(secret))
    assert.ok(!JSON.stringify(site.ollama.chats).includes(secret))
    assert.ok(!site.logs.join('').includes(secret))
    const system = site.ollama.chats.at(-1)?.messages[0]?.content ?? ''
    assert.ok(system.includes(SECRET_REMOVED) && system.includes('rotate'))
  })

  test('without a message for as long as the site keeps them are deleted with all they hold; others stay', async () => {
    const person = await site.person('editor')
    say('Old.')
    const old = await site.ask(person, { text: 'Old' })
    site.clock.advance(60 * DAY)
    const fresh = await site.openSession(person.id)
    const again: Person = { ...person, token: fresh.token, client: site.client({ token: fresh.token }) }
    say('Young.')
    const young = await site.ask(again, { text: 'Young' })
    site.clock.advance(31 * DAY)
    await deleteOldConversations(contextFor(site.cms.services, { kind: 'system', name: 'test' }))
    const rows = await site.cms.database.db
      .selectFrom('assistant_conversation')
      .where('account_id', '=', person.id)
      .select('id')
      .execute()
    assert.deepEqual(
      rows.map(({ id }) => id),
      [young.conversationId],
    )
    const messages = await site.cms.database.db
      .selectFrom('assistant_message')
      .where('conversation_id', '=', old.conversationId)
      .select('id')
      .execute()
    assert.deepEqual(messages, [])
    site.clock.advance(-91 * DAY)
  })
})

describe('a message that is sent twice', () => {
  test('is one message: the second follows the running turn, or gets it again from its beginning', async () => {
    const held = Promise.withResolvers<void>()
    site.ollama.model(scriptModel([{ text: ['Hello ', held.promise, 'again.'] }]))
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const first = await site.send(site.editor, conversationId, { clientId })
    await first.until(({ event }) => event === 'text')
    const second = await site.send(site.editor, conversationId, { clientId })
    await second.until(({ event }) => event === 'text')
    held.resolve()
    const [one, two] = await Promise.all([first.all(), second.all()])
    assert.deepEqual(endOf(one), { ...endOf(two), id: endOf(one).id })
    const third = await (await site.send(site.editor, conversationId, { clientId, text: 'Something else' })).all()
    for (const events of [one, two, third])
      assert.equal(events.map(({ data }) => data.delta ?? '').join(''), 'Hello again.')
    assert.equal(endOf(third).data.messageId, endOf(one).data.messageId)
    const { messages } = await site.show(site.editor, conversationId)
    assert.deepEqual(
      messages.map(({ role, text }) => [role, text]),
      [
        ['user', 'Have a look'],
        ['assistant', 'Hello again.'],
      ],
    )
  })

  test('at the same moment is one message and one turn', async () => {
    say('Once.')
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const before = site.ollama.chats.length
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => site.send(site.editor, conversationId, { clientId })),
    )
    const ends = await Promise.all(sent.map(async (one) => endOf(await one.all()).data.messageId))
    assert.equal(new Set(ends).size, 1)
    assert.equal(site.ollama.chats.length, before + 1)
    assert.equal((await site.show(site.editor, conversationId)).messages.length, 2)
  })

  test('another one while the assistant answers is refused, and not stored', async () => {
    const held = Promise.withResolvers<void>()
    site.ollama.model(scriptModel([{ text: ['Wait ', held.promise, 'for me.'] }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    assert.equal((await site.show(site.editor, conversationId)).busy, true)
    const refused = await site.send(site.editor, conversationId)
    assert.deepEqual([refused.status, refused.body.code], [409, 'ASSISTANT_BUSY'])
    held.resolve()
    await running.all()
    const shown = await site.show(site.editor, conversationId)
    assert.deepEqual([shown.busy, shown.messages.length], [false, 2])
  })
})

describe('a reader', () => {
  test('that goes away does not end the turn', async () => {
    const held = Promise.withResolvers<void>()
    site.ollama.model(scriptModel([{ text: ['Still ', held.promise, 'here.'] }]))
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const gone = await site.send(site.editor, conversationId, { clientId })
    await gone.until(({ event }) => event === 'text')
    gone.leave()
    held.resolve()
    const events = await (await site.send(site.editor, conversationId, { clientId })).all()
    assert.equal(endOf(events).data.stop, 'end')
    assert.equal((await site.show(site.editor, conversationId)).messages[1]?.text, 'Still here.')
  })

  test('that stops the turn keeps what was said, and the provider is let go', async () => {
    site.ollama.model(scriptModel([{ text: ['Half of '], fault: 'stall' }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    const stopped = await site.editor.client.post(`/api/assistant/conversations/${conversationId}/stop`)
    assert.equal(stopped.status, 202)
    const end = endOf(await running.all())
    assert.deepEqual([end.event, end.data.stop], ['done', 'stopped'])
    const { busy, messages } = await site.show(site.editor, conversationId)
    assert.deepEqual(
      [busy, messages[1]?.status, messages[1]?.stop, messages[1]?.text],
      [false, 'stopped', 'stopped', 'Half of '],
    )
    assert.equal((await site.editor.client.post(`/api/assistant/conversations/${conversationId}/stop`)).status, 202)
    await until(() => site.ollama.open() === 0, 'the model is let go')
  })

  test('of a conversation that is deleted gets an error, and nothing of it is left', async () => {
    site.ollama.model(scriptModel([{ text: ['Half of '], fault: 'stall' }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    assert.equal((await site.editor.client.delete(`/api/assistant/conversations/${conversationId}`)).status, 204)
    assert.equal(endOf(await running.all()).data.code, 'NOT_FOUND')
  })

  test('gets a ping when it is connected, and answers are not cached or buffered on the way', async () => {
    say('Short.')
    const conversationId = await site.start(site.editor)
    const sent = await site.send(site.editor, conversationId)
    await sent.all()
    assert.ok(sent.raw().startsWith(': ping\n\nevent: start\nid: 1\ndata: {'))
    assert.equal(sent.headers.get('cache-control'), 'no-store')
    assert.equal(sent.headers.get('x-accel-buffering'), 'no')
  })

  test('that does not read holds up neither the turn nor other readers', async () => {
    const words = Array.from({ length: 40 }, () => 'x'.repeat(5_000))
    const held = Promise.withResolvers<void>()
    site.ollama.model(scriptModel([{ text: ['First. ', held.promise, ...words] }]))
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const idle = await openUnread(
      `${site.url}/api/assistant/conversations/${conversationId}/messages`,
      site.editor.token,
      {
        ...message(),
        clientId,
      },
    )
    const reader = await site.send(site.editor, conversationId, { clientId })
    held.resolve()
    assert.equal(endOf(await reader.all()).data.stop, 'end')
    assert.equal((await site.show(site.editor, conversationId)).messages[1]?.text.length, 7 + 200_000)
    idle.destroy()
  })

  test('one person has sixteen streams at once at most', async () => {
    const held = Promise.withResolvers<void>()
    site.ollama.model(() => ({ text: ['Wait ', held.promise, '.'] }))
    const person = await site.person('editor')
    const clientId = randomUUID()
    const conversationId = await site.start(person)
    const all = []
    for (let count = 0; count < 17; count += 1) all.push(await site.send(person, conversationId, { clientId }))
    assert.deepEqual(
      all.map(({ status }) => status),
      [...Array.from({ length: 16 }, () => 200), 429],
    )
    held.resolve()
    for (const one of all.slice(0, 16)) assert.equal(endOf(await one.all()).event, 'done')
    assert.equal((await site.show(person, conversationId)).messages.length, 2)
  })

  test('one person has four turns at once at most', async () => {
    const held = Promise.withResolvers<void>()
    site.ollama.model(() => ({ text: ['Wait ', held.promise, '.'] }))
    const person = await site.person('editor')
    const ids = await Promise.all(Array.from({ length: 5 }, () => site.start(person)))
    const turns = []
    for (const id of ids) turns.push(await site.send(person, id))
    assert.deepEqual(
      turns.map(({ status }) => status),
      [200, 200, 200, 200, 429],
    )
    assert.deepEqual([turns[4]?.body.code, turns[4]?.headers.get('retry-after')], ['RATE_LIMITED', '15'])
    held.resolve()
    await Promise.all(turns.map((turn) => turn.all()))
    say('Now.')
    const [, , , , last = ''] = ids
    assert.equal(endOf(await (await site.send(person, last)).all()).event, 'done')
  })
})
