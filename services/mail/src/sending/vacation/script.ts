import { createHash } from 'node:crypto'
import { htmlToText } from '../../formats/mime/mime.ts'
import {
  addAction,
  base,
  type Call,
  type Run,
  type SieveScript,
  standardLanguage,
  type VacationAction,
} from '../../formats/sieve/sieve.ts'
import type { Vacation } from './operations.ts'

/** RFC 5230 §4.1 recommends a week between two replies to the same person. */
const SECONDS = 7 * 86_400
const WORDS = 'I am away and will read your message when I am back.\n'

/**
 * A vacation response as the last script of its mailbox. Scripts before it decide: mail that they throw away, reject or
 * answer themselves gets no second answer. Whom it may go to is the business of `sieve/vacation-rules.ts`.
 */
export const vacationScript = (vacation: Vacation): SieveScript => {
  const script = { language: standardLanguage, source: '', extensions: new Set([base]) }
  const call: Call = {
    name: 'vacation',
    at: 0,
    script,
    values: [],
    tags: new Map(),
    tests: [],
    block: [],
    match: null,
    addressPart: null,
  }
  const action = actionOf(vacation)
  const run = (_call: Call, run: Run): undefined => {
    if (isAway(vacation, run.chain.environment.now) && isForUs(run)) addAction({ ...action }, call, run)
  }
  return { ...script, commands: [{ definition: { run }, call }] }
}

const isAway = ({ isEnabled, fromDate, toDate }: Vacation, now: Date): boolean =>
  isEnabled && (fromDate === null || fromDate <= now) && (toDate === null || now < toDate)

const isForUs = ({ chain: { actions, keepCancelled } }: Run): boolean => {
  if (actions.some(({ kind }) => kind === 'vacation' || kind === 'reject')) return false
  return !keepCancelled || actions.some(({ kind }) => kind === 'keep' || kind === 'fileinto' || kind === 'redirect')
}

const actionOf = ({ subject, textBody, htmlBody }: Vacation): VacationAction => ({
  kind: 'vacation',
  reason: htmlBody === null ? (textBody ?? WORDS) : alternatives(textBody ?? htmlToText(htmlBody), htmlBody),
  seconds: SECONDS,
  subject,
  from: null,
  addresses: [],
  mime: htmlBody !== null,
  // RFC 5230 §4.2: another text is news for those who got the last one.
  handle: `vacation response ${hash([subject, textBody, htmlBody])}`,
  fcc: null,
})

/** A MIME part with its header (RFC 5230 §4.4). */
const alternatives = (text: string, html: string): string => {
  const boundary = `=_${hash([text, html]).slice(0, 24)}`
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    part('text/plain', text),
    `--${boundary}`,
    part('text/html', html),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

const part = (type: string, content: string): string =>
  [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content.replace(/\r\n|\r|\n/g, '\r\n'))
      .toString('base64')
      .replace(/.{1,76}(?=.)/g, '$&\r\n'),
  ].join('\r\n')

const hash = (values: unknown): string => createHash('sha256').update(JSON.stringify(values)).digest('hex')
