import { z } from 'zod'
import { ollamaCall } from './ollama.ts'
import { openAnswer } from './open.ts'
import type { AiPort } from './port.ts'
import type { Connected } from './terms.ts'

const MAX_SHOW_BYTES = 1_048_576

const shown = z.object({ capabilities: z.array(z.string()) })

/**
 * What a model says that it can do: `tools`, `vision`, `thinking` and so on. Null where the provider does not tell, as
 * hosted ones and old servers do not. https://docs.ollama.com/api/show
 */
export const readCapabilities = async (
  { ai }: { readonly ai: AiPort },
  connected: Connected,
  signal: AbortSignal,
): Promise<readonly string[] | null> => {
  if (connected.kind !== 'local' && connected.kind !== 'cloud') return null
  const call = ollamaCall(ai, connected, '/api/show', { model: connected.model })
  const answer = await openAnswer(ai, connected, { ...call, accept: 'application/json' }, signal)
  const parsed = shown.safeParse(await readJson(answer.body))
  return parsed.success ? parsed.data.capabilities : null
}

const readJson = async (body: ReadableStream<Uint8Array>): Promise<unknown> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_SHOW_BYTES) return undefined
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
