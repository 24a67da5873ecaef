import { Readable } from 'node:stream'

/** As much as a socket takes at a time. */
const SLICE_BYTES = 65_536

/**
 * Bytes in slices, as fast as their reader takes them. `done` is called once: when all are taken, or nobody reads any
 * more. What holds a place for answers in memory lets it go there.
 */
export const slicesOf = (bytes: Buffer, done: () => void): Readable => {
  let at = 0
  const stream = new Readable({
    highWaterMark: SLICE_BYTES,
    read() {
      stream.push(at < bytes.length ? bytes.subarray(at, at + SLICE_BYTES) : null)
      at += SLICE_BYTES
    },
  })
  return stream.once('close', done)
}
