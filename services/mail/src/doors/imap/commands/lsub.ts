import { DELIMITER } from '../../../store/store.ts'
import { defineCommand, ok } from '../command.ts'
import { mailboxName } from '../format.ts'
import { ancestorsOf, listMailboxes } from '../list/mailboxes.ts'
import { compileAll } from '../list/select.ts'

/** RFC 3501 §6.3.9: names that were subscribed to, whether there are such folders or not. */
export const lsub = defineCommand<{ reference: string; pattern: string }>({
  name: 'LSUB',
  states: ['signedIn', 'selected'],
  parse(args) {
    const reference = args.mailbox()
    args.space()
    return { reference, pattern: args.listMailbox() }
  },
  async run(session, { reference, pattern }) {
    const [compiled] = compileAll(reference, [pattern])
    const names = (await listMailboxes(session)).filter(({ isSubscribed }) => isSubscribed).map(({ name }) => name)
    const shown = new Map<string, string>()
    for (const name of names) if (compiled?.matches(name)) shown.set(name, '')
    // With % at the end, a parent stands for what is subscribed below it.
    if (pattern.endsWith('%'))
      for (const parent of names.flatMap(ancestorsOf))
        if (compiled?.matches(parent) && !shown.has(parent)) shown.set(parent, '\\Noselect')
    for (const [name, attributes] of shown)
      await session.out.untagged(`LSUB (${attributes}) "${DELIMITER}" ${mailboxName(session, name)}`)
    return ok('Lsub completed')
  },
})
