import type { MailDb } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { type EntryQuery, entryRange, type FolderEntry } from './list.ts'
import {
  type DetailsRow,
  type FolderUids,
  findDetails,
  findSourceEntries,
  findSources,
  type SourceRow,
} from './sources-queries.ts'

/** Rows of a folder by UID, as IMAP reads them: what a message is made of, without its flags. */
export type MessageDetails = DetailsRow

/** A message with what its bytes are read by. Its structure is decoded by whoever looks at it: pages have many. */
export type MessageSource = SourceRow

/** A message is some kilobytes of row. */
const MAX_SOURCES = 500
const MAX_DETAILS = 5_000

/** When messages came into the folder, and how they begin; in order, those that are not there are left out. */
export const listDetails = (db: MailDb, input: FolderUids): Promise<MessageDetails[]> =>
  input.uids.length > MAX_DETAILS ? tooMany(MAX_DETAILS) : findDetails(db, input)

/** The same with all that is needed to read envelopes, body structures and bytes. */
export const listSources = (db: MailDb, input: FolderUids): Promise<MessageSource[]> =>
  input.uids.length > MAX_SOURCES ? tooMany(MAX_SOURCES) : findSources(db, input)

/** And with their flags, as `listEntries` finds them; at most a page of them. */
export const listSourceEntries = (db: MailDb, input: EntryQuery): Promise<(FolderEntry & MessageSource)[]> =>
  findSourceEntries(db, entryRange(input, MAX_SOURCES))

const tooMany = (max: number): never => refuse('too_many', `at most ${max} messages at once`)
