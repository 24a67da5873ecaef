import { afterSignIn, defineCommand, ok } from '../command.ts'
import { unselectFolder } from '../selecting.ts'

/** RFC 8437: everything is as it was before sign-in, apart from TLS and compression. */
export const unauthenticate = defineCommand({
  name: 'UNAUTHENTICATE',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('UNAUTHENTICATE'),
  parse: () => null,
  async run(session) {
    unselectFolder(session)
    session.notifier?.close()
    session.notifier = null
    session.enabled.clear()
    session.signIn = null
    session.state = 'start'
    session.connection.leave()
    return ok('Signed out')
  },
})
