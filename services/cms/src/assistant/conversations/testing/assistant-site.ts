import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type ConversationDetail, type TurnEvents, turnEvents } from '@stoa/cms-model/assistant.ts'
import type { CmsOptions, CmsService, Person } from '@stoa/tests/lib/cms.ts'
import { connectOllama, type FakeOllama, startFakeOllama } from '@stoa/tests/lib/fake-ollama.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Site, startSite } from '../../../content/entries/testing/site.ts'

/** An event of a turn as a browser gets it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every name
export type ReceivedEvent = { event: keyof TurnEvents; id: string; data: any }

/** The answer to a message. Before the stream: status and JSON. */
export type Following = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
  /** Everything that came until now. */
  readonly events: ReceivedEvent[]
  /** Every byte that came until now. */
  raw(): string
  /** Waits until an event came that fits. */
  until(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Waits for the end of the stream. */
  all(): Promise<ReceivedEvent[]>
  /** The reader goes away. */
  leave(): void
}

export type AssistantSite = Site & {
  ollama: FakeOllama
  start(person: Person, at?: CmsService): Promise<string>
  /** Sends a message; comes back as soon as the answer begins. */
  send(person: Person, conversationId: string, message?: object, at?: CmsService): Promise<Following>
  /** Sends a message in a conversation of its own, and waits for the whole turn. */
  ask(person: Person, message?: object): Promise<{ conversationId: string; events: ReceivedEvent[] }>
  show(person: Person, conversationId: string): Promise<ConversationDetail>
  close(): Promise<void>
}

/** A site that is connected to a model which follows a test's script. */
export const startAssistantSite = async (options: CmsOptions = {}, connection: object = {}): Promise<AssistantSite> => {
  const ollama = await startFakeOllama()
  const site = await startSite(options)
  await connectOllama(site.admin.client, ollama, { ...connection })
  const start: AssistantSite['start'] = async (person, at = site) => {
    const made = await at.client({ token: person.token }).post('/api/assistant/conversations', {})
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const send: AssistantSite['send'] = (person, conversationId, message = {}, at = site) =>
    follow(`${at.url}/api/assistant/conversations/${conversationId}/messages`, person.token, {
      text: 'Have a look',
      clientId: randomUUID(),
      ...message,
    })
  return {
    ...site,
    ollama,
    start,
    send,
    async ask(person, message = {}) {
      const conversationId = await start(person)
      const following = await send(person, conversationId, message)
      assert.equal(following.status, 200, JSON.stringify(following.body))
      return { conversationId, events: await following.all() }
    },
    async show({ client }, conversationId) {
      const answer = await client.get(`/api/assistant/conversations/${conversationId}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    async close() {
      await site.close()
      await ollama.close()
    },
  }
}

const follow = async (url: string, token: string, message: object): Promise<Following> => {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(message),
    signal: leaving.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const events: ReceivedEvent[] = []
  let text = ''
  let isOver = !isStream
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true })
      text += piece
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) if (!block.startsWith(':')) events.push(parseEvent(block))
    }
  }
  const over = isStream
    ? read()
        .catch(() => undefined)
        .finally(() => {
          isOver = true
        })
    : Promise.resolve()
  return {
    status: response.status,
    headers: response.headers,
    body: isStream ? undefined : await response.json(),
    events,
    raw: () => text,
    async until(fits) {
      const description = () => `it comes; there were ${events.map(({ event }) => event).join(', ')}`
      await until(() => events.some(fits) || isOver, description)
      return events.find(fits) ?? assert.fail(description())
    },
    async all() {
      await over
      return events
    },
    leave: () => leaving.abort(),
  }
}

/** Each event has a name, a number and data as the model package describes them. */
const parseEvent = (block: string): ReceivedEvent => {
  const [, event = '', id = '', data = ''] = /^event: (\w+)\nid: (\d+)\ndata: (.*)$/.exec(block) ?? []
  assert.ok(event in turnEvents, `not an event: ${block}`)
  const name = event as keyof TurnEvents
  return { event: name, id, data: turnEvents[name].parse(JSON.parse(data)) }
}

/** Names of events, runs of text as one. */
export const namesOf = (events: readonly ReceivedEvent[]): string[] =>
  events.map(({ event }) => event).filter((name, at, all) => name !== 'text' || all[at - 1] !== 'text')

export const textOf = (events: readonly ReceivedEvent[]): string =>
  events
    .filter(({ event }) => event === 'text')
    .map(({ data }) => data.delta)
    .join('')

export const endOf = (events: readonly ReceivedEvent[]): ReceivedEvent => {
  const ends = events.filter(({ event }) => event === 'done' || event === 'error')
  assert.equal(ends.length, 1, 'exactly one of done and error')
  const [end] = ends
  assert.ok(end && end === events.at(-1), 'it is the last event')
  return end
}

/** Tokens of a person, today, those that are set aside among them. */
export const spentBy = async ({ cms }: Pick<CmsService, 'cms'>, accountId: string): Promise<number> => {
  const rows = await cms.database.db
    .selectFrom('ai_usage')
    .where('account_id', '=', accountId)
    .select(['tokens_in', 'tokens_out'])
    .execute()
  return rows.reduce((sum, row) => sum + row.tokens_in + row.tokens_out, 0)
}
