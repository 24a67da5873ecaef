import type { Readable } from 'node:stream'

/** Receives the bytes of responses; `write` resolves when there is room for more. */
export type Sink = {
  write(bytes: Buffer): Promise<void>
  /** Everything must be on its way. */
  flush(): Promise<void>
}

/** What is sent to the client. Await each call: it resolves when there is room for more. */
export type Output = {
  /** `* ` and the text and the end of the line. Text is UTF-8, and must hold no line ends of others. */
  untagged(text: string): Promise<void>
  /** Text or bytes as they are: an answer that is put together of pieces. */
  raw(piece: string | Buffer): Promise<void>
  /** `{n}` and the bytes; `~{n}` for literal8. */
  literal(bytes: Buffer, options?: { isBinary?: boolean }): Promise<void>
  /** Sends content that is too large to buffer. The stream must have exactly `size` bytes, else the connection ends. */
  stream(source: Readable, size: number, options?: { isBinary?: boolean }): Promise<void>
  /** Sends what is held. The connection does that at the end of commands that nothing follows. */
  flush(): Promise<void>
  /** An incomplete line was sent: only the rest of it may follow. */
  readonly isMidLine: boolean
}

const LF = 10
const LITERAL_OPENING = /\{[0-9]+\}\r\n$/
/** The longest one; only the end of an answer is looked at, which may be long. */
const OPENING_LENGTH = 20
/** Small answers are sent together; more than this is held by nobody. */
const HELD_BYTES = 32_768

/** The bytes of a message ended early: what follows would be taken for them. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
}

/** Answers over a sink, which may become another one. */
export const createOutput = (sinkNow: () => Sink): Output => {
  let text = ''
  let isMidLine = false

  const push = async (bytes: Buffer): Promise<void> => {
    await sinkNow().write(bytes)
  }
  const pushText = (): Promise<void> => {
    const bytes = Buffer.from(text, 'utf8')
    text = ''
    return push(bytes)
  }
  const raw = async (piece: string | Buffer): Promise<void> => {
    if (typeof piece === 'string') {
      isMidLine = !piece.endsWith('\r\n') || LITERAL_OPENING.test(piece.slice(-OPENING_LENGTH))
      text += piece
      if (text.length > HELD_BYTES) await pushText()
      return
    }
    isMidLine = piece.at(-1) !== LF
    if (text !== '') await pushText()
    await push(piece)
  }
  const opening = (size: number, isBinary: boolean | undefined): string => `${isBinary ? '~' : ''}{${size}}\r\n`

  return {
    untagged: (line) => raw(`* ${line}\r\n`),
    raw,
    async literal(bytes, { isBinary } = {}) {
      await raw(opening(bytes.length, isBinary))
      await raw(bytes)
      isMidLine = true
    },
    async stream(source, size, { isBinary } = {}) {
      await raw(opening(size, isBinary))
      let left = size
      for await (const chunk of source) {
        left -= chunk.length
        if (left < 0) break
        await raw(chunk)
      }
      isMidLine = true
      if (left !== 0) throw new BrokenAnswer('a message has another size than was announced')
    },
    async flush() {
      if (text !== '') await pushText()
      await sinkNow().flush()
    },
    get isMidLine() {
      return isMidLine
    },
  }
}
