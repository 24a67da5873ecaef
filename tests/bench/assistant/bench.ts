import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AiPort } from '@stoa/cms/assistant/providers/port.ts'
import { openAi } from '@stoa/cms/assistant/providers/port.ts'
import { type Connected, runStep, type StepRequest } from '@stoa/cms/assistant/providers/providers.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { ollamaDone, ollamaText } from '@stoa/tests/lib/fake-ollama.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median, startServer } from '../harness.ts'
import { richTextDiff } from './diff.ts'

const TOKENS = 5_000
const ROUNDS = 7
const MAX_TOKEN_MS = 0.2
const FIRST_TEXTS = 100

const PATHS = { a: '/v1/messages', b: '/v1/responses', local: '/api/chat' } as const

/** What a token costs on its way through a step, beside bare reading of the same bytes, and how soon it is sent on. */
export const run = async (): Promise<void> => {
  const server = await startServer(new URL('./server.ts', import.meta.url))
  const url = `http://127.0.0.1:${server.port}`
  const { ai } = openAi('/admin', { aiHosts: { a: url, b: url } })
  const goals = createGoals()
  try {
    for (const kind of ['a', 'b', 'local'] as const) await cost(goals, { ai, kind, url })
  } finally {
    await server.stop()
  }
  await firstText()
  richTextDiff(goals)
  goals.finish()
}

const connectedTo = (kind: keyof typeof PATHS, url: string): Connected => ({
  kind,
  model: 'bench',
  baseUrl: kind === 'local' ? url : null,
  credential: kind === 'local' ? null : { from: 'key', value: new Secret('key') },
  contextTokens: 32_768,
})

const requestOf = (onText: (delta: string) => void): StepRequest => ({
  system: 'You help.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  maxOutputTokens: 8_192,
  signal: new AbortController().signal,
  onText,
})

const cost = async (
  goals: Goals,
  { ai, kind, url }: { ai: AiPort; kind: keyof typeof PATHS; url: string },
): Promise<void> => {
  const step = async () => {
    let count = 0
    const request = requestOf(() => {
      count += 1
    })
    const { stop } = await runStep({ ai }, connectedTo(kind, url), request)
    if (stop !== 'end' || count !== TOKENS) throw new Error(`${kind}: ${count} tokens came, ${stop}`)
  }
  const bare = async () => {
    const answer = await ai.egress.stream({
      url: `${url}${PATHS[kind]}`,
      method: 'POST',
      body: '{}',
      privateHosts: [new URL(url).host],
    })
    for await (const chunk of answer.body) if (chunk.length === 0) throw new Error('an empty piece')
  }
  await bare()
  await step()
  const rounds: { bare: number; step: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ bare: await cpuMs(bare), step: await cpuMs(step) })
  const perToken = (pick: (one: { bare: number; step: number }) => number) => median(rounds.map(pick)) / TOKENS
  const whole = perToken(({ step: ms }) => ms)
  const read = perToken(({ bare: ms }) => ms)
  goals.check(
    `a token of provider ${kind}: ${whole.toFixed(4)} ms of CPU, of which bare reading is ${read.toFixed(4)} ms`,
    whole,
    MAX_TOKEN_MS,
  )
}

const cpuMs = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** From the write of the first token, in this very process, to its reader. */
const firstText = async (): Promise<void> => {
  let written = 0
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
      setImmediate(() => {
        written = performance.now()
        response.write(ollamaText('first'))
        response.end(ollamaDone())
      })
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { ai } = openAi('/admin', {})
  const times: number[] = []
  for (let n = 0; n < FIRST_TEXTS; n += 1)
    await runStep(
      { ai },
      connectedTo('local', url),
      requestOf(() => void times.push(performance.now() - written)),
    )
  process.stdout.write(`the first text arrives ${(median(times) * 1_000).toFixed(0)} µs after the provider wrote it\n`)
  server.closeAllConnections()
  server.close()
}
