import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { connectOllama, MODEL, type ScriptStep, scriptModel } from '@stoa/tests/lib/fake-ollama.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { finishTurn, saveProgress } from './queries-turn.ts'
import { type AssistantSite, endOf, namesOf, spentBy, startAssistantSite, textOf } from './testing/assistant-site.ts'

let site: AssistantSite
let entry: CmsAnswer['body']
before(async () => {
  site = await startAssistantSite({ aiTimeouts: { retryMs: [] } })
})
after(() => site.close())
beforeEach(async () => {
  entry = await site.add(site.editor.client, { type: 'article', title: 'Old title', data: { summary: 'Short' } })
})

const read = (id: string = entry.id): ScriptStep => ({ calls: [{ name: 'get_entry', args: { id } }] })
const propose = (title: string, id: string = entry.id): ScriptStep => ({
  calls: [{ name: 'propose_entry_update', args: { entryId: id, title, reason: 'You asked for it' } }],
})
const say = (text: string): ScriptStep => ({ text })
const play = (...steps: Parameters<typeof scriptModel>[0]) => site.ollama.model(scriptModel(steps))
const proposalsOf = async (conversationId: string) => (await site.show(site.editor, conversationId)).proposals
describe('a turn', () => {
  test('reads, proposes and sums up; each is sent once, in order, and stored as sent', async () => {
    play({ ...read(), text: ['Let me ', 'look. '] }, propose('New title'), say('I have proposed a new title.'))
    const { conversationId, events } = await site.ask(site.editor, {
      text: 'Give it a better title',
      context: { screen: 'entry', entryId: entry.id, dirty: false },
    })
    assert.deepEqual(namesOf(events), [
      'start',
      'step',
      'text',
      'usage',
      'tool',
      'tool',
      'step',
      'usage',
      'tool',
      'tool',
      'proposal',
      'step',
      'text',
      'usage',
      'done',
    ])
    assert.deepEqual(
      events.map(({ id }) => Number(id)),
      events.map((_, at) => at + 1),
    )
    assert.deepEqual(
      events.filter(({ event }) => event === 'tool').map(({ data }) => `${data.tool} ${data.state}`),
      ['get_entry running', 'get_entry ok', 'propose_entry_update running', 'propose_entry_update ok'],
    )
    const end = endOf(events)
    assert.equal(end.data.stop, 'end')
    const shown = await site.show(site.editor, conversationId)
    assert.deepEqual([shown.title, shown.busy], ['Give it a better title', false])
    const [question, answer] = shown.messages
    assert.deepEqual(
      [question?.role, question?.text, question?.context?.screen],
      ['user', 'Give it a better title', 'entry'],
    )
    assert.ok(answer)
    assert.deepEqual([answer.status, answer.stop, answer.error, answer.model], ['complete', 'end', null, MODEL])
    assert.equal(answer.text, textOf(events))
    assert.deepEqual([answer.tokensIn, answer.tokensOut], [360, 90])
    assert.deepEqual(
      answer.parts.map((part) => part.kind),
      ['text', 'tool', 'tool', 'proposal', 'text'],
    )
    assert.deepEqual(
      shown.proposals.map(({ id, title, status }) => ({ id, title, status })),
      events
        .filter(({ event }) => event === 'proposal')
        .map(({ data }) => ({
          id: data.proposal.id,
          title: data.proposal.title,
          status: 'proposed',
        })),
    )
    assert.deepEqual(end.data.proposals, [shown.proposals[0]?.id])
    assert.deepEqual(JSON.parse(site.ollama.chats.at(-1)?.messages.at(-1)?.content ?? ''), {
      _untrusted: true,
      proposalId: shown.proposals[0]?.id,
      status: 'proposed',
      summary: 'Update “Old title”',
    })
    assert.equal((await site.read(entry.id)).title, 'Old title', 'nothing was changed')
    assert.deepEqual(site.ollama.problems, [])
  })

  test('sends the model who asks and where, the results as data, and earlier messages', async () => {
    play(read(), say('First answer.'))
    const { conversationId } = await site.ask(site.editor, {
      text: 'First question',
      context: { screen: 'entry', entryId: entry.id, dirty: true },
    })
    play(say('Second answer.'))
    await (await site.send(site.editor, conversationId, { text: 'Second question' })).all()
    const [first, , last] = site.ollama.chats.slice(-3)
    const system = first?.messages[0]?.content ?? ''
    for (const words of ['editor', entry.id, 'not saved', '2026-03-01', '_untrusted'])
      assert.ok(system.includes(words), words)
    assert.ok(!system.includes(site.editor.token))
    assert.deepEqual(
      last?.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    )
    const result = last?.messages.find(({ role }) => role === 'tool')?.content ?? ''
    assert.equal(JSON.parse(result)._untrusted, true)
    assert.deepEqual(
      first?.tools,
      [...(first?.tools ?? [])].sort((a, b) => (a.function.name < b.function.name ? -1 : 1)),
    )
    assert.deepEqual(site.ollama.problems, [])
  })

  test('opens a screen for those who read along, not again for those who come back', async () => {
    play({ calls: [{ name: 'open_screen', args: { screen: 'entry', id: entry.id } }] }, say('There you are.'))
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const events = await (await site.send(site.editor, conversationId, { clientId })).all()
    assert.deepEqual(events.find(({ event }) => event === 'navigate')?.data, { screen: 'entry', id: entry.id })
    const again = await (await site.send(site.editor, conversationId, { clientId })).all()
    assert.deepEqual(namesOf(again), ['start', 'tool', 'text', 'done'])
  })

  test('ends after twelve steps', async () => {
    play(...Array.from({ length: 12 }, () => read()))
    const { conversationId, events } = await site.ask(site.editor)
    assert.equal(endOf(events).data.stop, 'max_steps')
    assert.equal(events.filter(({ event }) => event === 'step').length, 12)
    play(say('Where was I?'))
    const next = await (await site.send(site.editor, conversationId)).all()
    assert.equal(endOf(next).data.stop, 'end', 'the conversation goes on')
    assert.deepEqual(site.ollama.problems, [])
  })

  test('runs eight calls a step; the model learns which others were not', async () => {
    const calls = Array.from({ length: 9 }, (_, at) => ({ id: `c${at}`, name: 'get_entry', args: { id: entry.id } }))
    play({ calls }, say('Done.'))
    const { events } = await site.ask(site.editor)
    assert.equal(events.filter(({ event, data }) => event === 'tool' && data.state === 'ok').length, 8)
    assert.match(site.ollama.chats.at(-1)?.messages.at(-1)?.content ?? '', /too_many_calls/)
  })

  test('keeps twenty proposals; the model learns that the limit is reached', async () => {
    const eight = (from: number): ScriptStep => ({
      calls: Array.from({ length: 8 }, (_, at) => ({
        id: `c${at}`,
        name: 'propose_entry_create',
        args: { type: 'article', title: `Number ${from + at}`, data: { summary: 's' }, reason: 'Many' },
      })),
    })
    play(eight(0), eight(8), eight(16), say('Done.'))
    const { conversationId, events } = await site.ask(site.editor)
    assert.equal(endOf(events).data.proposals.length, 20)
    assert.equal((await proposalsOf(conversationId)).length, 20)
    assert.equal(events.filter(({ event, data }) => event === 'tool' && data.state === 'error').length, 4)
    assert.match(site.ollama.chats.at(-1)?.messages.at(-1)?.content ?? '', /too_many_proposals/)
    const ids = events.filter(({ event, data }) => event === 'tool' && data.state === 'running')
    assert.equal(new Set(ids.map(({ data }) => data.callId)).size, 24, 'call IDs are unique in the whole turn')
  })

  test('a small model is offered what reads, and of what proposes only what the open screen is about', async () => {
    await connectOllama(site.admin.client, site.ollama, { compactTools: true })
    const offered = async (screen: string): Promise<string[]> => {
      let names: readonly string[] = []
      play((_, tools) => {
        names = tools
        return say('Yes.')
      })
      await site.ask(site.admin, { context: { screen, dirty: false } })
      return names.filter((name) => name.startsWith('propose_'))
    }
    const [menus, entries] = [await offered('menus'), await offered('somewhere')]
    await connectOllama(site.admin.client, site.ollama, { compactTools: false })
    assert.deepEqual(menus, ['propose_menu_create', 'propose_menu_delete', 'propose_menu_update'])
    assert.ok(entries.length === 7 && entries.every((name) => /entry|revision/.test(name)))
    assert.ok((await offered('menus')).length > 20)
  })

  test('the version that the model has read counts in later turns: a proposal made after a change by hand is stale', async () => {
    play(read(), say('Read.'))
    const { conversationId } = await site.ask(site.editor)
    await site.editor.client.put(`/api/entries/${entry.id}`, { title: 'Changed by hand' })
    play(propose('New title'), say('Hm.'))
    await (await site.send(site.editor, conversationId)).all()
    const [proposal] = await proposalsOf(conversationId)
    assert.deepEqual([proposal?.base.version, proposal?.stale], [entry.version, true])
  })

  test('a model that cannot stop talking is cut at what it may say', async () => {
    play({ text: 'As long as it may', isCutShort: true })
    const { conversationId, events } = await site.ask(site.editor)
    assert.equal(endOf(events).data.stop, 'length')
    assert.equal((await site.show(site.editor, conversationId)).messages[1]?.status, 'complete')
    assert.equal(site.ollama.chats.at(-1)?.options.num_predict, 4_096)
  })
})

