/** With stop words; more than these are no question. */
const MAX_WORDS = 48
const MAX_WORD_LENGTH = 60
/** Ways to say one word, itself included. */
const MAX_PHRASES = 12

/** The different words of a text, in their order; what hyphens join is one word. */
export const wordsOf = (text: string): string[] => {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+|[-‐‑][\p{L}\p{N}]+)*/gu) ?? []
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_WORDS)
}

/** For each word the ways to say it: itself, and what the site calls the same. */
export const withSynonyms = (words: readonly string[], synonyms: readonly (readonly string[])[]): string[][] => {
  const ways = words.map(spellingsOf)
  for (const group of synonyms) {
    const members = group.map((member) => ({ member, parts: wordsOf(member) }))
    for (const { member, parts } of members) {
      // All words of a phrase must be there.
      const places = parts.map((part) => words.indexOf(part))
      if (parts.length === 0 || places.includes(-1)) continue
      const others = members.filter((other) => other.member !== member).flatMap((other) => spellingsOf(other.member))
      for (const place of places) ways[place]?.push(...others)
    }
  }
  return ways.map((phrases) => [...new Set(phrases)].slice(0, MAX_PHRASES))
}

/** What a question is about, idea by idea: each is a list of ways to say it, the visitor's own one first. */
export type Ideas = readonly (readonly string[])[]

/** For each idea the ways to say it as the visitor did, and the others. */
export const waysOfIdeas = (ideas: Ideas, synonyms: readonly (readonly string[])[]) => {
  const waysOf = (ways: readonly string[]): string[] => {
    const given = ways.map((way) => way.toLowerCase())
    const same = synonyms
      .map((group) => group.map((member) => member.toLowerCase()))
      .filter((group) => group.some((member) => given.includes(member)))
    return [...new Set([...given, ...same.flat()].flatMap(spellingsOf))].slice(0, MAX_PHRASES)
  }
  return { own: ideas.map((ways) => waysOf(ways.slice(0, 1))), others: ideas.map((ways) => waysOf(ways.slice(1))) }
}

/** `second-hand` is also written as two words and as one. */
const spellingsOf = (word: string): string[] => {
  const parts = word.split(/[-‐‑]/)
  return parts.length === 1 ? [word] : [parts.join(' '), parts.join('')]
}

/** Letters in a word for which one of them may be wrong, and two. */
const ONE_WRONG = 4
const TWO_WRONG = 8
export const MOST_WRONG = 2
const LEAST_LENGTH = 4

/** The words of titles that somebody who mistyped may have meant. */
export const correctionsOf = (word: string, titles: readonly string[]): string[] =>
  nearest(plain(word), titles.flatMap(wordsOf), distanceOfBeginning)

/** As `correctionsOf`, for stems: they have no endings. */
export const correctedStems = (stem: string, stems: readonly string[]): string[] =>
  nearest(stem, stems, distanceOfStems)

/** A stem that ends in y ends in i where the word was written right: `bakeri`. */
const distanceOfStems: typeof distanceOf = (given, stem, most) =>
  Math.min(distanceOf(given, stem, most), distanceOf(given.replace(/y$/, 'i'), stem, most))

/** Hardly anybody mistypes the first letter. */
const nearest = (given: string, candidates: readonly string[], distanceBetween: typeof distanceOf): string[] => {
  const allowed = given.length >= TWO_WRONG ? MOST_WRONG : given.length >= ONE_WRONG ? 1 : 0
  if (allowed === 0) return []
  const near = [...new Set(candidates)]
    .filter((candidate) => candidate.length >= LEAST_LENGTH && plain(candidate)[0] === given[0])
    .map((candidate) => ({ candidate, distance: distanceBetween(given, plain(candidate), allowed) }))
    .filter(
      ({ candidate, distance }) => distance <= allowed && (given.length > ONE_WRONG || !isOther(given, candidate)),
    )
  const least = Math.min(...near.map(({ distance }) => distance))
  return near
    .filter(({ distance }) => distance === least)
    .map(({ candidate }) => candidate)
    .slice(0, MAX_PHRASES - 1)
}

/** Short words that differ in one letter are two words, like `ship` and `shop`. */
const isOther = (a: string, b: string): boolean =>
  a.length === b.length && [...a].toSorted().join('') !== [...b].toSorted().join('')

const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}+/gu, '')

/** Letters that a word may have more at its end: who asks whether somebody can `deliver` means `deliveries`, too. */
const LONGEST_ENDING = 4
const SHORTEST_BEGINNING = 5

const distanceOfBeginning: typeof distanceOf = (given, candidate, most) => {
  const isBeginning = given.length >= SHORTEST_BEGINNING && candidate.startsWith(given)
  return isBeginning && candidate.length - given.length <= LONGEST_ENDING ? 0 : distanceOf(given, candidate, most)
}

/** Letters put in, left out, changed, or swapped with the next one (optimal string alignment); above `most` only that it is. */
const distanceOf = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
