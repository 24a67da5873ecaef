import { Readable } from 'node:stream'

const END_MS = 1_000

export type EventStream = {
  readonly stream: Readable
  /** Resolves when there is room for more, or nobody reads any more. */
  write(text: string): Promise<void>
  /** For what a slow reader does not need. */
  writeIfTaken(text: string): void
  end(): void
}

/** Text for a reader that may be slow. */
export const openEventStream = (): EventStream => {
  const waiting = new Set<() => void>()
  const resume = (): void => {
    for (const each of waiting) each()
    waiting.clear()
  }
  const stream = new Readable({ read: resume, highWaterMark: 16_384 }).once('close', resume)
  let isEnded = false
  // Without anything to send, the client would not even learn that it is connected.
  stream.push(':\n\n')
  const write = async (text: string): Promise<void> => {
    if (isEnded || stream.destroyed || stream.push(text)) return
    await new Promise<void>((resolve) => waiting.add(resolve))
  }
  const writeIfTaken = (text: string): void => {
    if (waiting.size === 0) void write(text)
  }
  const end = () => {
    if (isEnded) return
    isEnded = true
    stream.push(null)
    // A client that does not read on is not waited for.
    setTimeout(() => stream.destroy(), END_MS).unref()
  }
  return { stream, write, writeIfTaken, end }
}
