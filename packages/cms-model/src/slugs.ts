import { z } from 'zod'

export const MAX_SLUG_LENGTH = 200
/** `/content/:type/single` is a route of its own. */
const reserved: ReadonlySet<string> = new Set(['single'])
/** More of a title cannot show in a slug. */
const MAX_TITLE_LENGTH = 1000

/** The reading key of an entry inside its type. */
export const slug = z
  .string()
  .max(MAX_SLUG_LENGTH, `must have at most ${MAX_SLUG_LENGTH} characters`)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must contain only lowercase letters and digits, separated by single hyphens')

export const isReservedSlug = (text: string): boolean => reserved.has(text)

/**
 * A slug made of the title, in Latin letters; empty when the title has none that can be written so. The locale decides
 * where languages differ: ä is "ae" in German and "a" elsewhere.
 */
export const slugFromTitle = (title: string, locale = ''): string => {
  const special = byLanguage.get(locale.slice(0, 2).toLowerCase())
  const given = title.trimStart().slice(0, MAX_TITLE_LENGTH).normalize('NFC').toLowerCase().replace(/ο[υύ]/g, 'ou')
  // Letters of their own first: taken apart, й is и with a breve.
  const written = rewrite(given, (letter) => special?.get(letter) ?? transliterated.get(letter))
  const plain = written.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const latin = rewrite(plain, (letter) => transliterated.get(letter))
  return cut(latin.replace(/[^a-z0-9]+/g, '-').replace(/^-/, ''), MAX_SLUG_LENGTH)
}

/** The slug itself, or the first of slug-2, slug-3 … that is neither taken nor reserved. */
export const nextFreeSlug = (base: string, taken: { has(slug: string): boolean }): string => {
  let candidate = base
  for (let number = 2; reserved.has(candidate) || taken.has(candidate); number += 1) {
    const ending = `-${number}`
    candidate = cut(base, MAX_SLUG_LENGTH - ending.length) + ending
  }
  return candidate
}

const cut = (text: string, length: number): string => text.slice(0, length).replace(/-$/, '')

type Letters = ReadonlyMap<string, string>

const rewrite = (text: string, write: (letter: string) => string | undefined): string => {
  let written = ''
  for (const letter of text) written += write(letter) ?? letter
  return written
}

/** Pairs of a letter and how it is written, separated by spaces. */
const letters = (pairs: string): Letters =>
  new Map(pairs.split(/\s+/).map((pair) => [[...pair][0] ?? '', [...pair].slice(1).join('')]))

const transliterated: Letters = new Map([
  // An apostrophe does not part a word.
  ["'", ''],
  ['’', ''],
  ['ʼ', ''],
  ['ь', ''],
  ['ъ', ''],
  ...letters('ßss æae œoe øo đd ðd łl þth ıi ħh ŋn ŧt ƒf ĸk ſs əe ơo ưu'),
  ...letters('αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'),
  ...letters('аa бb вv гg дd еe ёyo жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ыy эe юyu яya'),
  ...letters('іi їyi єye ґg ўu ђdj ћc љlj њnj џdz ѓgj ќkj ѕdz јj'),
  ...letters(
    'აa ბb გg დd ეe ვv ზz თt იi კk ლl მm ნn ოo პp ჟzh რr სs ტt უu ფp ქk ღgh ყq შsh ჩch ცts ძdz წts ჭch ხkh ჯj ჰh',
  ),
])

const nordic = letters('æae øoe åaa')

const byLanguage: ReadonlyMap<string, Letters> = new Map([
  ['de', letters('äae öoe üue')],
  ['da', nordic],
  ['nb', nordic],
  ['nn', nordic],
  ['no', nordic],
  ['uk', letters('гh ґg иy йi їi єie юiu яia')],
  ['bg', letters('щsht ъa')],
  ['sr', letters('жz цc чc шs хh ђdj')],
])
