import type { ChangeKind, KindsSince } from '../../../store/store.ts'

/** Types whose changes are pushed (RFC 8620 §7.1); EmailDelivery changes only when a message comes (RFC 8621 §1.5). */
const PUSH_TYPES = [
  'Mailbox',
  'Thread',
  'Email',
  'EmailDelivery',
  'Identity',
  'EmailSubmission',
  'VacationResponse',
  'SieveScript',
  'Quota',
] as const
type PushType = (typeof PUSH_TYPES)[number]

const TYPE_OF: Record<ChangeKind, PushType> = {
  folder: 'Mailbox',
  folder_counts: 'Mailbox',
  message: 'Email',
  thread: 'Thread',
  submission: 'EmailSubmission',
  identity: 'Identity',
  vacation: 'VacationResponse',
  script: 'SieveScript',
  quota: 'Quota',
}

/** Which types changed, with their new state: a TypeState. Null if none of the wanted ones did. */
export const typeStateOf = (
  { modseq, kinds, hasNewMessages }: KindsSince,
  wanted: ReadonlySet<string> | null,
): Record<string, string> | null => {
  const changed = new Set<PushType>([...kinds].map((kind) => TYPE_OF[kind]))
  if (hasNewMessages) changed.add('EmailDelivery')
  const reported = [...changed].filter((type) => wanted === null || wanted.has(type))
  return reported.length > 0 ? Object.fromEntries(reported.map((type) => [type, String(modseq)])) : null
}

/** `types` of a request: null for `*`, which means all of them. */
export const readTypes = (text: string): ReadonlySet<string> | null =>
  text === '*' ? null : new Set(text.split(',', MAX_TYPES).map((type) => type.trim()))

const MAX_TYPES = 100

/** How far each account was reported: `<account>:<modseq>` with commas between them. Anything else is ignored. */
export const positionText = (positions: ReadonlyMap<string, number>): string =>
  [...positions].map(([accountId, modseq]) => `${accountId}:${modseq}`).join(',')

export const readPosition = (text: string): Map<string, number> =>
  new Map(
    text
      .split(',', MAX_ACCOUNTS)
      .map((pair) => POSITION.exec(pair.trim()))
      .flatMap((match) => (match?.[1] && match[2] ? [[match[1], Number(match[2])] as const] : [])),
  )

const MAX_ACCOUNTS = 1_000
const POSITION = /^([0-9a-f-]{36}):(\d{1,15})$/
