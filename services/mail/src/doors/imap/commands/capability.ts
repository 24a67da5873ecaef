import { defineCommand, ok } from '../command.ts'

/** RFC 9051 §6.1.1. */
export const capability = defineCommand({
  name: 'CAPABILITY',
  states: ['start', 'signedIn', 'selected'],
  parse: () => null,
  async run(session) {
    await session.out.untagged(`CAPABILITY ${session.capabilities().join(' ')}`)
    return ok('Capability completed')
  },
})
