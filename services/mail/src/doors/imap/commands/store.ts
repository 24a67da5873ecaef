import { type Completion, defineCommand, no, ok } from '../command.ts'
import { enableCondstore } from '../fetch-response/condstore.ts'
import { type FlagChange, type StoreResult, storeFlags } from '../fetch-response/store-flags.ts'
import { readFlags } from '../flags.ts'
import { READ_ONLY } from '../folders.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import { formatNumbers, type SequenceSet } from '../parse/sequence-set.ts'

type StoreArguments = { readonly set: SequenceSet; readonly unchangedSince: number | null; readonly change: FlagChange }

/** STORE and UID STORE (RFC 9051 §6.4.6), with UNCHANGEDSINCE (RFC 7162 §3.1.3). */
export const store = defineCommand<StoreArguments>({
  name: 'STORE',
  states: ['selected'],
  takesUid: true,
  syncsFirst: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args) {
    const set = args.sequenceSet()
    args.space()
    const unchangedSince = args.peek() === '(' ? parseModifiers(args) : null
    return { set, unchangedSince, change: parseChange(args) }
  },
  async run(session, { set, unchangedSince, change }, { isUid }) {
    const { view } = session
    if (!view || view.isReadOnly) return READ_ONLY
    // A user who may only read still has flags of their own.
    const isOwnMark = !change.flags.deleted && change.flags.keywords.every((keyword) => keyword === '$seen')
    if (!view.access.mayWrite && (!isOwnMark || change.mode === 'replace'))
      return no('You can only mark messages in this folder as read or unread', 'NOPERM')
    if (unchangedSince !== null) await enableCondstore(session)
    const uids = view.resolve(set, isUid)
    const result = await storeFlags(session, view, { uids, unchangedSince, change, isUid })
    return completionOf(result, isUid, (uid) => view.uids.sequenceOf(uid))
  },
})

const parseModifiers = (args: Arguments): number => {
  let since: number | null = null
  args.list(() => {
    args.takeKeyword('UNCHANGEDSINCE') ?? bad('Unknown modifier')
    args.space()
    since = args.number64()
  })
  args.space()
  return since ?? bad('Expected UNCHANGEDSINCE')
}

const MODES = { '+': 'add', '-': 'remove', '': 'replace' } as const

const parseChange = (args: Arguments): FlagChange => {
  const sign = args.take('+') ? '+' : args.take('-') ? '-' : ''
  args.expect('FLAGS')
  const isSilent = args.take('.SILENT')
  args.space()
  const flags = args.peek() === '(' ? args.flagList() : parseBareFlags(args)
  // RFC 3501 §2.3.2: only the server sets it.
  if (flags.some((flag) => flag.toLowerCase() === '\\recent')) bad('\\Recent cannot be changed')
  return { mode: MODES[sign], isSilent, flags: readFlags(flags) }
}

/** RFC 9051 §9, store-att-flags: flags may stand without brackets. */
const parseBareFlags = (args: Arguments): string[] => {
  const flags = [args.flag()]
  while (args.take(' ')) flags.push(args.flag())
  return flags
}

const completionOf = (
  { modified, missing }: StoreResult,
  isUid: boolean,
  sequenceOf: (uid: number) => number,
): Completion => {
  const isGone = missing > 0 && !isUid
  if (modified.length > 0) {
    const set = formatNumbers(isUid ? modified : modified.map(sequenceOf))
    const text = 'Messages that changed in the meantime were not modified'
    return isGone ? no(text, `MODIFIED ${set}`) : ok(text, `MODIFIED ${set}`)
  }
  return isGone ? no('Some of the messages no longer exist', 'EXPUNGEISSUED') : ok('Stored')
}
