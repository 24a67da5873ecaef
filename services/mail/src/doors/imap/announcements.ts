import { flagsLine, permanentFlagsLine, SYSTEM_KEYWORDS } from './flags.ts'
import type { ImapSession } from './session.ts'
import type { FolderView } from './view.ts'

/** Different keywords that are announced to one client at a time; FLAGS lists all of them again for each that is new. */
export const MAX_ANNOUNCED = 2_000

/**
 * RFC 9051 §7.3.5: a keyword is in FLAGS before a FETCH shows it. It is in PERMANENTFLAGS too where it can be changed: a
 * flag that is in FLAGS only cannot be kept (RFC 9051 §7.1).
 */
export const createAnnouncements = (
  { out }: Pick<ImapSession, 'out'>,
  folder: Pick<FolderView, 'isReadOnly' | 'access'>,
): FolderView['announce'] => {
  let announced = new Set<string>(SYSTEM_KEYWORDS)
  return async (keywords) => {
    const news = keywords.filter((keyword) => !announced.has(keyword))
    if (news.length === 0) return
    // FLAGS replaces what was announced before: whatever is left out is announced again before it is shown again.
    if (announced.size + news.length > MAX_ANNOUNCED) announced = new Set([...SYSTEM_KEYWORDS, ...keywords])
    else for (const keyword of news) announced.add(keyword)
    const added = [...announced].slice(SYSTEM_KEYWORDS.length)
    await out.untagged(flagsLine(added))
    if (!folder.isReadOnly && folder.access.mayWrite) await out.untagged(permanentFlagsLine(folder, added))
  }
}
