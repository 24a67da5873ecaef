import type { Socket } from 'node:net'

/** Slow-client limits in milliseconds. */
export type Timeouts = {
  /** Until the headers of a request are complete. */
  headers: number
  /** Until a whole request is complete; uploads need the longer one. */
  request: number
  /** Until a JSON body of up to 1 MiB is complete; a larger limit gets more. */
  body: number
  /** A peer that does not take the answer. It is twice as long if it took a part: Node looks once for so long whether it goes on. */
  stall: number
  /** A connection on which nothing moves while a file is sent or received. */
  silence: number
  /** Between two requests. */
  keepAlive: number
  /** Until `ready` must have answered. */
  ready: number
  /** The interval at which the first two are checked. */
  check: number
}

export const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 300_000,
  body: 20_000,
  stall: 12_000,
  silence: 60_000,
  keepAlive: 65_000,
  ready: 3_000,
  check: 5_000,
}

/** Cuts the connection when nothing moves on it for so long. A request that a host hands over has no connection of its own. */
export const endSilence = (socket: Partial<Pick<Socket, 'setTimeout'>> | null, ms: number): void => {
  socket?.setTimeout?.(ms)
}
