import type { FolderRole } from '../../store/store.ts'

const USES: ReadonlyMap<string, FolderRole> = new Map([
  ['\\inbox', 'inbox'],
  ['\\archive', 'archive'],
  ['\\drafts', 'drafts'],
  ['\\junk', 'junk'],
  ['\\sent', 'sent'],
  ['\\trash', 'trash'],
  ['\\snoozed', 'snoozed'],
])

/** The folder that a special use of RFC 6154 means, or null. */
export const roleOfUse = (use: string): FolderRole | null => USES.get(use.toLowerCase()) ?? null

const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['\\seen', '$seen'],
  ['\\flagged', '$flagged'],
  ['\\answered', '$answered'],
  ['\\draft', '$draft'],
])

/** Flags of IMAP as keywords of the store. `\Deleted` belongs to a place, not to a message, and is left out. */
export const keywordsOfFlags = (flags: readonly string[]): string[] =>
  flags.flatMap((flag) => {
    if (flag.startsWith('\\')) return KEYWORDS.get(flag.toLowerCase()) ?? []
    return /^[!#$&'+\-./0-9:;<=>?@A-Z[^_`a-z|}~]{1,255}$/.test(flag) ? flag.toLowerCase() : []
  })
