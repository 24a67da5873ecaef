// What the operator's commands of the mail service share: the database, and the way to the processes that run.
import { systemClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { type CommandConfig, readCommandConfig } from '@stoa/mail/config.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { complain } from './terminal.ts'

export type MailCommand = { database: Database<Tables>; config: CommandConfig; now: Date }

/** `say` prints an answer; a command that cannot do its work throws. */
export const say = (text: string): number => {
  process.stdout.write(`${text}\n`)
  return 0
}

/** What a command was told to do. */
export type Order = (command: MailCommand) => Promise<number>

/** Reads the arguments before anything is opened, runs the command, and ends the process with its exit code. */
export const runMailCommand = async (read: (args: readonly string[]) => Order): Promise<never> => {
  const work = async () => withDatabase(read(process.argv.slice(2)))
  return process.exit(await work().catch(complain))
}

const migrations = new URL('../services/mail/migrations/', import.meta.url)

const withDatabase = async (run: Order): Promise<number> => {
  const config = readCommandConfig()
  const log = createLogger({ name: 'mail', level: 'warn' })
  const url = config.databaseUrl.reveal()
  // An instance that was never started has no tables yet.
  await migrate(url, migrations, log)
  const database = openDatabase<Tables>({ url, poolSize: 2, log, applicationName: 'stoa-mail-command' })
  // Processes that run hear of what changes: they close connections and forget what they kept.
  const bus = openBus(database, { log })
  try {
    return await run({ database, config, now: systemClock.now() })
  } finally {
    await bus.close()
    await database.close()
  }
}
