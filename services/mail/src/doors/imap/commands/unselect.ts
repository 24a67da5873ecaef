import { defineCommand, ok } from '../command.ts'
import { unselectFolder } from '../selecting.ts'

/** RFC 9051 §6.4.2. */
export const unselect = defineCommand({
  name: 'UNSELECT',
  states: ['selected'],
  parse: () => null,
  async run(session) {
    unselectFolder(session)
    return ok('Unselected')
  },
})
