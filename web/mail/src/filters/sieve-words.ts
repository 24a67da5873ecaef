import type { SieveExtensionName } from '@stoa/mail-model/sieve-extensions.ts'

/** A word of Sieve that is offered while a script is written, with the extension that it needs. */
export type SieveWord = { word: string; kind: 'command' | 'test' | 'tag'; extension?: SieveExtensionName }

const of = (kind: SieveWord['kind'], extension: SieveExtensionName | undefined, words: string): SieveWord[] =>
  words.split(' ').map((word) => ({ word, kind, ...(extension === undefined ? {} : { extension }) }))

/** Sieve commands of the service, for completion. */
export const sieveWords: readonly SieveWord[] = [
  ...of('command', undefined, 'require if elsif else stop keep discard redirect'),
  ...of('test', undefined, 'address allof anyof exists false header not size true'),
  ...of('tag', undefined, ':is :contains :matches :comparator :all :localpart :domain :over :under'),
  ...of('command', 'fileinto', 'fileinto'),
  ...of('tag', 'copy', ':copy'),
  ...of('tag', 'mailbox', ':create'),
  ...of('test', 'mailbox', 'mailboxexists'),
  ...of('tag', 'special-use', ':specialuse'),
  ...of('command', 'imap4flags', 'addflag setflag removeflag'),
  ...of('test', 'imap4flags', 'hasflag'),
  ...of('tag', 'imap4flags', ':flags'),
  ...of('test', 'body', 'body'),
  ...of('tag', 'body', ':raw :content :text'),
  ...of('test', 'envelope', 'envelope'),
  ...of('tag', 'subaddress', ':user :detail'),
  ...of('tag', 'regex', ':regex'),
  ...of('tag', 'relational', ':value :count'),
  ...of('command', 'vacation', 'vacation'),
  ...of('tag', 'vacation', ':days :subject :from :addresses :mime :handle'),
  ...of('command', 'reject', 'reject'),
  ...of('command', 'ereject', 'ereject'),
  ...of('command', 'variables', 'set'),
  ...of('test', 'variables', 'string'),
  ...of('tag', 'variables', ':lower :upper :lowerfirst :upperfirst :quotewildcard :length'),
  ...of('test', 'date', 'date currentdate'),
  ...of('test', 'duplicate', 'duplicate'),
  ...of('command', 'editheader', 'addheader deleteheader'),
  ...of('command', 'include', 'include return global'),
  ...of('test', 'spamtest', 'spamtest'),
  ...of('tag', 'spamtestplus', ':percent'),
  ...of('test', 'virustest', 'virustest'),
  ...of('test', 'environment', 'environment'),
  ...of('test', 'ihave', 'ihave'),
  ...of('command', 'enotify', 'notify'),
  ...of('command', 'foreverypart', 'foreverypart break'),
  ...of('tag', 'mime', ':mime :anychild :type :subtype :contenttype :param'),
  ...of('command', 'extracttext', 'extracttext'),
  ...of('command', 'replace', 'replace'),
  ...of('command', 'enclose', 'enclose'),
]
