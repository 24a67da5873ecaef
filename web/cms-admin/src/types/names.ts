import { isObjectMember } from '@stoa/cms-model/fields/names.ts'
import { slugFromTitle } from '@stoa/cms-model/slugs.ts'

/** The maximum length of keys and names. */
const MAX_LENGTH = 63

/** A field key made of its label: “Hero image” is `heroImage`. Empty when the label has no letter for one. */
export const keyFromLabel = (label: string): string => {
  const joined = wordsOf(label)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  const key = joined.slice(0, MAX_LENGTH)
  return isObjectMember(key) ? `${key}Value` : key
}

/** A name for addresses made of a label: “Blog posts” is `blog-posts`. Empty when the label has no letter for one. */
export const nameFromLabel = (label: string): string => {
  const name = wordsOf(label).join('-').slice(0, MAX_LENGTH).replace(/-+$/, '')
  return isObjectMember(name) || name === 'single' ? `${name}-type` : name
}

/** The key itself, or the first of key2, key3 … that is free. */
export const freeKey = (base: string, taken: ReadonlySet<string>): string => {
  let key = base
  for (let number = 2; taken.has(key); number += 1) key = base.slice(0, MAX_LENGTH - String(number).length) + number
  return key
}

/** Latin words, the first of which begins with a letter. */
const wordsOf = (label: string): string[] => {
  // One word, whatever its spelling
  const text = slugFromTitle(label.replace(/\be-mail/gi, 'email')).replace(/^[^a-z]+/, '')
  return text.split('-').filter((word) => word !== '')
}