describe('a stream that breaks', () => {
  for (const fault of ['end', 'cut', 'stall', 'error'] as const)
    test(`by ${fault}: no call of that step is run, what was proposed before stays, and the error is stored`, async () => {
      const { timeouts } = site.cms.services.ai
      const { idleMs } = timeouts
      const first = () => {
        // Only the step that stalls loses patience: others may be slow on a busy machine.
        if (fault === 'stall') Object.assign(timeouts, { idleMs: 2_000 })
        return { ...propose('Kept'), text: 'One. ' }
      }
      play(first, { ...propose('Lost'), text: 'Two', fault })
      const { conversationId, events } = await site.ask(site.editor)
      Object.assign(timeouts, { idleMs })
      const end = endOf(events)
      assert.equal(end.event, 'error')
      const expected = {
        end: 'AI_STREAM_INTERRUPTED',
        cut: 'AI_STREAM_INTERRUPTED',
        stall: 'AI_TIMEOUT',
        error: 'AI_PROVIDER_ERROR',
      }
      assert.equal(end.data.code, expected[fault])
      const shown = await site.show(site.editor, conversationId)
      assert.deepEqual(
        shown.proposals.map(({ changes }) => changes[0]?.after),
        ['Kept'],
      )
      const answer = shown.messages[1]
      assert.deepEqual([answer?.status, answer?.text, answer?.error?.code], ['failed', 'One. Two', end.data.code])
      assert.equal(answer?.parts.filter(({ kind }) => kind === 'tool').length, 1)
      play(say('Again.'))
      const next = await (await site.send(site.editor, conversationId, { text: 'Go on' })).all()
      assert.equal(endOf(next).event, 'done')
      const sent =
        site.ollama.chats
          .at(-1)
          ?.messages.map(({ content }) => content)
          .join('\n') ?? ''
      assert.ok(sent.includes('Two\n[The answer was interrupted.]') && !sent.includes('Lost'))
      assert.deepEqual(site.ollama.problems, [])
    })

  test('a refusal before the stream of the provider is an error of the turn, and costs nothing', async () => {
    const before = await spentBy(site, site.viewer.id)
    site.ollama.wire(() => ({
      status: 401,
      pieces: ['{"error":"unauthorized"}'],
      headers: { 'content-type': 'application/json' },
    }))
    const { events } = await site.ask(site.viewer)
    site.ollama.wire(null)
    assert.equal(endOf(events).data.code, 'AI_AUTH')
    assert.equal(await spentBy(site, site.viewer.id), before)
  })

  test('a provider that floods is let go, and what is stored of it is bounded', async () => {
    site.ollama.wire(() => ({
      headers: { 'content-type': 'application/x-ndjson' },
      pieces: [
        `${JSON.stringify({ model: MODEL, message: { role: 'assistant', content: 'x'.repeat(4_000) }, done: false })}\n`,
      ],
      ending: { flood: 50 * 2 ** 20 },
    }))
    const { conversationId, events } = await site.ask(site.editor)
    site.ollama.wire(null)
    assert.equal(endOf(events).data.code, 'AI_BAD_RESPONSE')
    assert.ok(((await site.show(site.editor, conversationId)).messages[1]?.text.length ?? 0) < 500_000)
    await until(async () => site.ollama.open() === 0)
  })

  test('calls that are far larger than any answer may be are not run', async () => {
    const reason = 'x'.repeat(450_000)
    play({ calls: [{ name: 'propose_entry_update', args: { entryId: entry.id, title: 'New', reason } }] })
    const { conversationId, events } = await site.ask(site.editor)
    assert.equal(endOf(events).data.code, 'AI_BAD_RESPONSE')
    assert.deepEqual((await site.show(site.editor, conversationId)).messages[1]?.parts, [])
  })

  test('text with what PostgreSQL cannot hold is kept without it', async () => {
    play(
      { text: ['a\0b \ud83d', '\ude00 \ud800c'], calls: [{ name: 'get_entry', args: { id: 'x\0\udc00' } }] },
      say('Fine.'),
    )
    const { conversationId, events } = await site.ask(site.editor)
    assert.equal(endOf(events).event, 'done')
    assert.equal((await site.show(site.editor, conversationId)).messages[1]?.text, 'ab 😀 \ufffdcFine.')
  })
})

