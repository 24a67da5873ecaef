import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { failure, failureOfLine } from './failures.ts'
import { ollamaCall } from './ollama.ts'
import { openAnswer } from './open.ts'
import type { AiPort } from './port.ts'
import { shaped } from './shapes.ts'
import type { Connected } from './types.ts'

const MAX_SHOW_BYTES = 2 ** 20
const shown = z.object({ capabilities: z.array(z.string()).optional() })

/**
 * What a model of an Ollama server can do, without making it do anything: `completion`, `tools`, `vision`. Null when the
 * server is too old to say.
 */
export const ollamaCapabilities = async (
  { ai }: { readonly ai: AiPort },
  connected: Connected,
  signal: AbortSignal,
): Promise<readonly string[] | null> => {
  const call = {
    ...ollamaCall(ai, connected, '/api/show', { model: connected.model } satisfies Json),
    accept: 'application/json',
  }
  const answer = await openAnswer(ai, connected, call, signal)
  const text = await readText(answer.body, signal)
  try {
    return shaped(shown, JSON.parse(text)).capabilities ?? null
  } catch (cause) {
    throw failure('AI_BAD_RESPONSE', { cause })
  }
}

const readText = async (body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_SHOW_BYTES) throw failure('AI_BAD_RESPONSE')
    }
  } catch (error) {
    signal.throwIfAborted()
    throw failureOfLine(error, true)
  }
  return Buffer.concat(chunks).toString('utf8')
}
