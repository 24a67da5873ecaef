import { defineCommand, ok } from '../command.ts'

/** RFC 9051 §6.1.3. */
export const logout = defineCommand({
  name: 'LOGOUT',
  states: ['start', 'signedIn', 'selected'],
  parse: () => null,
  async run(session) {
    await session.out.untagged('BYE Good-bye')
    return { ...ok('Signed out'), closes: true }
  },
})
