import type { IncomingMessage } from 'node:http'

const LEFTOVER_MS = 10_000

/**
 * Throws away what still arrives of a body that nobody wants any more, so that a client which is still sending can read
 * its answer; a connection cut at once would lose it. One that goes on for too long is cut.
 */
export const discardBody = (request: IncomingMessage, maxBytes: number): void => {
  if (request.complete || request.readableEnded || request.destroyed) return
  let left = maxBytes
  const stop = () => {
    clearTimeout(timer)
    request.off('data', count).off('end', stop).off('close', stop)
  }
  const cut = () => {
    stop()
    request.destroy()
  }
  const count = (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) cut()
  }
  const timer = setTimeout(cut, LEFTOVER_MS).unref()
  request.on('error', () => undefined)
  request.on('data', count).on('end', stop).on('close', stop).resume()
}
