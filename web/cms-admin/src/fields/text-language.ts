import { createContext, use } from 'react'

type TextLanguage = { lang?: string; dir: 'rtl' | 'auto' }

/** The language that the texts of a form are written in; without it each flows as its letters do. */
export const TextLanguageContext = createContext<TextLanguage>({ dir: 'auto' })

/** For inputs that people write sentences in. */
export const useTextLanguage = (): TextLanguage => use(TextLanguageContext)

const RTL_SCRIPTS: ReadonlySet<string> = new Set([
  'Adlm',
  'Arab',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
])

/** In a right-to-left language, an empty text starts at the right, too. */
export const textLanguageOf = (locale: string): TextLanguage => ({
  lang: locale,
  dir: RTL_SCRIPTS.has(scriptOf(locale)) ? 'rtl' : 'auto',
})

const scriptOf = (locale: string): string => {
  try {
    return new Intl.Locale(locale).maximize().script ?? ''
  } catch {
    // Not a language that the browser could name
    return ''
  }
}
