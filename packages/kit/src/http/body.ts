import type { IncomingMessage } from 'node:http'
import { fault } from '../errors.ts'

/** How long a client may take to send a JSON body. */
const BODY_DEADLINE_MS = 20_000

/** Collects a request body; over the limit it stops at once and the connection is closed after the answer. */
export const readBody = (stream: IncomingMessage, limit: number, deadlineMs = BODY_DEADLINE_MS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const declared = Number(stream.headers['content-length'] ?? 0)
    if (declared > limit) {
      reject(fault('too_large', { limit }))
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void) => {
      clearTimeout(timer)
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      act()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        stream.pause()
        settle(() => reject(fault('too_large', { limit })))
        return
      }
      chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const onError = (error: Error) => settle(() => reject(fault('invalid_json', { reason: 'The body broke off' }, error)))
    const onClose = () => settle(() => reject(fault('invalid_json', { reason: 'The body broke off' })))
    const timer = setTimeout(() => {
      settle(() => reject(fault('invalid_json', { reason: 'The body took too long' })))
      stream.destroy()
    }, deadlineMs)
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
