import {
  type Filing,
  type MessageEdits,
  type NotifyAction,
  noEdits,
  type SieveAction,
  type VacationAction,
} from '../../formats/sieve/sieve.ts'
import { isUntouched, keywordsOfFlags } from '../filters/filters.ts'

/** The folders that a version of the message is put in. */
export type FiledCopy = {
  readonly edits: MessageEdits
  /** `inbox` and `junk` are folders by their role. */
  readonly filings: readonly (Filing | 'inbox' | 'junk')[]
  readonly keywords: readonly string[]
}

/** The actions for a message in one mailbox. */
export type DeliveryPlan = {
  readonly reject: string | null
  readonly copies: readonly FiledCopy[]
  readonly redirects: readonly { readonly address: string; readonly edits: MessageEdits; readonly isForward: boolean }[]
  readonly vacation: VacationAction | null
  readonly notifications: readonly NotifyAction[]
}

export type PlanInput = {
  readonly actions: readonly SieveAction[]
  readonly isSpam: boolean
  /** The sender is blocked: the message goes to Junk, whatever filters would file it under. */
  readonly isBlocked: boolean
  /** The message was here before: forwarding it once more would create a loop. */
  readonly isLoop: boolean
  readonly forwardTo: readonly string[]
  readonly keepCopy: boolean
}

/** Turns what the filters decided, and the settings of the address, into one plan. */
export const planDelivery = (input: PlanInput): DeliveryPlan => {
  const { actions, isSpam, isBlocked, isLoop } = input
  const reject = actions.find((action) => action.kind === 'reject')
  if (reject) return { ...NOTHING, reject: reject.reason }
  // Forwarded spam would count against us at the receiving server.
  const maySend = !isSpam && !isLoop
  const redirects = actions.flatMap((action) =>
    action.kind === 'redirect' ? [{ address: action.address, edits: action.edits, isForward: false }] : [],
  )
  const keeps = actions.filter((action) => action.kind === 'keep')
  const forwards = keeps.length > 0 ? input.forwardTo : []
  const isKept = keeps.length > 0 && (input.keepCopy || forwards.length === 0 || !maySend)
  const filed = copiesOf(
    actions.flatMap((action) => (action.kind === 'fileinto' || (action.kind === 'keep' && isKept) ? [action] : [])),
    { isSpam, isBlocked },
  )
  const isLost = filed.length === 0 && redirects.length > 0 && !maySend
  const sent = maySend
    ? [...redirects, ...forwards.map((address) => ({ address, edits: noEdits, isForward: true }))]
    : []
  return {
    reject: null,
    copies: isLost ? [{ edits: noEdits, filings: [isSpam ? 'junk' : 'inbox'], keywords: junkOf(isSpam) }] : filed,
    redirects: sent,
    vacation: isSpam ? null : (actions.find((action) => action.kind === 'vacation') ?? null),
    notifications: isSpam ? [] : actions.filter((action) => action.kind === 'notify'),
  }
}

const NOTHING: DeliveryPlan = { reject: null, copies: [], redirects: [], vacation: null, notifications: [] }

type StoringAction = Extract<SieveAction, { kind: 'keep' | 'fileinto' }>
type Unwanted = Pick<PlanInput, 'isSpam' | 'isBlocked'>

/**
 * Versions of the message, each once with all its folders. The flags of a message are the same in all its folders, so
 * that one with other flags in another folder is another message (RFC 5232 §5).
 */
const copiesOf = (actions: readonly StoringAction[], unwanted: Unwanted): FiledCopy[] => {
  const copies: { edits: MessageEdits; filings: FiledCopy['filings'][number][]; keywords: readonly string[] }[] = []
  for (const action of actions) {
    const edits = isUntouched(action.edits) ? noEdits : action.edits
    const filing = filingOf(action, unwanted)
    const keywords = [...new Set([...keywordsOfFlags(action.flags ?? []), ...junkOf(filing === 'junk')])]
    const known = copies.find((copy) => copy.edits === edits && isSameSet(copy.keywords, keywords))
    if (!known) copies.push({ edits, filings: [filing], keywords })
    else if (!known.filings.includes(filing)) known.filings.push(filing)
  }
  return copies
}

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((word) => right.includes(word))

/** An explicit "keep" means the inbox; only an implicit one goes to Junk. */
const filingOf = (action: StoringAction, { isSpam, isBlocked }: Unwanted): Filing | 'inbox' | 'junk' => {
  if (isBlocked) return 'junk'
  if (action.kind === 'fileinto') return action
  return isSpam && action.implicit ? 'junk' : 'inbox'
}

const junkOf = (isJunk: boolean): string[] => (isJunk ? ['$junk'] : [])
