import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Waits until the peer has read what was written, or has gone; throws when neither happens in time. */
export const drained = async (socket: Socket, ms: number): Promise<void> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ms)])
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  } finally {
    // Removes the listeners of the other outcomes: otherwise one would be left for each wait.
    over.abort()
  }
}
