// `npm run cms:password [-- <email> [--reset-2fa]]`: the way back in when nobody can sign in. Without an address it lists the accounts.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { systemClock } from '@stoa/kit/clock.ts'
import { ConfigError } from '@stoa/kit/config.ts'
import { checkPasswordForm, MAX_PASSWORD_BYTES } from '@stoa/kit/crypto/password.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readDatabaseUrl } from './config.ts'
import { passwordProblems } from './people/accounts/passwords.ts'
import { describeAccounts, recoverAccount } from './people/accounts/recovery.ts'
import type { Tables } from './tables.ts'

const USAGE = `Usage: npm run cms:password                               lists the accounts
       npm run cms:password -- <email>                    sets a password, read from the terminal or standard input
       npm run cms:password -- <email> --reset-2fa        the same, and removes two-factor sign-in
`
const RESET_TWO_FACTOR = '--reset-2fa'

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

const main = async (args: readonly string[]): Promise<number> => {
  const removesTwoFactor = args.includes(RESET_TWO_FACTOR)
  const [email, ...rest] = args.filter((arg) => arg !== RESET_TWO_FACTOR)
  // Whatever follows could be a password that is now in the shell's history.
  if (rest.length > 0 || email?.startsWith('-') || (removesTwoFactor && !email)) return complain(USAGE)
  const log = createLogger({ name: 'cms', level: 'warn' })
  const url = readDatabaseUrl(process.env).reveal()
  const database = openDatabase<Tables>({ url, poolSize: 2, log, applicationName: 'stoa-cms-password' })
  try {
    if (email === undefined) return say(await describeAccounts(database.db))
    const password = await readPassword()
    if (password === null) return complain('The two passwords differ; nothing was changed.\n')
    const problem = checkPasswordForm(password)
    if (problem) return complain(`The password ${passwordProblems[problem]}; nothing was changed.\n`)
    const account = await recoverAccount(database, { email, password, removesTwoFactor, now: systemClock.now() })
    if (!account) return complain(`There is no active account with the address ${email}.\n`)
    const done = removesTwoFactor ? 'is set, two-factor sign-in is off,' : 'is set,'
    return say(`The password of ${account.name} <${account.email}> ${done} and all their sessions have ended.\n`)
  } finally {
    await database.close()
  }
}

const say = (text: string): number => {
  process.stdout.write(text)
  return 0
}

const complain = (text: string): number => {
  process.stderr.write(text)
  return 1
}

/** One line: typed twice without echo, or given on standard input. Null when the two differ. */
const readPassword = async (): Promise<string | null> => {
  if (!process.stdin.isTTY) return readLine()
  const first = await ask('New password: ')
  return first === (await ask('The same again: ')) ? first : null
}

const ask = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const reader = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 })
    process.stderr.write(question)
    reader.on('line', (line) => {
      process.stderr.write('\n')
      resolve(line)
      reader.close()
    })
    reader.on('close', () => reject(new Error('no password was given; nothing was changed')))
  })

const readLine = async (): Promise<string> => {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > MAX_PASSWORD_BYTES) break
  }
  return text.split(/\r?\n/)[0] ?? ''
}

const explain = (error: unknown): string => {
  if (error instanceof ConfigError) return error.message
  const isEmpty = error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE
  if (isEmpty) return 'this database is empty. Start the service once, then there are accounts.'
  return error instanceof Error ? error.message : String(error)
}

process.exit(await main(process.argv.slice(2)).catch((error: unknown) => complain(`cms:password: ${explain(error)}\n`)))
