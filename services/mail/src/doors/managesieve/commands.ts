import { ScriptRefusal, type ScriptRefusalKind } from '../../receiving/filters/filters.ts'
import { isGivenRight } from './arguments.ts'
import { authenticate } from './commands/authenticate.ts'
import {
  checkScriptCommand,
  deleteScriptCommand,
  getScript,
  haveSpace,
  listScriptsCommand,
  putScriptCommand,
  renameScript,
  setActive,
} from './commands/scripts.ts'
import { capability, logout, noop, startTls, unauthenticate } from './commands/session.ts'
import type { Given } from './read-command.ts'
import { no, type Reply } from './replies.ts'
import type { Command, ManageSieveSession } from './session.ts'

const all: readonly Command[] = [
  authenticate,
  startTls,
  logout,
  capability,
  haveSpace,
  putScriptCommand,
  listScriptsCommand,
  setActive,
  getScript,
  deleteScriptCommand,
  renameScript,
  checkScriptCommand,
  noop,
  unauthenticate,
]

const COMMANDS: ReadonlyMap<string, Command> = new Map(all.map((command) => [command.name, command]))

/** Runs a command in its state; refusals are answers. Errors in a row are counted. */
export const runCommand = async (
  session: ManageSieveSession,
  { name, args }: Extract<Given, { kind: 'command' }>,
): Promise<Reply> => {
  const command = COMMANDS.get(name)
  if (!command) return wrong(session, 'Unknown command.')
  if (!command.isOpen && !session.signIn) return wrong(session, 'Sign in first.')
  if (!isGivenRight(command, args)) return wrong(session, `${name} does not accept these arguments.`)
  session.errors = 0
  try {
    return await command.run(session, args)
  } catch (error) {
    if (error instanceof ScriptRefusal) return no(error.message, CODES[error.kind] ?? undefined)
    throw error
  }
}

/** The response to a command that is unknown or not allowed now. */
export const wrong = (session: ManageSieveSession, text: string): Reply => {
  session.errors += 1
  return session.errors >= session.limits.errors ? { status: 'BYE', text: 'Too many invalid commands.' } : no(text)
}

/** RFC 5804 §1.3. */
const CODES: Record<ScriptRefusalKind, string | null> = {
  no_such_script: 'NONEXISTENT',
  script_exists: 'ALREADYEXISTS',
  script_active: 'ACTIVE',
  bad_name: null,
  bad_script: null,
  too_large: 'QUOTA/MAXSIZE',
  too_many: 'QUOTA/MAXSCRIPTS',
}
