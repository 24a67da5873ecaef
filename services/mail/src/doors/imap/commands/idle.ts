import { afterSignIn, defineCommand, ok } from '../command.ts'
import { confirmAccess } from '../confirm-access.ts'

/** RFC 9051 §6.3.13: changes are reported at once, until the client sends DONE. */
export const idle = defineCommand({
  name: 'IDLE',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('IDLE'),
  parse: () => null,
  async run(session) {
    const { view, out, connection } = session
    await out.raw('+ idling\r\n')
    const report = async (): Promise<void> => {
      await confirmAccess(session)
      if (session.notifier) await session.notifier.report({ mayExpunge: true })
      else if (view?.isBehind({ mayExpunge: true })) await view.sync({ mayExpunge: true })
    }
    const line = await connection.idle({ addressIds: view ? [view.access.addressId] : [], report })
    return line.toUpperCase() === 'DONE' ? ok('Done') : { status: 'BAD', text: 'Expected DONE' }
  },
})
