import { readFileSync } from 'node:fs'

/** True for a password that heads the lists of leaked ones, whatever its case (`common-passwords.txt`). */
export const isCommonPassword = (text: string): boolean => {
  known ??= load()
  return known.has(text.normalize('NFC').toLowerCase())
}

let known: ReadonlySet<string> | undefined

const load = (): ReadonlySet<string> => {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
}
