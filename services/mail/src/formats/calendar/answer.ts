import { escapeText } from './components.ts'
import type { Invitation } from './invitation.ts'
import { calendarText } from './times.ts'

type Answer = 'accepted' | 'tentative' | 'declined'

type AnswerInput = {
  readonly invitation: Pick<Invitation, 'uid' | 'sequence' | 'summary' | 'recurrence'>
  readonly organizer: { readonly name: string | null; readonly email: string }
  /** Who answers, by the address that was invited. */
  readonly attendee: { readonly name: string | null; readonly email: string }
  readonly answer: Answer
  readonly comment: string | null
  readonly now: Date
}

/** The answer to an invitation (RFC 5546 §3.2.3): of all who are invited it names only who answers. */
export const writeAnswer = ({ invitation, organizer, attendee, answer, comment, now }: AnswerInput): string => {
  const { uid, sequence, summary, recurrence } = invitation
  const lines = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Stoa//Mail//EN',
    'VERSION:2.0',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${calendarText({ kind: 'moment', at: now.getTime() })}`,
    ...(recurrence
      ? [`RECURRENCE-ID${recurrence.kind === 'day' ? ';VALUE=DATE' : ''}:${calendarText(recurrence)}`]
      : []),
    `ORGANIZER${nameParameter(organizer.name)}:mailto:${organizer.email}`,
    `ATTENDEE;PARTSTAT=${answer.toUpperCase()}${nameParameter(attendee.name)}:mailto:${attendee.email}`,
    ...(summary === null ? [] : [`SUMMARY:${escapeText(summary)}`]),
    ...(comment === null ? [] : [`COMMENT:${escapeText(comment)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

const nameParameter = (name: string | null): string =>
  name === null ? '' : `;CN="${name.replace(/["\p{Cc}]/gu, ' ')}"`

/** RFC 5545 §3.1. */
const MAX_LINE_BYTES = 75

/** Lines are cut between characters, never inside of one. */
const fold = (line: string): string => {
  let folded = ''
  let length = 0
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (length + bytes > MAX_LINE_BYTES) {
      folded += '\r\n '
      length = 1
    }
    folded += character
    length += bytes
  }
  return folded
}
