import { failure, failureOfLine } from './failures.ts'

/** Lines of one piece of an answer; `isCut` for what stands after the last line end once everything came. */
type Lines = { readonly lines: readonly string[]; readonly isCut: boolean }

/** The answer line by line, whatever pieces it comes in. It is UTF-8, and ends after a whole character. */
async function* readLines(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Lines> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of piecesOf(body, signal)) {
    const lines = decode(decoder, chunk).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield { lines, isCut: false }
  }
  try {
    decoder.decode()
  } catch (cause) {
    throw failure('AI_STREAM_INTERRUPTED', { cause })
  }
  if (rest.trim() !== '') yield { lines: [rest], isCut: true }
}

/** JSON values, one a line. A last line that is not whole means that the stream was cut. */
export async function* readNdjson(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const { lines, isCut } of readLines(body, signal))
    for (const line of lines)
      if (line.trim() !== '') yield parse(line, isCut ? 'AI_STREAM_INTERRUPTED' : 'AI_BAD_RESPONSE')
}

/**
 * The data of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. The providers' data says
 * itself what event it is of. An event without its closing blank line is none.
 */
export async function* readSse(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  let data: string[] = []
  for await (const { lines, isCut } of readLines(body, signal)) {
    if (isCut) return
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield parse(data.length === 1 ? (data[0] ?? '') : data.join('\n'), 'AI_BAD_RESPONSE')
      data = []
    }
  }
}

/** Connection errors become the error of the step. */
async function* piecesOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
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

const parse = (text: string, code: 'AI_BAD_RESPONSE' | 'AI_STREAM_INTERRUPTED'): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw failure(code, { cause })
  }
}
