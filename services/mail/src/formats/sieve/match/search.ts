/** Up to this many comparisons the fast search of the runtime is used, whose worst case is the product of both. */
const MAX_PRODUCT = 4_000_000

/** Where the needle stands, in linear time also for needles made to be slow. */
export const indexOf = (text: string, needle: string, from = 0): number => {
  if ((text.length - from) * needle.length <= MAX_PRODUCT) return text.indexOf(needle, from)
  return knuthMorrisPratt(text, needle, from)
}

const knuthMorrisPratt = (text: string, needle: string, from: number): number => {
  const fallbacks = fallbacksOf(needle)
  let matched = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0
    if (needle.charCodeAt(matched) === code) matched += 1
    if (matched === needle.length) return at - matched + 1
  }
  return needle.length === 0 ? from : -1
}

/** For each start of the needle, the longest shorter start that it ends with. */
const fallbacksOf = (needle: string): Uint32Array => {
  const fallbacks = new Uint32Array(needle.length)
  let matched = 0
  for (let at = 1; at < needle.length; at += 1) {
    const code = needle.charCodeAt(at)
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = fallbacks[matched - 1] ?? 0
    if (needle.charCodeAt(matched) === code) matched += 1
    fallbacks[at] = matched
  }
  return fallbacks
}
