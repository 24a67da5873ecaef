import { type FetchItem, parseFetchItems } from '../fetch-response/fetch-items.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'

/** Which folders a group is about (RFC 5465 §6). */
export type FolderFilter =
  | { readonly kind: 'selected'; readonly isDelayed: boolean }
  | { readonly kind: 'inboxes' | 'personal' | 'subscribed' }
  | { readonly kind: 'subtree' | 'mailboxes'; readonly names: readonly string[] }

/** The events to report for a group of folders (RFC 5465 §5). */
export type NotifyEvents = {
  /** New messages and those that are gone: a client cannot have one without the other. */
  readonly messages: boolean
  /** FETCH items to send for each new message of the selected folder. */
  readonly newItems: readonly FetchItem[]
  readonly flags: boolean
  readonly names: boolean
  readonly subscriptions: boolean
}

export type NotifyGroup = { readonly filter: FolderFilter; readonly events: NotifyEvents }

export type NotifyArguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'set'; readonly wantsStatus: boolean; readonly groups: readonly NotifyGroup[] }
  /** An event that there is not. */
  | { readonly kind: 'badEvent' }

const EVENTS = ['MessageNew', 'MessageExpunge', 'FlagChange', 'MailboxName', 'SubscriptionChange'] as const
export const SUPPORTED_EVENTS = EVENTS.join(' ')

const MAX_GROUPS = 50

/** RFC 5465 §8. */
export const readNotify = (args: Arguments): NotifyArguments => {
  if (args.takeKeyword('NONE')) return { kind: 'none' }
  if (!args.takeKeyword('SET')) return bad('Expected SET or NONE')
  const wantsStatus = args.match(/ status(?= )/iy) !== null
  const groups: (NotifyGroup | null)[] = []
  while (args.take(' ')) {
    if (groups.length >= MAX_GROUPS) bad('Too many groups')
    groups.push(readGroup(args))
  }
  if (groups.length === 0) bad('Expected at least one group of events')
  const known = groups.filter((group) => group !== null)
  return known.length === groups.length ? { kind: 'set', wantsStatus, groups: known } : { kind: 'badEvent' }
}

const readGroup = (args: Arguments): NotifyGroup | null => {
  args.expect('(')
  const filter = readFilter(args)
  args.space()
  const events = args.takeKeyword('NONE') ? NOTHING : readEvents(args)
  args.expect(')')
  return events && { filter, events: checkEvents(filter, events) }
}

const readFilter = (args: Arguments): FolderFilter => {
  switch (args.keyword()) {
    case 'SELECTED':
      return { kind: 'selected', isDelayed: false }
    case 'SELECTED-DELAYED':
      return { kind: 'selected', isDelayed: true }
    case 'INBOXES':
      return { kind: 'inboxes' }
    case 'PERSONAL':
      return { kind: 'personal' }
    case 'SUBSCRIBED':
      return { kind: 'subscribed' }
    case 'SUBTREE':
      return { kind: 'subtree', names: readNames(args) }
    case 'MAILBOXES':
      return { kind: 'mailboxes', names: readNames(args) }
    default:
      return bad('Unknown mailbox filter')
  }
}

const readNames = (args: Arguments): string[] => {
  args.space()
  return args.oneOrList(() => args.mailbox())
}

const NOTHING: NotifyEvents = { messages: false, newItems: [], flags: false, names: false, subscriptions: false }

/** Null: there is an event that we do not know. */
const readEvents = (args: Arguments): NotifyEvents | null => {
  const found = new Set<string>()
  let newItems: readonly FetchItem[] = []
  let isKnown = true
  args.list(() => {
    const event = args.takeKeyword(...EVENTS)
    if (event) found.add(event)
    else {
      args.keyword()
      isKnown = false
    }
    // FETCH items to send for new messages.
    if (event === 'MessageNew' && args.match(/ (?=\()/y) !== null) newItems = parseFetchItems(args)
  })
  if (!isKnown) return null
  const messages = found.has('MessageNew')
  // RFC 5465 §5: these go together.
  if (messages !== found.has('MessageExpunge')) bad('MessageNew and MessageExpunge must be used together')
  if (found.has('FlagChange') && !messages) bad('FlagChange requires MessageNew and MessageExpunge')
  return {
    messages,
    newItems,
    flags: found.has('FlagChange'),
    names: found.has('MailboxName'),
    subscriptions: found.has('SubscriptionChange'),
  }
}

const checkEvents = (filter: FolderFilter, events: NotifyEvents): NotifyEvents => {
  const isSelected = filter.kind === 'selected'
  if (isSelected && (events.names || events.subscriptions)) bad('SELECTED only supports message events')
  if (!isSelected && events.newItems.length > 0) bad('Fetch items are only supported for the selected folder')
  return events
}
