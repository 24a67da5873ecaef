import { afterSignIn, defineCommand, ok } from '../command.ts'
import { unselectFolder } from '../selecting.ts'

/** RFC 9051 §6.4.2. */
export const unselect = defineCommand({
  name: 'UNSELECT',
  states: ['selected'],
  capabilities: afterSignIn('UNSELECT'),
  parse: () => null,
  async run(session) {
    unselectFolder(session)
    return ok('Unselected')
  },
})
