import { isSharedEntry, MAX_VALUE_BYTES, setMetadata } from '../../../store/store.ts'
import { defineCommand, no, ok } from '../command.ts'
import { NO_SUCH_FOLDER } from '../folders.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import { findAnnotated, readName } from './getmetadata.ts'

type SetMetadata = { mailbox: string; entries: Map<string, Buffer | null> }

/** RFC 5464 §4.3. */
export const setmetadata = defineCommand<SetMetadata>({
  name: 'SETMETADATA',
  states: ['signedIn', 'selected'],
  parse(args) {
    const mailbox = args.mailbox()
    args.space()
    const entries = args.list((): [string, Buffer | null] => {
      const name = readName(args)
      args.space()
      return [name, readValue(args)]
    })
    if (entries.length === 0) bad('Expected entries')
    return { mailbox, entries: new Map(entries) }
  },
  async run(session, { mailbox, entries }) {
    const place = await findAnnotated(session, mailbox)
    if (!place) return NO_SUCH_FOLDER
    // Shared entries of the server would be those of all customers.
    const mayShare = place.folderId !== null && place.access.mayWrite
    if (!mayShare && [...entries.keys()].some(isSharedEntry))
      return no('Only private entries can be set here', 'NOPERM')
    if ([...entries.values()].some((value) => value !== null && value.length > MAX_VALUE_BYTES))
      return no('The value is too large', `METADATA MAXSIZE ${MAX_VALUE_BYTES}`)
    const isSet = await setMetadata(session.parts.database, place, entries)
    return isSet ? ok('Metadata set') : no('Too many entries', 'METADATA TOOMANY')
  },
})

/** Text, or bytes in a literal. */
const readValue = (args: Arguments): Buffer | null => {
  if (args.peek() === '{') {
    const literal = args.literal()
    return 'bytes' in literal ? literal.bytes : bad('The value is too large')
  }
  const text = args.nstring()
  return text === null ? null : Buffer.from(text, 'utf8')
}
