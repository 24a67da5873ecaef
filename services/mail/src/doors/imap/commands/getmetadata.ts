import { type MailboxAccess, ownAccess } from '../../../hosting/shares/shares.ts'
import { type Annotated, listMetadata, type MetadataEntry, readEntryName } from '../../../store/store.ts'
import { afterSignIn, defineCommand, ok } from '../command.ts'
import { findFolder, NO_SUCH_FOLDER, nameOf } from '../folders.ts'
import { mailboxName } from '../format.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import type { ImapSession } from '../session.ts'

type Options = { maxSize: number; depth: number }
type GetMetadata = Options & { mailbox: string; names: string[] }

const NO_OPTIONS: Options = { maxSize: Number.POSITIVE_INFINITY, depth: 0 }

/** RFC 5464 §4.2. */
export const getmetadata = defineCommand<GetMetadata>({
  name: 'GETMETADATA',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('METADATA'),
  parse(args) {
    // The RFC has them before the name in its grammar, behind it in its examples.
    const early = args.peek() === '(' ? readOptions(args) : null
    if (early) args.space()
    const mailbox = args.mailbox()
    args.space()
    const late = !early && args.peek() === '(' ? readOptionsOrNames(args) : null
    if (late?.names) return { ...NO_OPTIONS, mailbox, names: late.names }
    if (late) args.space()
    return { ...(early ?? late?.options ?? NO_OPTIONS), mailbox, names: args.oneOrList(() => readName(args)) }
  },
  async run(session, { mailbox, names, maxSize, depth }) {
    const place = await findAnnotated(session, mailbox)
    if (!place) return NO_SUCH_FOLDER
    const picked = pickEntries(await listMetadata(session.parts.database.db, place), names, depth)
    const shown = picked.filter(({ value }) => value === null || value.length <= maxSize)
    if (shown.length > 0) await sendMetadata(session, place.name, shown)
    const longest = Math.max(0, ...picked.map(({ value }) => value?.length ?? 0))
    return ok('Metadata completed', longest > maxSize ? `METADATA LONGENTRIES ${longest}` : undefined)
  },
})

/** What a name of METADATA means: a folder, or with an empty one the server. */
export const findAnnotated = async (
  session: ImapSession,
  mailbox: string,
): Promise<(Annotated & { access: MailboxAccess; name: string }) | null> => {
  if (mailbox === '' && session.signIn) return annotated(ownAccess(session.signIn.address), null, '')
  const found = await findFolder(session, mailbox)
  return found && annotated(found.access, found.folder.id, nameOf(found))
}

const annotated = (access: MailboxAccess, folderId: string | null, name: string) => ({
  access,
  addressId: access.addressId,
  viewerId: access.viewerId,
  folderId,
  name,
})

export const readName = (args: Arguments): string => readEntryName(args.astring()) ?? bad('Invalid entry name')

const readOptions = (args: Arguments): Options => {
  const options = { ...NO_OPTIONS }
  args.list(() => readOption(args, options))
  return options
}

const readOption = (args: Arguments, options: Options): void => {
  const word = args.takeKeyword('MAXSIZE', 'DEPTH') ?? bad('Unknown option')
  args.space()
  if (word === 'MAXSIZE') options.maxSize = args.number()
  else options.depth = readDepth(args)
}

const readDepth = (args: Arguments): number => {
  const word = args.takeKeyword('0', '1', 'infinity') ?? bad('DEPTH must be 0, 1 or infinity')
  return word === 'infinity' ? Number.POSITIVE_INFINITY : Number(word)
}

const readOptionsOrNames = (args: Arguments): { options: Options; names: string[] | null } => {
  const options = { ...NO_OPTIONS }
  const names = args.list((): string | null => {
    if (args.peek() === '/' || args.peek() === '"') return readName(args)
    readOption(args, options)
    return null
  })
  const found = names.filter((name) => name !== null)
  return { options, names: found.length > 0 ? found : null }
}

const sendMetadata = async (
  session: ImapSession,
  mailbox: string,
  entries: readonly { name: string; value: Buffer | null }[],
): Promise<void> => {
  const { out } = session
  await out.raw(`* METADATA ${mailboxName(session, mailbox)} (`)
  for (const [index, { name, value }] of entries.entries()) {
    await out.raw(`${index === 0 ? '' : ' '}${name} `)
    if (value === null) await out.raw('NIL')
    else if (isQuotable(value)) await out.raw(`"${value.toString('latin1').replace(/["\\]/g, '\\$&')}"`)
    else await out.literal(value, { isBinary: value.includes(0) })
  }
  await out.raw(')\r\n')
}

const isQuotable = (value: Buffer): boolean => value.length <= 1000 && /^[\x20-\x7e]*$/.test(value.toString('latin1'))

/** The entries that were asked for, and those below them down to a depth (RFC 5464 §4.2.2). */
const pickEntries = (
  all: readonly MetadataEntry[],
  names: readonly string[],
  depth: number,
): { name: string; value: Buffer | null }[] => {
  const picked = new Map<string, Buffer | null>(names.map((name) => [name, null]))
  for (const { name, value } of all) if (names.some((asked) => isBelow(name, asked, depth))) picked.set(name, value)
  const isFound = (name: string) => depth === 0 || picked.get(name) !== null
  return [...picked].filter(([name]) => isFound(name)).map(([name, value]) => ({ name, value }))
}

const isBelow = (name: string, asked: string, depth: number): boolean => {
  if (name === asked) return true
  if (!name.startsWith(`${asked}/`)) return false
  return name.slice(asked.length + 1).split('/').length <= depth
}
