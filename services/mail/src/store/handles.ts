import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../tables.ts'

/** The mail service's database as the store's functions take it. */
export type MailDb = Db<Tables>
export type MailTx = Tx<Tables>
export type MailDatabase = Database<Tables>
