import type { IncomingMessage } from 'node:http'
import { fault } from '../errors.ts'

export const JSON_BODY_LIMIT = 1024 * 1024

/** The slowest uplink that may send a large body to its end. */
const LEAST_BYTES_PER_MS = 256

/** Collects a request body; over the limit it stops at once and the connection is closed after the answer. */
export const readBody = (stream: IncomingMessage, limit: number, deadlineMs: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const declared = Number(stream.headers['content-length'] ?? 0)
    if (declared > limit) {
      reject(fault('too_large', { limit }))
      return
    }
    // The client is gone, and so are its events: nothing would end the wait but the deadline.
    if (stream.destroyed) {
      reject(fault('invalid_json', { reason: 'The request body is incomplete' }))
      return
    }
    let held: Buffer = Buffer.alloc(0)
    let size = 0
    const settle = (act: () => void) => {
      clearTimeout(timer)
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      act()
    }
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > limit) {
        stream.pause()
        settle(() => reject(fault('too_large', { limit })))
        return
      }
      held = append(held, size, chunk)
      size += chunk.length
    }
    const onEnd = () => settle(() => resolve(held.subarray(0, size)))
    const onError = (error: Error) =>
      settle(() => reject(fault('invalid_json', { reason: 'The request body is incomplete' }, error)))
    const onClose = () => settle(() => reject(fault('invalid_json', { reason: 'The request body is incomplete' })))
    const timer = setTimeout(
      () => {
        settle(() => reject(fault('invalid_json', { reason: 'The request body took too long' })))
        stream.destroy()
      },
      deadlineMs + Math.max(0, limit - JSON_BODY_LIMIT) / LEAST_BYTES_PER_MS,
    )
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })

/** One buffer that doubles: a list of chunks of one byte each would take a hundred times the memory of the body. */
const append = (held: Buffer, size: number, chunk: Buffer): Buffer => {
  if (size === 0) return chunk
  const total = size + chunk.length
  const target = held.length >= total ? held : Buffer.allocUnsafe(Math.max(total, held.length * 2))
  if (target !== held) held.copy(target, 0, 0, size)
  chunk.copy(target, size)
  return target
}
