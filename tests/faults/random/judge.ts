import { errorBody } from '@stoa/cms-model/errors.ts'
import type { RandomAnswer, RandomRequest } from './send.ts'

/** What is wrong with an answer; null when nothing is. */
export const complaintAbout = (request: RandomRequest, { status, type, text }: RandomAnswer): string | null => {
  if (status === 'hang') return 'there was no answer in time'
  // RFC 9112 §9.6: a server that refuses a body may close before it has read it.
  if (status === 'cut') return isAbrupt(request) ? null : 'the connection was cut'
  if (status >= 500) return `the answer was ${status} ${text.slice(0, 300)}`
  if (request.method === 'HEAD' || status === 304) return null
  if (status < 400) return type.includes('json') && text !== '' ? complaintAboutJson(text) : null
  // Node itself answers what it cannot read as HTTP.
  if (text === '' && (status === 400 || status === 431)) return null
  if (!type.startsWith('application/json')) return `the answer was ${status} of type ${type}`
  const parsed = errorBody.safeParse(parse(text))
  return parsed.success ? null : `the error has another shape: ${text.slice(0, 300)}`
}

/** To send it again by hand. */
export const describe = ({ method, path, headers, body }: RandomRequest): string => {
  const shown =
    body === null
      ? ''
      : body.length > 3_000
        ? `${body.length} bytes ${body.toString('base64', 0, 600)}…`
        : body.toString('base64')
  return `${method} ${path} ${JSON.stringify(headers)} body(base64)=${shown}`
}

const LARGE_BODY = 32 * 1024

const isAbrupt = ({ body }: RandomRequest): boolean => (body?.length ?? 0) > LARGE_BODY

const complaintAboutJson = (text: string): string | null => {
  // Long answers are kept in part only.
  if (text.length > 200_000 || parse(text) !== undefined) return null
  return `the answer is no JSON: ${text.slice(0, 200)}`
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
