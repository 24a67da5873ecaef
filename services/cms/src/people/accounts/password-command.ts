import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { systemClock } from '@stoa/kit/clock.ts'
import { ConfigError } from '@stoa/kit/config.ts'
import { checkPasswordForm, MAX_PASSWORD_BYTES } from '@stoa/kit/crypto/password.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readDatabaseUrl } from '../../config.ts'
import type { Tables } from '../../tables.ts'
import { passwordProblems } from './passwords.ts'
import { describeAccounts, recoverAccount } from './recovery.ts'

const USAGE = `Usage: npm run cms:password                               lists the accounts
       npm run cms:password -- <email>                    sets a password, read from the terminal or standard input
       npm run cms:password -- <email> --reset-2fa        the same, and removes two-factor authentication
`
const RESET_TWO_FACTOR = '--reset-2fa'

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

export type Terminal = {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  input: Readable & { isTTY?: boolean }
  /** What went well, and what did not. */
  print(text: string): void
  printError(text: string): void
}

/** Gives the exit code. */
export const runPasswordCommand = (terminal: Terminal): Promise<number> =>
  run(terminal).catch((error: unknown) => {
    terminal.printError(`cms:password: ${explain(error)}\n`)
    return 1
  })

const run = async (terminal: Terminal): Promise<number> => {
  const { args, env } = terminal
  const print = (text: string): number => {
    terminal.print(text)
    return 0
  }
  const printError = (text: string): number => {
    terminal.printError(text)
    return 1
  }
  const removesTwoFactor = args.includes(RESET_TWO_FACTOR)
  const [email, ...rest] = args.filter((arg) => arg !== RESET_TWO_FACTOR)
  // Whatever follows could be a password that is now in the shell's history.
  if (rest.length > 0 || email?.startsWith('-') || (removesTwoFactor && !email)) return printError(USAGE)
  const log = createLogger({ name: 'cms', level: 'warn' })
  const url = readDatabaseUrl(env).reveal()
  const database = openDatabase<Tables>({ url, poolSize: 2, log, applicationName: 'stoa-cms-password' })
  try {
    if (email === undefined) return print(await describeAccounts(database.db))
    const password = await readPassword(terminal)
    if (password === null) return printError('The passwords do not match. Nothing was changed.\n')
    const problem = checkPasswordForm(password)
    if (problem) return printError(`The password ${passwordProblems[problem]}; nothing was changed.\n`)
    const account = await recoverAccount(database, { email, password, removesTwoFactor, now: systemClock.now() })
    if (!account) return printError(`There is no active account for ${email}.\n`)
    const done = removesTwoFactor ? 'is set, two-factor authentication is off,' : 'is set,'
    return print(`The password of ${account.name} <${account.email}> ${done} and all their sessions have ended.\n`)
  } finally {
    await database.close()
  }
}

/** One line: typed twice without echo, or given on standard input. Null when the two differ. */
const readPassword = async (terminal: Terminal): Promise<string | null> => {
  if (!terminal.input.isTTY) return readLine(terminal)
  const first = await ask(terminal, 'New password: ')
  return first === (await ask(terminal, 'Repeat the password: ')) ? first : null
}

const ask = ({ input, printError }: Terminal, question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const reader = createInterface({ input, output: silent, terminal: true, historySize: 0 })
    printError(question)
    reader.on('line', (line) => {
      printError('\n')
      resolve(line)
      reader.close()
    })
    reader.on('close', () => reject(new Error('no password given; nothing was changed')))
  })

const readLine = async ({ input }: Terminal): Promise<string> => {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > MAX_PASSWORD_BYTES) break
  }
  return text.split(/\r?\n/)[0] ?? ''
}

const explain = (error: unknown): string => {
  if (error instanceof ConfigError) return error.message
  const isEmpty = error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE
  if (isEmpty) return 'this database is empty. Start the service once first.'
  return error instanceof Error ? error.message : String(error)
}
