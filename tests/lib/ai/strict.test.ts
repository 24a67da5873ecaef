import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANTHROPIC_KEY, startFakeAnthropic } from '../fake-anthropic.ts'
import { MODEL, startFakeOllama } from '../fake-ollama.ts'
import { OPENAI_KEY, startFakeOpenAi } from '../fake-openai.ts'
import type { FakeProvider } from './fake-provider.ts'
import { scriptModel } from './script-model.ts'

type Body = Record<string, unknown>

const post = async (url: string, body: Body, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

/** The good body is answered; each change of it is refused, and written down. */
const check = async (
  fake: FakeProvider & { model(model: ReturnType<typeof scriptModel>): void },
  {
    path,
    headers,
    good,
    wrong,
  }: { path: string; headers: Record<string, string>; good: Body; wrong: Record<string, Body> },
) => {
  fake.model(scriptModel([{ text: 'yes' }]))
  assert.equal((await post(fake.url + path, good, headers)).status, 200)
  assert.deepEqual(fake.problems, [])
  for (const [name, changes] of Object.entries(wrong)) {
    const answer = await post(fake.url + path, { ...good, ...changes }, headers)
    assert.equal(answer.status, 400, name)
    assert.equal(fake.problems.splice(0).length, 1, name)
  }
  await fake.close()
}

const user = { role: 'user', content: 'Hi' }

describe('the fakes of providers refuse what the real ones misunderstand or refuse', () => {
  test('Ollama', async () => {
    const call = { id: 'c1', function: { name: 'list', arguments: {} } }
    const asked = [user, { role: 'assistant', content: '', tool_calls: [call] }]
    const result = { role: 'tool', tool_name: 'list', tool_call_id: 'c1', content: '{}' }
    await check(await startFakeOllama(), {
      path: '/api/chat',
      headers: {},
      good: {
        model: MODEL,
        messages: [...asked, result],
        stream: true,
        options: { num_ctx: 8_192, num_predict: 100 },
        truncate: false,
        shift: false,
      },
      wrong: {
        'sampling parameters': { options: { num_ctx: 8_192, num_predict: 100, temperature: 0 } },
        'no window': { options: { num_predict: 100 } },
        'silent cutting': { truncate: true },
        'no result': { messages: asked },
        'a result of nothing': { messages: [user, result] },
        'a result without a name': { messages: [...asked, { ...result, tool_name: undefined }] },
        'text between call and result': { messages: [...asked, user, result] },
      },
    })
  })

  test('Anthropic', async () => {
    const text = (role: string) => ({ role, content: [{ type: 'text', text: 'Hi' }] })
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'list', input: {} }] }
    const result = { type: 'tool_result', tool_use_id: 'c1', content: '{}' }
    await check(await startFakeAnthropic(), {
      path: '/v1/messages',
      headers: { 'x-api-key': ANTHROPIC_KEY, 'anthropic-version': '2023-06-01' },
      good: {
        model: 'm',
        max_tokens: 10,
        stream: true,
        messages: [text('user'), call, { role: 'user', content: [result] }],
      },
      wrong: {
        'sampling parameters': { temperature: 0 },
        'no limit': { max_tokens: undefined },
        'no result': { messages: [text('user'), call, text('user')] },
        'a result too late': {
          messages: [text('user'), call, { role: 'user', content: [...text('user').content, result] }],
        },
        'a result in two messages': {
          messages: [text('user'), call, { role: 'user', content: [result] }, { role: 'user', content: [result] }],
        },
        'an empty text': { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] },
        'the assistant last': { messages: [text('user'), text('assistant')] },
      },
    })
    const fake = await startFakeAnthropic()
    const body = { model: 'm', max_tokens: 10, stream: true, messages: [text('user')] }
    assert.equal((await post(`${fake.url}/v1/messages`, body, { 'x-api-key': ANTHROPIC_KEY })).status, 400)
    assert.equal((await post(`${fake.url}/v1/messages`, body, { 'anthropic-version': '2023-06-01' })).status, 401)
    await fake.close()
  })

  test('OpenAI', async () => {
    const asked = { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }
    const call = { type: 'function_call', call_id: 'c1', name: 'list', arguments: '{}' }
    const result = { type: 'function_call_output', call_id: 'c1', output: '{}' }
    await check(await startFakeOpenAi(), {
      path: '/v1/responses',
      headers: { authorization: `Bearer ${OPENAI_KEY}` },
      good: { model: 'm', max_output_tokens: 100, stream: true, store: false, input: [asked, call, result] },
      wrong: {
        'sampling parameters': { top_p: 1 },
        'stored answers': { store: true },
        'no result': { input: [asked, call] },
        'a result of nothing': { input: [asked, result] },
        'text between call and result': { input: [asked, call, asked, result] },
        'reasoning without its content': {
          input: [asked, { type: 'reasoning', id: 'rs_1', summary: [] }, call, result],
        },
        'reasoning of a model that has none': { model: 'gpt-4.1', include: ['reasoning.encrypted_content'] },
      },
    })
  })
})
