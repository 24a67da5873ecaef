import { DELIMITER } from '../../../store/store.ts'
import { afterSignIn, defineCommand, ok } from '../command.ts'
import { SHARED_ROOT } from '../folders.ts'

/** RFC 9051 §6.3.10: one's own folders, and the mailboxes of others. */
export const namespace = defineCommand<null>({
  name: 'NAMESPACE',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('NAMESPACE'),
  parse: () => null,
  async run(session) {
    const others = `(("${SHARED_ROOT}${DELIMITER}" "${DELIMITER}"))`
    await session.out.untagged(`NAMESPACE (("" "${DELIMITER}")) ${others} NIL`)
    return ok('Namespace completed')
  },
})
