import { failure, failureOfLine } from './failures.ts'

/** JSON values, one a line. A last line that is not whole means that the stream was cut. */
export async function* readNdjson(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of piecesOf(body, signal)) {
    const lines = decode(decoder, chunk).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield parseLine(line, 'AI_BAD_RESPONSE')
  }
  try {
    decoder.decode()
  } catch (cause) {
    throw failure('AI_STREAM_INTERRUPTED', { cause })
  }
  if (rest.trim() !== '') yield parseLine(rest, 'AI_STREAM_INTERRUPTED')
}

/** The pieces of an answer; what goes wrong on the line is told as what it means for the step. */
export async function* piecesOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    signal.throwIfAborted()
    throw failureOfLine(error, true)
  }
}

const decode = (decoder: TextDecoder, chunk: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw failure('AI_BAD_RESPONSE', { cause })
  }
}

const parseLine = (line: string, code: 'AI_BAD_RESPONSE' | 'AI_STREAM_INTERRUPTED'): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw failure(code, { cause })
  }
}
