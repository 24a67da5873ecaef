import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { cloneDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import type { Tables } from '../../../tables.ts'

export type MailDatabase = { database: Database<Tables>; url: string; close(): Promise<void> }

const silent = createLogger({ name: 'test', level: 'silent' })

/** A database of the mail service for one test file. */
export const openMailDatabase = async ({ poolSize = 4 } = {}): Promise<MailDatabase> => {
  const { url, drop } = await cloneDatabase(await mailTemplate())
  const database = openDatabase<Tables>({ url, poolSize, log: silent, ...PATIENT })
  return {
    database,
    url,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}
