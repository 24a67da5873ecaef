import { defineCommand, ok } from '../command.ts'
import { expungeDeleted } from '../expunging.ts'
import { unselectFolder } from '../selecting.ts'

/** RFC 9051 §6.4.1: what is marked \Deleted is expunged without EXPUNGE responses. */
export const close = defineCommand({
  name: 'CLOSE',
  states: ['selected'],
  parse: () => null,
  async run(session) {
    const { view } = session
    if (view && !view.isReadOnly && view.access.mayWrite) await expungeDeleted(session, view, null)
    unselectFolder(session)
    return ok('Closed')
  },
})
