import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { startNotifier } from '../notify/notifier.ts'
import { readNotify, SUPPORTED_EVENTS } from '../notify/parse.ts'

/** RFC 5465: what is sent unsolicited, of the selected folder and of others. */
export const notify = defineCommand({
  name: 'NOTIFY',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('NOTIFY'),
  parse: readNotify,
  async run(session, wanted) {
    if (wanted.kind === 'badEvent') return no('Unsupported event', `BADEVENT (${SUPPORTED_EVENTS})`)
    session.notifier?.close()
    session.notifier = null
    if (wanted.kind === 'set') session.notifier = await startNotifier(session, wanted)
    return ok('Notify completed')
  },
})