test('a turn that another process holds is neither saved nor ended by this one', async () => {
  play(say('Done.'))
  const { conversationId } = await site.ask(site.editor, { text: 'Say something' })
  const answer = (await site.show(site.editor, conversationId)).messages.at(-1) ?? assert.fail('no answer')
  const { tx } = site.cms.database
  const [theirs, ours] = [newId(), newId()]
  await tx((opened) =>
    opened.query({
      text: `update assistant_conversation set turn_message_id = $2, turn_boot_id = $3, turn_lease_until = now() + interval '1 hour'
        where id = $1`,
      values: [conversationId, answer.id, theirs],
    }),
  )
  const late = { messageId: answer.id, bootId: ours, parts: '[]', text: 'late' }
  const ended = { status: 'complete', stop: 'end', error: null } as const
  assert.equal(await tx((opened) => saveProgress(opened, late)), null)
  assert.equal(await tx((opened) => finishTurn(opened, { ...late, ...ended })), false)
  const text = 'select text from assistant_message where id = $1'
  assert.deepEqual(await site.cms.database.db.query({ text, values: [answer.id] }), [{ text: answer.text }])
  assert.deepEqual(await tx((opened) => saveProgress(opened, { ...late, bootId: theirs })), { isStopWanted: false })
  assert.equal(await tx((opened) => finishTurn(opened, { ...late, ...ended, bootId: theirs })), true)
})

describe('without a provider', () => {
  test('a message is refused with 503 and none is stored; an answered one is still replayed', async () => {
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    play(say('Here.'))
    await (await site.send(site.editor, conversationId, { clientId })).all()
    assert.equal((await site.admin.client.delete('/api/ai')).status, 204)
    const refused = await site.send(site.editor, conversationId)
    const again = await (await site.send(site.editor, conversationId, { clientId })).all()
    await connectOllama(site.admin.client, site.ollama)
    assert.deepEqual([refused.status, refused.body.code], [503, 'AI_NOT_CONNECTED'])
    assert.deepEqual([namesOf(again), textOf(again)], [['start', 'text', 'done'], 'Here.'])
    assert.equal((await site.show(site.editor, conversationId)).messages.length, 2)
    assert.deepEqual(await proposalsOf(conversationId), [])
  })
})
