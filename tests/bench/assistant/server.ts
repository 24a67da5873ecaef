import http from 'node:http'
import {
  anthropicDelta,
  anthropicEvent,
  anthropicStart,
  anthropicStop,
  anthropicText,
} from '@stoa/tests/lib/fake-anthropic.ts'
import { ollamaDone, ollamaText } from '@stoa/tests/lib/fake-ollama.ts'
import { openAiCreated, openAiEnd, openAiText } from '@stoa/tests/lib/fake-openai.ts'
import { serveBench } from '../harness.ts'

/** Tokens of one answer, each in an event of its own. */
const TOKENS = 5_000
const tokens = Array.from({ length: TOKENS }, (_, n) => `word${n % 10} `)

const SSE = 'text/event-stream'
const ANSWERS: Readonly<Record<string, { type: string; events: readonly string[] }>> = {
  '/v1/messages': {
    type: SSE,
    events: [
      anthropicStart,
      anthropicEvent('ping'),
      ...anthropicText(0, tokens),
      anthropicDelta('end_turn'),
      anthropicStop,
    ],
  },
  '/v1/responses': { type: SSE, events: [openAiCreated, ...openAiText(0, tokens), openAiEnd('completed')] },
  '/api/chat': { type: 'application/x-ndjson', events: [...tokens.map((text) => ollamaText(text)), ollamaDone()] },
}

/** So many events travel together: providers flush every few tokens. */
const TOGETHER = 4

const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    const { type, events } = ANSWERS[request.url ?? ''] ?? { type: 'text/plain', events: [] }
    response.writeHead(200, { 'content-type': type })
    for (let n = 0; n < events.length; n += TOGETHER) response.write(events.slice(n, n + TOGETHER).join(''))
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') serveBench(address.port)
})
