import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { scriptModel } from '@stoa/tests/lib/fake-ollama.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type AssistantSite, endOf, namesOf, startAssistantSite, textOf } from './testing/assistant-site.ts'

let site: AssistantSite
let other: CmsService
before(async () => {
  site = await startAssistantSite()
  other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
  await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
})
after(async () => {
  await other.close()
  await site.close()
})

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

describe('two processes on one database', () => {
  test('the same message at the other process follows the turn that runs here, and is no second one', async () => {
    const entry = await site.add(site.editor.client, { type: 'article', title: 'Old', data: { summary: 's' } })
    const held = Promise.withResolvers<void>()
    site.ollama.model(
      scriptModel([
        { calls: [{ name: 'propose_entry_update', args: { entryId: entry.id, title: 'New', reason: 'Asked' } }] },
        { text: ['Hello ', held.promise, 'from afar.'] },
      ]),
    )
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const here = await site.send(site.editor, conversationId, { clientId })
    const there = await site.send(site.editor, conversationId, { clientId }, other)
    assert.equal(there.status, 200)
    await there.until(({ event, data }) => event === 'text' && data.delta === 'Hello ')
    const busy = await site.send(site.editor, conversationId, {}, other)
    assert.deepEqual([busy.status, busy.body.code], [409, 'ASSISTANT_BUSY'])
    held.resolve()
    const [own, foreign] = await Promise.all([here.all(), there.all()])
    assert.equal(textOf(foreign), textOf(own))
    assert.deepEqual(
      namesOf(foreign).filter((name) => name !== 'tool'),
      ['start', 'proposal', 'text', 'done'],
    )
    assert.deepEqual(endOf(foreign).data, endOf(own).data)
    assert.equal((await site.show(site.editor, conversationId)).messages.length, 2)
  })

  test('sent to both at the same moment it is answered once', async () => {
    site.ollama.model(scriptModel([{ text: 'Once.' }]))
    const before = site.ollama.chats.length
    const clientId = randomUUID()
    const conversationId = await site.start(site.editor)
    const sent = await Promise.all(
      [site, other, site, other].map((at) => site.send(site.editor, conversationId, { clientId }, at)),
    )
    const ends = await Promise.all(sent.map(async (one) => endOf(await one.all()).data))
    for (const end of ends) assert.deepEqual(end, ends[0])
    assert.equal(site.ollama.chats.length, before + 1)
  })

  test('Stop at the other process ends the turn here', async () => {
    site.ollama.model(scriptModel([{ text: ['Half of '], fault: 'stall' }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    const client = other.client({ token: site.editor.token })
    assert.equal((await client.post(`/api/assistant/conversations/${conversationId}/stop`)).status, 202)
    assert.equal(endOf(await running.all()).data.stop, 'stopped')
    assert.equal((await site.show(site.editor, conversationId)).messages[1]?.text, 'Half of ')
  })

  test('a Stop whose notification was lost is found in the row', async () => {
    site.ollama.model(scriptModel([{ text: ['Half of '], fault: 'stall' }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    await site.cms.database.tx((tx) =>
      tx
        .updateTable('assistant_conversation')
        .set({ turn_stop_at: site.clock.now() })
        .where('id', '=', conversationId)
        .execute(),
    )
    assert.equal(endOf(await running.all()).data.stop, 'stopped')
  })

  test('a turn whose lease ended is given up, here and there, and proposes nothing any more', async () => {
    const entry = await site.add(site.editor.client, { type: 'article', title: 'Old', data: { summary: 's' } })
    const held = Promise.withResolvers<void>()
    site.ollama.model(
      scriptModel([
        {
          text: ['Half of ', held.promise],
          calls: [{ name: 'propose_entry_update', args: { entryId: entry.id, title: 'New', reason: 'Asked' } }],
        },
      ]),
    )
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId)
    await running.until(({ event }) => event === 'text')
    const client = other.client({ token: site.editor.token })
    // The holder renews it from time to time: the reader must come between.
    const shown = await until(async () => {
      await site.cms.database.tx((tx) =>
        tx
          .updateTable('assistant_conversation')
          .set({ turn_lease_until: new Date(0) })
          .where('id', '=', conversationId)
          .execute(),
      )
      const { body } = await client.get(`/api/assistant/conversations/${conversationId}`)
      return body.messages[1].status === 'failed' && body
    })
    assert.deepEqual([shown.busy, shown.messages[1].error.code], [false, 'AI_STREAM_INTERRUPTED'])
    held.resolve()
    assert.equal(endOf(await running.all()).data.code, 'AI_STREAM_INTERRUPTED')
    assert.deepEqual((await site.show(site.editor, conversationId)).proposals, [])
    site.ollama.model(scriptModel([{ text: 'Free again.' }]))
    assert.equal(endOf(await (await site.send(site.editor, conversationId, {}, other)).all()).event, 'done')
  })

  test('a process that stops ends its turns, stores that, and notifies their readers', async () => {
    const leaving = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    site.ollama.model(scriptModel([{ text: ['Half of '], fault: 'stall' }]))
    const conversationId = await site.start(site.editor)
    const running = await site.send(site.editor, conversationId, {}, leaving)
    await running.until(({ event }) => event === 'text')
    await leaving.close()
    assert.equal(endOf(await running.all()).data.code, 'AI_STREAM_INTERRUPTED')
    const [, answer] = (await site.show(site.editor, conversationId)).messages
    assert.deepEqual([answer?.status, answer?.text], ['failed', 'Half of '])
  })
})

describe('a process that is killed', () => {
  const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

  test('leaves a turn that the next reader finds failed, with what was said; the conversation is free', async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...bareEnvironment(),
        HOST: '127.0.0.1',
        PORT: String(port),
        NODE_ENV: 'test',
        SECRET: 'a secret of the tests, long enough for anyone',
        CMS_DATABASE_URL: site.databaseUrl,
      },
      stdio: 'ignore',
    })
    const ended = once(child, 'close')
    opened.push({
      close: async () => {
        child.kill('SIGKILL')
        await ended
      },
    })
    const url = `http://127.0.0.1:${port}`
    await until(async () => {
      assert.equal(child.exitCode, null, 'it ended')
      return (await fetch(`${url}/readyz`).catch(() => null))?.ok
    }, 'it is ready')
    // Its clock is the real one.
    site.clock.set(new Date())
    const session = await site.openSession(site.editor.id)
    const person = { ...site.editor, token: session.token, client: site.client({ token: session.token }) }
    site.ollama.model(scriptModel([{ text: ['Half of the '], fault: 'stall' }]))
    const conversationId = await site.start(person)
    const clientId = randomUUID()
    const running = await site.send(person, conversationId, { clientId }, { ...other, url })
    assert.equal(running.status, 200, JSON.stringify(running.body))
    await running.until(({ event }) => event === 'text')
    await until(async () => (await site.show(person, conversationId)).messages[1]?.text === 'Half of the ')
    child.kill('SIGKILL')
    await ended
    const events = await running.all()
    assert.ok(!events.some(({ event }) => event === 'done' || event === 'error'), 'its line was cut')
    const shown = await until(async () => {
      const found = await site.show(person, conversationId)
      return found.messages[1]?.status === 'failed' && found
    })
    assert.deepEqual([shown.busy, shown.messages[1]?.text], [false, 'Half of the '])
    assert.deepEqual(
      [shown.messages[1]?.error?.code, shown.messages[1]?.error?.retryable],
      ['AI_STREAM_INTERRUPTED', true],
    )
    const again = await (await site.send(person, conversationId, { clientId })).all()
    assert.deepEqual(namesOf(again), ['start', 'text', 'error'])
    site.ollama.model(scriptModel([{ text: 'Free again.' }]))
    assert.equal(endOf(await (await site.send(person, conversationId)).all()).event, 'done')
  })
})
