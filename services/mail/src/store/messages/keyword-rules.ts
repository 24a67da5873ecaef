import { refuse } from '../refusal.ts'

/** RFC 8621 §4.1.1, in lower case. */
const KEYWORD = /^[!#$&'+,\-./0-9:;<=>?@A-Z[^_`a-z|}~]{1,255}$/
/** The limit per message: every list of messages includes all of them. */
export const MAX_KEYWORDS = 128

export const isKeyword = (keyword: string): boolean => KEYWORD.test(keyword)

/** Keywords as they are stored: lower case, each once, in order. */
export const normaliseKeywords = (keywords: readonly string[]): string[] => {
  const normal = [...new Set(keywords.map((keyword) => keyword.toLowerCase()))].sort()
  if (!normal.every(isKeyword)) return refuse('bad_name', 'invalid keyword')
  return normal.length > MAX_KEYWORDS ? refuse('too_many', `a message can have up to ${MAX_KEYWORDS} keywords`) : normal
}

/** RFC 8621 §2, unreadEmails. */
export const isUnread = (keywords: readonly string[]): boolean =>
  !keywords.includes('$seen') && !keywords.includes('$draft')

/** The same condition in SQL, for a column of keywords. */
export const unreadSql = (column: string): string => `not (${column} && '{$seen,$draft}'::text[])`
