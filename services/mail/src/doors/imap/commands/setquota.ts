import { defineCommand, no } from '../command.ts'

/** RFC 9208 §4.1.3: limits are those of the plan and of whoever runs the mailbox, not of its user. */
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
