import { type Bytes, type MimeStructure, parseDate } from '../mime/mime.ts'
import {
  type FieldGroup,
  firstOf,
  type OriginalMessage,
  readGroups,
  readOriginal,
  reportPart,
  typedValue,
} from './report-parts.ts'

export type DsnAction = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'

export type DsnReportRecipient = {
  readonly recipient: string
  readonly originalRecipient: string | null
  readonly action: DsnAction
  /** RFC 3463, as `5.1.1`; a missing one is made from the action. */
  readonly status: string
  readonly diagnostic: string | null
  readonly remoteHost: string | null
}

/** A report of a mail system about a message (RFC 3464). */
export type DsnReport = {
  readonly reportingHost: string | null
  readonly envid: string | null
  readonly arrivedAt: Date | null
  readonly recipients: readonly DsnReportRecipient[]
  /** Anybody can write this: trust it only together with a bounce token. */
  readonly original: OriginalMessage | null
}

/** The report that a message is, or null for any other message. Broken recipients are left out. */
export const readDsn = (structure: MimeStructure, bytes: Bytes): DsnReport | null => {
  const part = reportPart(structure, ['message/delivery-status', 'message/global-delivery-status'])
  if (!part) return null
  const groups = readGroups(part, bytes)
  const recipients = groups.flatMap((group) => readRecipient(group) ?? [])
  if (recipients.length === 0) return null
  // Some mailers forget the blank line after the fields of the message.
  const message = groups[0] ?? new Map()
  const arrival = parseDate(firstOf(message, 'arrival-date') ?? '')
  return {
    reportingHost: typedValue(firstOf(message, 'reporting-mta')),
    envid: firstOf(message, 'original-envelope-id'),
    arrivedAt: arrival ? new Date(arrival.time) : null,
    recipients,
    original: readOriginal(structure, bytes),
  }
}

const readRecipient = (group: FieldGroup): DsnReportRecipient | null => {
  const recipient = typedValue(firstOf(group, 'final-recipient'))
  const originalRecipient = typedValue(firstOf(group, 'original-recipient'))
  const action = actionOf(firstOf(group, 'action'))
  const address = recipient ?? originalRecipient
  if (address === null || action === null) return null
  return {
    recipient: address,
    originalRecipient,
    action,
    status: /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(firstOf(group, 'status') ?? '')?.[1] ?? STATUS_OF[action],
    diagnostic: typedValue(firstOf(group, 'diagnostic-code')),
    remoteHost: typedValue(firstOf(group, 'remote-mta')),
  }
}

const ACTIONS: readonly DsnAction[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded']

const actionOf = (text: string | null): DsnAction | null => {
  const word = /^[a-z]+/.exec(text?.toLowerCase() ?? '')?.[0]
  return ACTIONS.find((action) => action === word) ?? null
}

const STATUS_OF = {
  failed: '5.0.0',
  delayed: '4.0.0',
  delivered: '2.0.0',
  relayed: '2.0.0',
  expanded: '2.0.0',
} as const satisfies Record<DsnAction, string>
