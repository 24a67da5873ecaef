import { defineCommand } from '../command.ts'
import { NEEDS_TLS, signInByPassword } from '../sign-in.ts'

/** RFC 9051 §6.2.3. */
export const login = defineCommand({
  name: 'LOGIN',
  states: ['start'],
  parse(args) {
    const email = args.astring()
    args.space()
    return { email, password: args.astring() }
  },
  run: async (session, given) => (session.connection.isSecure ? signInByPassword(session, given) : NEEDS_TLS),
})
