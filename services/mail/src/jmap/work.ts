/**
 * Bytes of messages that one request may have taken apart or put together. Each ten of them hold everybody up for some
 * tenths of a second, and a request names hundreds of messages in a few lines.
 */
const MAX_WORK_BYTES = 256_000_000

/** The request asks for more work than one may: `requestTooLarge` of a method, `rateLimit` of an object of a /set. */
export class TooMuchWork extends Error {
  constructor() {
    super('Large messages are asked for too often in one request. Send the rest in further ones.')
    this.name = 'TooMuchWork'
  }
}

/** Takes so many bytes from what the request may spend, or throws TooMuchWork. */
export type Spend = (bytes: number) => void

export const createSpend = (): Spend => {
  let left = MAX_WORK_BYTES
  return (bytes) => {
    left -= bytes
    if (left < 0) throw new TooMuchWork()
  }
}
