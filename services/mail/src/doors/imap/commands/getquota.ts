import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { quotaLine } from '../list/quota.ts'

/** RFC 9208 §4.2. */
export const getquota = defineCommand<string>({
  name: 'GETQUOTA',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('QUOTA', 'QUOTA=RES-STORAGE'),
  parse: (args) => args.astring(),
  async run(session, root) {
    const access = (await session.accesses()).find(({ email }) => email === root.toLowerCase())
    const line = access ? await quotaLine(session, access) : null
    if (line === null) return no('No such quota root', 'NONEXISTENT')
    await session.out.untagged(line)
    return ok('Quota completed')
  },
})
