import { isBusy } from '@stoa/kit/db/errors.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { type RefusalKind, StoreRefusal } from '../../store/store.ts'
import { type Completion, type ImapCommand, no } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { confirmAccess } from './confirm-access.ts'
import { InputEnded } from './input.ts'
import { FolderGone } from './open-view.ts'
import { BrokenAnswer } from './output.ts'
import { readArguments } from './parse/arguments.ts'
import { BadCommand } from './parse/bad-command.ts'
import type { ReceivedCommand } from './read-command.ts'
import { type ImapSession, isUtf8 } from './session.ts'

/** Whether a command is allowed now, before more of it is read. */
export const checkCommand = (
  session: ImapSession,
  name: string,
  isUid: boolean,
): { takesMessages: boolean } | Completion => {
  const command = find(name, isUid)
  if (!command) return { status: 'BAD', text: 'Unknown command' }
  if (command.states.includes(session.state)) return { takesMessages: command.takesMessages === true }
  const isTooLate =
    session.state !== 'start' && !command.states.includes('selected') && !command.states.includes('signedIn')
  return { status: 'BAD', text: isTooLate ? 'Already signed in' : STATE_TEXTS[session.state] }
}

const STATE_TEXTS = {
  start: 'Sign in first',
  signedIn: 'Select a folder first',
  selected: 'Not allowed while a folder is selected',
} as const

/** Runs a command, and reports what changed meanwhile. Throws only when the connection has to end. */
export const runCommand = async (session: ImapSession, received: ReceivedCommand): Promise<Completion> => {
  const { tag, name, isUid } = received
  const command = find(name, isUid)
  if (!command) return { status: 'BAD', text: 'Unknown command' }
  const context = { isUid, tag }
  try {
    await confirmAccess(session)
    const args = readArguments(received.segments, { isUtf8: isUtf8(session) })
    if (received.segments.some((segment) => segment !== '')) args.space()
    const run = command.prepare(args, session, context)
    if (command.syncsFirst && session.view?.isBehind({ mayExpunge: false }))
      await session.view.sync({ mayExpunge: false })
    const answer = await run()
    // RFC 9051 §7.1.5: nothing follows a BYE but the tagged answer.
    if (answer.closes) return answer
    const isGone = await reportChanges(session, command, context)
    return isGone ? { ...answer, closes: true } : answer
  } catch (error) {
    return answerTo(session, error)
  }
}

/**
 * RFC 9051 §7.5.1: an EXPUNGE would change what the sequence numbers of the command mean. True: the selected folder has
 * gone meanwhile, and the client must begin again.
 */
const reportChanges = async (
  session: ImapSession,
  { holdsExpunges = false }: ImapCommand,
  context: { isUid: boolean; tag: string },
): Promise<boolean> => {
  const mayExpunge = !(typeof holdsExpunges === 'function' ? holdsExpunges(context) : holdsExpunges)
  try {
    if (session.notifier) await session.notifier.report({ mayExpunge })
    else if (session.view?.isBehind({ mayExpunge })) await session.view.sync({ mayExpunge })
    return false
  } catch (error) {
    if (error instanceof FolderGone) return true
    // The command itself has succeeded; changes are reported later.
    if (isUnavailable(error) && !session.out.isMidLine) return false
    throw error
  }
}

const find = (name: string, isUid: boolean): ImapCommand | undefined => {
  const command = COMMANDS.get(name)
  if (!command) return undefined
  const isFitting = isUid ? command.takesUid === true || command.needsUid === true : command.needsUid !== true
  return isFitting ? command : undefined
}

const answerTo = (session: ImapSession, error: unknown): Completion => {
  if (error instanceof InputEnded || error instanceof BrokenAnswer) throw error
  const { log } = session.parts
  if (session.out.isMidLine) {
    log.error({ err: error }, 'an IMAP answer broke off')
    throw new BrokenAnswer('an answer broke off')
  }
  if (error instanceof BadCommand) return { status: 'BAD', text: error.message }
  if (error instanceof StoreRefusal) return no(`${sentence(error.message)}`, REFUSAL_CODES[error.kind])
  if (error instanceof FolderGone) return { status: 'NO', code: 'NONEXISTENT', text: error.message, closes: true }
  if (isBusy(error)) return no('The mailbox is busy, try again in a moment', 'INUSE')
  if (isUnavailable(error)) return no('Try again in a moment', 'UNAVAILABLE')
  log.error({ err: error }, 'an IMAP command failed')
  return no('The server ran into an unexpected error', 'SERVERBUG')
}

/** The database does not answer at the moment. */
export const isUnavailable = (error: unknown): boolean => error instanceof Fault && error.kind === 'unavailable'

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Response codes for what the store refuses (RFC 9051 §7.1, RFC 5530). */
const REFUSAL_CODES: Readonly<Record<RefusalKind, string>> = {
  no_such_folder: 'NONEXISTENT',
  folder_exists: 'ALREADYEXISTS',
  folder_has_children: 'HASCHILDREN',
  folder_not_empty: 'CANNOT',
  folder_protected: 'CANNOT',
  role_taken: 'USEATTR',
  bad_name: 'CANNOT',
  no_such_message: 'EXPUNGEISSUED',
  no_such_blob: 'SERVERBUG',
  over_quota: 'OVERQUOTA',
  too_many: 'LIMIT',
  too_large: 'TOOBIG',
  state_mismatch: 'CONTACTADMIN',
}
