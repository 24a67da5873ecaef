import { addMessages, appendUidCode, isPrepared, prepareMessages } from '../append/append.ts'
import { type AppendMessage, parseAppendMessages } from '../append/arguments.ts'
import { defineCommand, ok } from '../command.ts'

/** APPEND of one or more messages (RFC 9051 §6.3.12, RFC 3502, RFC 4469, RFC 6855). All are added, or none. */
export const append = defineCommand<{ readonly name: string; readonly messages: readonly AppendMessage[] }>({
  name: 'APPEND',
  states: ['signedIn', 'selected'],
  capabilities: ({ state, parts }) =>
    state === 'start' ? [] : ['CATENATE', 'MULTIAPPEND', `APPENDLIMIT=${parts.config.maxMessageBytes}`],
  takesMessages: true,
  parse(args) {
    const name = args.mailbox()
    args.space()
    return { name, messages: parseAppendMessages(args) }
  },
  async run(session, { name, messages }) {
    const prepared = await prepareMessages(session, name, messages)
    if (!isPrepared(prepared)) return prepared
    const now = session.parts.clock.now()
    const uids = await session.door.write(prepared.to.access.addressId, (tx) => addMessages(tx, prepared, { now }))
    return ok('Appended', appendUidCode(prepared.to, uids))
  },
})
