import assert from 'node:assert/strict'
import { openAi } from '../port.ts'
import { type Connected, ProviderError, runStep, type StepRequest, type StepResult } from '../providers.ts'

/** Attempts follow each other at once. */
export const QUICK = { retryMs: [1, 1] }
/** For providers that say nothing any more. */
export const IMPATIENT = { ...QUICK, firstByteMs: 300, localFirstByteMs: 300, idleMs: 300 }

export const TOOLS: StepRequest['tools'] = [
  {
    name: 'list_entries',
    description: 'Lists entries.',
    inputSchema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
  },
]

export type Tried = { texts: string[]; result?: StepResult; error?: unknown }

/** Runs one step and returns its events and its outcome. */
export const trier =
  (connected: Connected, { ai } = openAi('/admin', { aiTimeouts: QUICK })) =>
  async (changes: Partial<StepRequest> = {}): Promise<Tried> => {
    const texts: string[] = []
    const request: StepRequest = {
      system: 'You help.',
      messages: [{ role: 'user', text: 'Hello' }],
      tools: TOOLS,
      maxOutputTokens: 256,
      signal: new AbortController().signal,
      onText: (delta) => void texts.push(delta),
      ...changes,
    }
    try {
      return { texts, result: await runStep({ ai }, connected, request) }
    } catch (error) {
      return { texts, error }
    }
  }

/** It failed with this code, and gave nothing out. */
export const assertFailed = (tried: Tried, code: string, note = ''): ProviderError => {
  const { error, result } = tried
  assert.equal(result, undefined, `${note}: it succeeded`)
  assert.ok(error instanceof ProviderError, `${note}: ${error instanceof Error ? error.stack : String(error)}`)
  assert.equal(error.code, code, note)
  return error
}
