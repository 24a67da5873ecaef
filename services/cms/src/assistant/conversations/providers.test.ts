import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ANTHROPIC_KEY, type FakeAnthropic, startFakeAnthropic } from '@stoa/tests/lib/fake-anthropic.ts'
import { connectOllama, type FakeOllama, MODEL, scriptModel, startFakeOllama } from '@stoa/tests/lib/fake-ollama.ts'
import { type FakeOpenAi, OPENAI_KEY, startFakeOpenAi } from '@stoa/tests/lib/fake-openai.ts'
import { type AssistantSite, endOf, startAssistantSite, textOf } from './testing/assistant-site.ts'

const CLOUD_KEY = 'a key of the tests for the cloud'

let site: AssistantSite
let anthropic: FakeAnthropic
let openAi: FakeOpenAi
let cloud: FakeOllama
before(async () => {
  anthropic = await startFakeAnthropic()
  openAi = await startFakeOpenAi()
  cloud = await startFakeOllama({ apiKey: CLOUD_KEY })
  site = await startAssistantSite({ aiHosts: { a: anthropic.url, b: openAi.url, cloud: cloud.url } })
})
after(async () => {
  await site.close()
  for (const server of [anthropic, openAi, cloud]) await server.close()
})

const kinds = {
  a: () => ({ fake: anthropic, connection: { kind: 'a', model: 'claude-test', apiKey: ANTHROPIC_KEY } }),
  b: () => ({ fake: openAi, connection: { kind: 'b', model: 'gpt-test', apiKey: OPENAI_KEY } }),
  cloud: () => ({ fake: cloud, connection: { kind: 'cloud', model: MODEL, apiKey: CLOUD_KEY } }),
  local: () => ({ fake: site.ollama, connection: { kind: 'local', model: MODEL, baseUrl: site.ollama.url } }),
}

const connect = async (kind: keyof typeof kinds) => {
  const { fake, connection } = kinds[kind]()
  const answer = await site.admin.client.put('/api/ai', connection)
  assert.equal(answer.status, 200, answer.text)
  return fake
}

const converse = async (kind: keyof typeof kinds, conversationId: string, entryId: string) => {
  const fake = await connect(kind)
  const title = `Title of ${kind}`
  fake.model(
    scriptModel([
      { text: 'Looking. ', calls: [{ name: 'get_entry', args: { id: entryId } }] },
      { calls: [{ name: 'propose_entry_update', args: { entryId, title, reason: 'Asked' } }] },
      { text: `Proposed by ${kind}.` },
    ]),
  )
  const events = await (await site.send(site.editor, conversationId)).all()
  assert.deepEqual(fake.problems, [])
  assert.equal(endOf(events).event, 'done', JSON.stringify(endOf(events)))
  assert.equal(textOf(events), `Looking. Proposed by ${kind}.`)
  assert.equal(endOf(events).data.proposals.length, 1)
}

describe('a conversation', () => {
  for (const kind of ['a', 'b', 'cloud', 'local'] as const)
    test(`with ${kind} reads and proposes, and the next turn includes what the last one did`, async () => {
      const entry = await site.add(site.editor.client, { type: 'article', title: 'Old', data: { summary: 's' } })
      const conversationId = await site.start(site.editor)
      await converse(kind, conversationId, entry.id)
      await converse(kind, conversationId, entry.id)
      const { messages, proposals } = await site.show(site.editor, conversationId)
      assert.equal(messages.length, 4)
      assert.deepEqual(
        proposals.map(({ status }) => status),
        ['superseded', 'proposed'],
      )
    })

  test('goes on when the site changes its provider, from any to any', async () => {
    const entry = await site.add(site.editor.client, { type: 'article', title: 'Old', data: { summary: 's' } })
    const conversationId = await site.start(site.editor)
    for (const kind of ['a', 'b', 'local', 'a', 'cloud', 'b'] as const) await converse(kind, conversationId, entry.id)
    await connectOllama(site.admin.client, site.ollama)
    const { messages } = await site.show(site.editor, conversationId)
    assert.deepEqual(
      messages.filter(({ role }) => role === 'assistant').map(({ model, status }) => `${model} ${status}`),
      ['claude-test', 'gpt-test', MODEL, 'claude-test', MODEL, 'gpt-test'].map((model) => `${model} complete`),
    )
  })

  test('holds answers without a word, broken and stopped ones, and every provider takes them', async () => {
    const conversationId = await site.start(site.editor)
    for (const kind of ['a', 'b', 'local'] as const) {
      const fake = await connect(kind)
      for (const step of [
        { text: ' \n' },
        { text: '' },
        { text: 'Half', fault: 'end' },
        { text: ' ', fault: 'cut' },
      ] as const) {
        fake.model(scriptModel([step]))
        await (await site.send(site.editor, conversationId)).all()
      }
    }
    for (const kind of ['a', 'b', 'cloud', 'local'] as const) {
      const fake = await connect(kind)
      fake.model(scriptModel([{ text: 'Still here.' }]))
      const events = await (await site.send(site.editor, conversationId)).all()
      assert.deepEqual([fake.problems, textOf(events)], [[], 'Still here.'])
    }
  })
})
