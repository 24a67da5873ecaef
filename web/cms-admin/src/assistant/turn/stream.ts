import type { MessageInput, TurnEvent } from '@stoa/cms-model/assistant.ts'
import { ProblemError } from '@stoa/ui/problem.ts'
import { RequestError } from '@stoa/ui/request.ts'
import { isSignedOut, readRefusal, sendSignedIn } from '../../api.ts'
import { messagesPath } from '../queries.ts'
import { createEventReader, endsTurn } from './events.ts'

/** `ended`: it came to its end. `lost`: the line ended before that. */
export type Outcome = 'ended' | 'lost'

/**
 * Sends a message and tells the events of its answer as they come; the same message sent again tells the same answer. Throws
 * when the service refuses it.
 */
export const followTurn = async (
  conversationId: string,
  body: MessageInput,
  onEvents: (events: readonly TurnEvent[]) => void,
): Promise<Outcome> => {
  const response = await ask(conversationId, body)
  const reader = response.body?.getReader()
  if (!reader) return 'lost'
  const read = createEventReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const events = read(piece.value)
      if (events.length > 0) onEvents(events)
      if (events.some(endsTurn)) return 'ended'
    }
  } catch (error) {
    // No line any more, or what came is no event: either way the end of the answer is not known here
    console.warn('The line of the assistant was lost', error)
  }
  return 'lost'
}

const ask = async (conversationId: string, body: MessageInput): Promise<Response> => {
  const response = await fetch(messagesPath(conversationId), {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new RequestError(NO_ANSWER, 0, 'no_answer', { cause })
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => undefined)
  const refusal = readRefusal(answer)
  const error = new RequestError(
    refusal ?? { message: `The service refused this (${response.status}).`, fields: [] },
    response.status,
    refusal?.code ?? 'unknown',
    { body: answer },
  )
  // Leads to the sign-in, as any other request does
  if (isSignedOut(error)) await sendSignedIn('GET', '/api/auth/me').catch(() => undefined)
  throw error
}

const NO_ANSWER = new ProblemError(
  'The service does not answer. Check the connection and try again; your text is kept.',
)
