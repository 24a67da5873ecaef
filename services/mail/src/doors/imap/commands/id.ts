import { defineCommand, ok } from '../command.ts'
import { bad } from '../parse/bad-command.ts'

/** RFC 2971 §3.3. */
const MAX_MEMBERS = 60

/** RFC 2971. What clients say about themselves is not kept. */
export const id = defineCommand({
  name: 'ID',
  states: ['start', 'signedIn', 'selected'],
  capabilities: () => ['ID'],
  parse(args) {
    if (args.takeKeyword('NIL')) return null
    const members = args.list(() => args.nstring())
    if (members.length > MAX_MEMBERS || members.length % 2 !== 0) bad('Expected pairs of names and values')
    return null
  },
  async run(session) {
    await session.out.untagged('ID ("name" "Stoa" "vendor" "Stoa")')
    return ok('ID completed')
  },
})
