import { isKeyword, MAX_KEYWORDS } from '../../store/store.ts'

/** Flags of a message as the store knows them. */
export type KeptFlags = { keywords: string[]; isDeleted: boolean }

const SYSTEM: ReadonlyMap<string, string> = new Map([
  ['\\seen', '$seen'],
  ['\\answered', '$answered'],
  ['\\flagged', '$flagged'],
  ['\\draft', '$draft'],
])

/** Keeps all flags that can be kept. \Recent and what servers invented is theirs. */
export const keepFlags = (flags: Iterable<string>): KeptFlags => {
  const lower = [...new Set([...flags].map((flag) => flag.toLowerCase()))]
  const keywords = lower.flatMap((flag) => {
    if (flag.startsWith('\\')) return SYSTEM.get(flag) ?? []
    return isKeyword(flag) ? flag : []
  })
  return { keywords: [...new Set(keywords)].slice(0, MAX_KEYWORDS), isDeleted: lower.includes('\\deleted') }
}
