import { defineCommand, no } from '../command.ts'

/** RFC 9208 §4.1.3: limits are set by the plan and the mailbox's administrator, not by its user. */
export const setquota = defineCommand<null>({
  name: 'SETQUOTA',
  states: ['signedIn', 'selected'],
  parse(args) {
    args.astring()
    args.space()
    args.list(() => {
      args.atom()
      args.space()
      args.number64()
    })
    return null
  },
  run: async () => no('Quotas are set by the administrator', 'NOPERM'),
})
