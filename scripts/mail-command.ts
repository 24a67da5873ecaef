// Shared by the operator's commands of the mail service: access to the database and to the running processes.
import { systemClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { type CommandConfig, readCommandConfig } from '@stoa/mail/config.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { printError } from './terminal.ts'

export type MailCommand = {
  database: Database<Tables>
  config: CommandConfig
  env: NodeJS.ProcessEnv
  now: Date
  /** Prints an answer, which is a success; a command that cannot do its work throws. */
  print(text: string): 0
}

/** Runs a command with its arguments; returns the exit code. */
export type Order = (command: MailCommand) => Promise<number>

/** Understands the arguments of a command. */
export type Reader = (args: readonly string[]) => Order

type Call = { args: readonly string[]; env: NodeJS.ProcessEnv; print: (text: string) => void }

/** Reads the arguments before anything is opened, and runs the command. */
export const runMailCommand = async (read: Reader, { args, env, print }: Call): Promise<number> => {
  const run = read(args)
  const printLine = (text: string): 0 => {
    print(`${text}\n`)
    return 0
  }
  return withDatabase(env, (parts) => run({ ...parts, env, now: systemClock.now(), print: printLine }))
}

/** Is the program of a command: ends the process with its exit code. */
export const beMailCommand = async (read: Reader): Promise<never> => {
  const call = { args: process.argv.slice(2), env: process.env, print: (text: string) => process.stdout.write(text) }
  return process.exit(await runMailCommand(read, call).catch(printError))
}

const migrations = new URL('../services/mail/migrations/', import.meta.url)

const withDatabase = async (
  env: NodeJS.ProcessEnv,
  run: (parts: Pick<MailCommand, 'database' | 'config'>) => Promise<number>,
): Promise<number> => {
  const config = readCommandConfig(env)
  const log = createLogger({ name: 'mail', level: 'warn' })
  const url = config.databaseUrl.reveal()
  // An instance that was never started has no tables yet.
  await migrate(url, migrations, log)
  const database = openDatabase<Tables>({ url, poolSize: 2, log, applicationName: 'stoa-mail-command' })
  // Running processes are notified of changes: they close connections and drop what they cached.
  const bus = openBus(database, { log })
  try {
    return await run({ database, config })
  } finally {
    await bus.close()
    await database.close()
  }
}
