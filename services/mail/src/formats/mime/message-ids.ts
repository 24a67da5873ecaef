import { LIMITS } from './limits.ts'

/** RFC 5322 §4.5.4: `In-Reply-To` may hold a sentence around the ids; only what is in brackets counts. */
const BRACKETED = /<([^<>]{1,998})>/g

/**
 * The ids of Message-ID, References or In-Reply-To without their brackets, each once. Null when there is none. Ids that
 * lost their brackets are found by their at sign.
 */
export const parseMessageIds = (text: string): string[] | null => {
  const ids = idsOf([...text.matchAll(BRACKETED)].map((match) => match[1] ?? ''))
  if (ids.length > 0) return ids
  const bare = idsOf(text.split(/[\s<>,;"()]+/).filter((word) => /^[^@]{1,500}@[^@]{1,497}$/.test(word)))
  return bare.length > 0 ? bare : null
}

/** Folding inside an id leaves spaces in it. */
const idsOf = (candidates: readonly string[]): string[] => {
  const ids = new Set<string>()
  for (const candidate of candidates) {
    const id = candidate.replace(/[\s\p{Cc}]+/gu, '')
    if (id !== '') ids.add(id)
    if (ids.size >= LIMITS.messageIds) break
  }
  return [...ids]
}
