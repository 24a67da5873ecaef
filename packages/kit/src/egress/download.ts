import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { StepLimit } from './deadline.ts'
import { EgressFailed } from './errors.ts'

/** Passes a body on and reports the size of each chunk. `idle` counts only while waiting for the target. */
export async function* watched(
  body: AsyncIterable<Uint8Array>,
  idle: StepLimit,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      idle.start()
      const next = await iterator.next()
      idle.end()
      if (next.done) return
      onBytes(next.value.length)
      yield next.value
    }
  } finally {
    idle.end()
    await iterator.return?.()
  }
}

/** Fails as soon as a body is longer than this. */
export async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

export const tooLarge = (maxBytes: number) =>
  new EgressFailed('too_large', undefined, { name: 'body', value: maxBytes })

/** Undoes the given content coding, a small piece at a time: what is not read is not unpacked. */
export async function* decoded(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const open = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
  if (open === undefined) throw new EgressFailed('protocol', new Error(`the content coding '${coding}' is not known`))
  const source = Readable.from(body, { objectMode: true, highWaterMark: 1 })
  // Errors of both come out of the loop below.
  const unpacked = pipeline(source, open(), () => undefined)
  try {
    for await (const chunk of unpacked) yield chunk
  } catch (error) {
    const isCoding =
      error instanceof Error && 'code' in error && /^(Z_|ERR__?ERROR_|ERR_BROTLI)/.test(String(error.code))
    throw isCoding ? new EgressFailed('protocol', error) : error
  }
}

/** RFC 9110 §8.4.1; `x-gzip` is an old name. */
const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export const ACCEPTED_CODINGS = 'gzip, br, deflate'
