import type { MessageInput, TurnEvent } from '@stoa/cms-model/assistant.ts'
import { postForEvents, readEvents } from '../../event-stream.ts'
import { messagesPath } from '../queries.ts'
import { endsTurn, turnEventOf } from './events.ts'

/** `ended`: it came to its end. `lost`: the line ended before that. */
export type Outcome = 'ended' | 'lost'

/**
 * Sends a message and tells the events of its answer as they come; the same message sent again tells the same answer. Throws
 * when the service refuses it.
 */
export const followTurn = async (
  conversationId: string,
  body: MessageInput,
  onEvent: (event: TurnEvent) => void,
): Promise<Outcome> => {
  const stream = await postForEvents(messagesPath(conversationId), body)
  try {
    for await (const told of readEvents(stream)) {
      const event = turnEventOf(told)
      if (!event) continue
      onEvent(event)
      if (endsTurn(event)) return 'ended'
    }
  } catch (error) {
    // No line any more, or what came is no event: either way the end of the answer is not known here
    console.warn('Lost the connection to the assistant', error)
  }
  return 'lost'
}
