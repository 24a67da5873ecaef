import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import type { Folder } from '../../store/store.ts'
import type { SequenceSet } from './parse/sequence-set.ts'
import type { UidList } from './uid-list.ts'

/** Follows what is reported to the client: a search whose result is kept up to date. */
export type Follower = {
  /** Before expunged messages are reported: they still have their sequence numbers. */
  beforeExpunge(gone: readonly number[]): Promise<void>
  /** After everything was reported. */
  afterSync(): Promise<void>
}

/** The selected folder as this client knows it: what was reported to it, not what is there by now. */
export type FolderView = {
  readonly access: MailboxAccess
  /** The folder as it was when selected; it may have been renamed since. */
  readonly folder: Folder
  readonly isReadOnly: boolean
  readonly uids: UidList
  /**
   * The UIDs, sorted, that a set names and that are in the view. A sequence number beyond the last one is a `BadCommand`
   * unless `isLenient`; UIDs that are not there never matter.
   */
  resolve(set: SequenceSet, isUid: boolean, options?: { isLenient?: boolean }): number[]
  /** Up to where changes were reported to the client, for HIGHESTMODSEQ. */
  readonly modseq: number
  /** Whether something may have changed that was not reported to the client. */
  isBehind(options: { mayExpunge: boolean }): boolean
  /**
   * Reports what changed since the last report: EXPUNGE or VANISHED, EXISTS and RECENT, FETCH with FLAGS (and UID, MODSEQ
   * when enabled). Without `mayExpunge` messages that are gone stay in the view; `mutesFlags` leaves out the FETCH.
   */
  sync(options: { mayExpunge: boolean; mutesFlags?: boolean }): Promise<void>
  /** Everything that one transaction of this session changed is known to the client: no FETCH reports it again. */
  noteOwn(modseq: number): void
  /** \Recent in this session; never after IMAP4rev2 was enabled. */
  isRecent(uid: number): boolean
  recentCount(): number
  /** RFC 9051 §7.3.5: a keyword is in FLAGS before a FETCH shows it. Call it before the answer begins. */
  announce(keywords: readonly string[]): Promise<void>
  readonly followers: Set<Follower>
  close(): void
}
