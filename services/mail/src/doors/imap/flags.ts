import { bad } from './parse/bad-command.ts'
import type { FolderView } from './view.ts'

/** System flags that are keywords in the store; \Deleted belongs to the row and is none. */
const SYSTEM = new Map(
  Object.entries({
    '\\seen': '$seen',
    '\\answered': '$answered',
    '\\flagged': '$flagged',
    '\\draft': '$draft',
  }),
)

/** The usual spelling of flags: letter case makes no difference, but clients show them. */
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $seen: '\\Seen',
    $answered: '\\Answered',
    $flagged: '\\Flagged',
    $draft: '\\Draft',
    $forwarded: '$Forwarded',
    $mdnsent: '$MDNSent',
    $junk: '$Junk',
    $notjunk: '$NotJunk',
    $phishing: '$Phishing',
    $important: '$Important',
    $submitpending: '$SubmitPending',
    $submitted: '$Submitted',
  }),
)

export const SYSTEM_KEYWORDS = [...SYSTEM.values()]
const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft']

/** `FLAGS (…)`: the system flags and these keywords. */
export const flagsLine = (keywords: readonly string[]): string =>
  `FLAGS (${[...SYSTEM_FLAGS, ...keywords.map(flagOf)].join(' ')})`

/** RFC 9051 §7.1: which of them a client can change for good; `\*` lets it make up keywords. */
export const permanentFlagsLine = (
  { isReadOnly, access }: Pick<FolderView, 'isReadOnly' | 'access'>,
  keywords: readonly string[],
): string => {
  const all = [...SYSTEM_FLAGS, ...keywords.map(flagOf), '\\*']
  const flags = isReadOnly ? [] : access.mayWrite ? all : ['\\Seen']
  return `OK [PERMANENTFLAGS (${flags.join(' ')})] Flags that are stored`
}

/** Flags as the store knows them. */
export type StoredFlags = { readonly keywords: readonly string[]; readonly deleted: boolean }

/** Flags of a command, such as `\Seen` and `$Forwarded`. \Recent is the server's: it is left out. */
export const readFlags = (flags: readonly string[]): StoredFlags => {
  const lower = flags.map((flag) => flag.toLowerCase())
  const keywords = lower.filter((flag) => flag !== '\\deleted' && flag !== '\\recent')
  return { keywords: keywords.map(keywordOf), deleted: lower.includes('\\deleted') }
}

/** The keyword of one flag that is not \Deleted. */
export const keywordOf = (flag: string): string => {
  const lower = flag.toLowerCase()
  if (!lower.startsWith('\\')) return lower
  return SYSTEM.get(lower) ?? bad(`Invalid flag ${flag}`)
}

/** `(\Seen $Forwarded)`, as FETCH shows it. \Recent is what the view says of the UID. */
export const formatFlags = ({ keywords, deleted }: StoredFlags, isRecent: boolean): string => {
  const flags = keywords.map(flagOf)
  if (deleted) flags.push('\\Deleted')
  if (isRecent) flags.push('\\Recent')
  return `(${flags.join(' ')})`
}

const flagOf = (keyword: string): string => SPELLED.get(keyword) ?? keyword
