import type { MaybePromise, SieveEnvelope, SieveMessage } from './message.ts'

/**
 * Everything that a run gets from outside. Whatever is left out answers "no", "none" or "unknown", so that a script
 * can be tried without a mailbox.
 */
export type SieveEnvironment = {
  readonly message: SieveMessage
  readonly envelope: SieveEnvelope
  readonly now: Date
  /** Local time of the owner as minutes east of Greenwich; 0 when unknown. */
  readonly zoneMinutes?: number
  /** What separates the name from the detail in an address (RFC 5233); `+` unless given. */
  readonly detailSeparator?: string
  readonly mailboxes?: MailboxLookups
  /** True when an earlier message had this key (RFC 7352). What a run has seen stands in its result. */
  duplicate?(key: string): MaybePromise<boolean>
  /** The text of an included script (RFC 6609), or null. */
  script?(location: 'personal' | 'global', name: string): MaybePromise<string | null>
  /** Items of RFC 5183 besides those that are always known, or null. */
  item?(name: string): string | null
  /** From 0 (surely wanted) to 100 (surely spam), or null when the message was not tested. */
  readonly spamPercent?: number | null
  /** From 1 (clean) to 5 (surely infected) as in RFC 5235, or null when the message was not tested. */
  readonly virusLevel?: number | null
}

export type MailboxLookups = {
  exists?(name: string): MaybePromise<boolean>
  idExists?(id: string): MaybePromise<boolean>
  /** True when some mailbox, or this one, has all of these special uses. */
  specialUseExists?(mailbox: string | null, uses: readonly string[]): MaybePromise<boolean>
  /** An annotation of a mailbox, or of the server when the mailbox is null (RFC 5490). */
  metadata?(mailbox: string | null, annotation: string): MaybePromise<string | null>
}
