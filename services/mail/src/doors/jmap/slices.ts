import { Readable } from 'node:stream'

/** The amount that a socket takes at a time. */
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

/** Texts in the same way: the next one is asked for when those before it are taken. */
export const slicesOfTexts = (texts: AsyncIterator<string, void>, done: () => void): Readable => {
  let text = ''
  let at = 0
  const readOn = async (stream: Readable): Promise<void> => {
    while (at >= text.length) {
      const next = await texts.next()
      if (next.done) return void stream.push(null)
      text = next.value
      at = 0
    }
    const end = sliceEnd(text, at)
    const slice = Buffer.from(text.slice(at, end), 'utf8')
    at = end
    stream.push(slice)
  }
  const stream = new Readable({
    highWaterMark: SLICE_BYTES,
    read() {
      readOn(this).catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))))
    },
  })
  return stream.once('close', done)
}

/** A character of two units is not cut. */
const sliceEnd = (text: string, start: number): number => {
  const end = Math.min(text.length, start + SLICE_BYTES)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}
