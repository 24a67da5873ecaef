import type { SieveExtensionName } from '@stoa/mail-model/sieve-extensions.ts'
import type { SieveExtension } from '../define.ts'
import { body } from './body.ts'
import { comparatorAsciiCasemap } from './comparator-ascii-casemap.ts'
import { comparatorAsciiNumeric } from './comparator-ascii-numeric.ts'
import { comparatorOctet } from './comparator-octet.ts'
import { comparatorUnicodeCasemap } from './comparator-unicode-casemap.ts'
import { copy } from './copy.ts'
import { date } from './date.ts'
import { duplicate } from './duplicate.ts'
import { editheader } from './editheader.ts'
import { enclose } from './enclose.ts'
import { encodedCharacter } from './encoded-character.ts'
import { enotify } from './enotify.ts'
import { envelope } from './envelope.ts'
import { environment } from './environment.ts'
import { ereject } from './ereject.ts'
import { extracttext } from './extracttext.ts'
import { fcc } from './fcc.ts'
import { fileinto } from './fileinto.ts'
import { foreverypart } from './foreverypart.ts'
import { headerIndex } from './header-index.ts'
import { ihave } from './ihave.ts'
import { imap4flags } from './imap4flags.ts'
import { include } from './include.ts'
import { mailbox } from './mailbox.ts'
import { mailboxid } from './mailboxid.ts'
import { mboxmetadata } from './mboxmetadata.ts'
import { mime } from './mime.ts'
import { regex } from './regex.ts'
import { reject } from './reject.ts'
import { relational } from './relational.ts'
import { replace } from './replace.ts'
import { servermetadata } from './servermetadata.ts'
import { spamtest } from './spamtest.ts'
import { spamtestplus } from './spamtestplus.ts'
import { specialUse } from './special-use.ts'
import { subaddress } from './subaddress.ts'
import { vacation } from './vacation.ts'
import { vacationSeconds } from './vacation-seconds.ts'
import { variables } from './variables.ts'
import { virustest } from './virustest.ts'

/** Every extension, by the capability that a script requires. */
export const extensions = {
  fileinto,
  envelope,
  'encoded-character': encodedCharacter,
  'comparator-i;octet': comparatorOctet,
  'comparator-i;ascii-casemap': comparatorAsciiCasemap,
  'comparator-i;ascii-numeric': comparatorAsciiNumeric,
  'comparator-i;unicode-casemap': comparatorUnicodeCasemap,
  copy,
  body,
  variables,
  vacation,
  'vacation-seconds': vacationSeconds,
  relational,
  imap4flags,
  subaddress,
  date,
  index: headerIndex,
  reject,
  ereject,
  mailbox,
  duplicate,
  include,
  editheader,
  environment,
  ihave,
  'special-use': specialUse,
  mailboxid,
  mboxmetadata,
  servermetadata,
  spamtest,
  spamtestplus,
  virustest,
  regex,
  enotify,
  fcc,
  foreverypart,
  mime,
  extracttext,
  replace,
  enclose,
} satisfies { [N in SieveExtensionName]: SieveExtension & { readonly name: N } }
