import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Waits until the peer has read what was written, or has gone; throws when neither happens in time. */
export const drained = async (socket: Socket, ms: number): Promise<void> => {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ms)])
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  } finally {
    // What did not happen is not waited for any longer: one listener for each wait would be left.
    over.abort()
  }
}
