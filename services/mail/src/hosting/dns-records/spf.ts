/** RFC 7208 §4.5: the version, alone or before a space. */
export const isSpf = (text: string): boolean => /^v=spf1(\s|$)/i.test(text.trim())

/** Whether a record lets the servers of `ours` send: it has the mechanism that ours has before its `all`. */
export const includesUs = (text: string, ours: string): boolean => {
  const terms = new Set(termsOf(text).map((term) => term.toLowerCase().replace(/^\+/, '')))
  return mechanismsOf(ours).every((term) => terms.has(term.toLowerCase()))
}

/** One record for several: every mechanism once, ours before the `all` of the first. Two records would be an error. */
export const mergeSpf = (existing: readonly string[], ours: string): string => {
  const all = existing.flatMap(termsOf)
  const end = all.find(isAll) ?? termsOf(ours).find(isAll) ?? '~all'
  // A redirect is not looked at where there is an `all` (RFC 7208 §6.1), so what it meant becomes an include.
  const kept = all.filter((term) => !isAll(term)).map((term) => term.replace(/^redirect=/i, 'include:'))
  return ['v=spf1', ...new Set([...mechanismsOf(ours), ...kept]), end].join(' ')
}

const termsOf = (text: string): string[] => text.trim().split(/\s+/).slice(1)
const isAll = (term: string): boolean => /^[+~?-]?all$/i.test(term)
const mechanismsOf = (text: string): string[] => termsOf(text).filter((term) => !isAll(term))
