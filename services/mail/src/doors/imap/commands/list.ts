import { DELIMITER } from '../../../store/store.ts'
import { afterSignIn, defineCommand, ok } from '../command.ts'
import { SHARED_ROOT } from '../folders.ts'
import { listMailboxes } from '../list/mailboxes.ts'
import { type ListArguments, readList } from '../list/options.ts'
import { formatList, formatRoot } from '../list/respond.ts'
import { selectMailboxes } from '../list/select.ts'
import { statusLines } from '../list/status.ts'

/** RFC 9051 §6.3.9, with RFC 5258, 5819 and 6154. */
export const list = defineCommand<ListArguments>({
  name: 'LIST',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('CHILDREN', 'SPECIAL-USE', 'LIST-EXTENDED', 'LIST-STATUS'),
  parse: readList,
  async run(session, args) {
    if (!args.isExtended && args.patterns[0] === '') {
      await session.out.untagged(formatRoot(session, rootOf(args.reference)))
      return ok('List completed')
    }
    const shown = selectMailboxes(args, await listMailboxes(session))
    const { status } = args.returns
    const found = status ? shown.flatMap(({ mailbox }) => mailbox.found ?? []) : []
    const lines = await statusLines(session, found, status ?? [])
    for (const each of shown) {
      await session.out.untagged(formatList(session, each, args))
      const line = lines.get(each.mailbox.found?.folder.id ?? '')
      if (line !== undefined) await session.out.untagged(line)
    }
    return ok('List completed')
  },
})

const SHARED_PREFIX = `${SHARED_ROOT}${DELIMITER}`
const rootOf = (reference: string): string => (reference.startsWith(SHARED_PREFIX) ? SHARED_PREFIX : '')
