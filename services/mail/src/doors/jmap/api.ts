import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { Fault } from '@stoa/kit/errors.ts'
import { readBody } from '@stoa/kit/http/body.ts'
import { discardBody } from '@stoa/kit/http/discard-body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { TIMEOUTS } from '@stoa/kit/http/timeouts.ts'
import type { SignIn } from '../../principal.ts'
import type { Jmap } from './jmap.ts'
import { MAX_SIZE_REQUEST } from './limits.ts'
import { failLimit, failRequest } from './problems.ts'
import { parseRequestText, readRequest, runRequest, TOO_LARGE } from './request.ts'
import { slicesOfTexts } from './slices.ts'

/** Shorter answers are sent as a whole. */
const HELD_CHARACTERS = 256_000

/** The text of a Response object, or what is left to be sent of a long one while it is made. */
export type Served = string | Readable

/** One HTTP request with method calls. */
export const serveRequest = async (jmap: Jmap, signIn: SignIn, incoming: Incoming): Promise<Served> => {
  // Before the body is read: those who wait hold no memory.
  const leave = await jmap.requests.enter(signIn.address.id).catch((error: unknown) => {
    discardBody(incoming.raw, MAX_SIZE_REQUEST)
    throw error
  })
  try {
    const request = readRequest(parseRequestText(await readText(incoming)))
    let stream: Readable | null = null
    const pieces = runRequest(jmap, signIn, request, { cut: () => stream?.destroy() })
    const { text, isWhole } = await collectText(pieces, HELD_CHARACTERS)
    if (isWhole) {
      leave()
      return text
    }
    // A long answer keeps its place among the requests of the mailbox until it is taken.
    stream = slicesOfTexts(continued(text, pieces), () => void pieces.return().finally(leave))
    return stream
  } catch (error) {
    leave()
    throw error
  }
}

/** The beginning of a text: all of it, or more than so many characters. */
export const collectText = async (
  pieces: AsyncIterator<string, void>,
  length: number,
): Promise<{ text: string; isWhole: boolean }> => {
  let text = ''
  while (text.length <= length) {
    const next = await pieces.next()
    if (next.done) return { text, isWhole: true }
    text += next.value
  }
  return { text, isWhole: false }
}

async function* continued(
  beginning: string,
  pieces: AsyncIterator<string, void>,
): AsyncGenerator<string, void, undefined> {
  yield beginning
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

const readText = async (incoming: Incoming): Promise<string> => {
  const bytes = await readBytes(incoming)
  if (!/^application\/json\s*(;|$)/i.test(incoming.header('content-type') ?? ''))
    return failRequest('notJSON', 'The request must be sent as application/json.')
  if (bytes.length === 0) return failRequest('notJSON', 'The request is empty.')
  return isUtf8(bytes) ? bytes.toString('utf8') : failRequest('notJSON', 'The request is not UTF-8.')
}

const readBytes = async ({ raw }: Incoming): Promise<Buffer> => {
  try {
    return await readBody(raw, MAX_SIZE_REQUEST, TIMEOUTS.body)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    discardBody(raw, MAX_SIZE_REQUEST)
    if (error.kind === 'too_large') return failLimit('maxSizeRequest', TOO_LARGE)
    return failRequest('notJSON', 'The request was interrupted.')
  }
}
